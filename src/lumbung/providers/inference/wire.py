"""One request over the wire, through pydantic-ai: no retries of its own, no tools, no memory."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx2
from pydantic import BaseModel
from pydantic_ai import exceptions as foreign
from pydantic_ai.direct import model_request
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from lumbung.errors import ContractError, LumbungError, PolicyRefused, TransientError
from lumbung.ports.inference import Prompt
from lumbung.providers.guard import Status
from lumbung.providers.inference.endpoint import Endpoint
from lumbung.providers.inference.transport import http_client

Mode = Literal["native", "tool", "prompted"]
ANSWER_TOOL = "answer"
NO_KEY = "no-key"
MODERATION_CODES = frozenset({"content_filter", "content_policy_violation", "moderation_blocked"})


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    input_tokens: int
    output_tokens: int
    complete: bool = True
    declined: PolicyRefused | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """A reply that did not fit, and what was wrong with it."""

    reply: str
    complaint: str


class RejectedForm(ContractError):
    """The endpoint does not take this form of asking for structure."""


class CallFailed(Exception):
    """A request without an answer, and whether it may be billed all the same."""

    def __init__(self, error: LumbungError, *, may_be_billed: bool) -> None:
        super().__init__(str(error))
        self.error = error
        self.may_be_billed = may_be_billed


@dataclass
class Wire:
    endpoint: Endpoint
    _models: dict[str, Model] = field(default_factory=dict)
    _clients: list[httpx2.AsyncClient] = field(default_factory=list)
    _mode: Mode | None = None

    @property
    def mode(self) -> Mode:
        return self._mode or ("native" if self.endpoint.protocol == "openai" else "tool")

    def use_plain_form(self) -> None:
        """From now on the schema is written into the instructions."""
        self._mode = "prompted"

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()

    async def ask(self, model: str, prompt: Prompt, schema: type[BaseModel], before: Sequence[Exchange] = ()) -> Reply:
        mode = self.mode
        settings = ModelSettings(max_tokens=prompt.max_output_tokens, timeout=self.endpoint.timeout_seconds)
        if not self.endpoint.hosted:
            settings["temperature"] = 0.0
        try:
            async with asyncio.timeout(self.endpoint.timeout_seconds):
                response = await model_request(
                    self._model(model),
                    conversation(prompt, before),
                    model_settings=settings,
                    model_request_parameters=parameters(schema, mode),
                )
        except Exception as error:  # noqa: BLE001 - whatever the libraries raise becomes an error of ours, without their words
            raise CallFailed(translated(error, self.endpoint.name, mode), may_be_billed=may_be_billed(error)) from None
        return reply_of(response, self.endpoint.name)

    def _model(self, name: str) -> Model:
        if name not in self._models:
            make = openai_model if self.endpoint.protocol == "openai" else anthropic_model
            client = http_client(self.endpoint.timeout_seconds)
            self._clients.append(client)
            self._models[name] = make(self.endpoint, name, client)
        return self._models[name]


def key_of(endpoint: Endpoint) -> str:
    return endpoint.api_key.get_secret_value() if endpoint.api_key else NO_KEY


def openai_model(endpoint: Endpoint, name: str, http: httpx2.AsyncClient) -> Model:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    client = AsyncOpenAI(
        base_url=endpoint.base_url,
        api_key=key_of(endpoint),
        max_retries=0,
        timeout=endpoint.timeout_seconds,
        http_client=http,
    )
    profile = OpenAIModelProfile(supports_json_schema_output=True)
    if "openai.com" not in endpoint.base_url:
        profile["openai_chat_supports_max_completion_tokens"] = False
    return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=client), profile=profile)


def anthropic_model(endpoint: Endpoint, name: str, http: httpx2.AsyncClient) -> Model:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(
        base_url=endpoint.base_url,
        api_key=key_of(endpoint),
        max_retries=0,
        timeout=endpoint.timeout_seconds,
        http_client=http,
    )
    return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=client))


def conversation(prompt: Prompt, before: Sequence[Exchange]) -> list[ModelMessage]:
    messages: list[ModelMessage] = [
        ModelRequest(parts=[UserPromptPart(content=prompt.content)], instructions=prompt.instructions)
    ]
    for exchange in before:
        messages.append(ModelResponse(parts=[TextPart(content=exchange.reply or "(empty)")]))
        messages.append(
            ModelRequest(parts=[UserPromptPart(content=exchange.complaint)], instructions=prompt.instructions)
        )
    return messages


def parameters(schema: type[BaseModel], mode: Mode) -> ModelRequestParameters:
    form: dict[str, Any] = schema.model_json_schema()
    if mode == "tool":
        tool = ToolDefinition(
            name=ANSWER_TOOL, description="Give the answer.", parameters_json_schema=form, kind="output"
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    return ModelRequestParameters(
        output_mode=mode,
        output_object=OutputObjectDefinition(json_schema=form, name=ANSWER_TOOL),
        allow_text_output=True,
    )


def reply_of(response: ModelResponse, provider: str) -> Reply:
    """Text or the arguments of the answer's tool, whichever the model chose."""
    declined = response.finish_reason == "content_filter"
    calls = [part.args_as_json_str() for part in response.parts if isinstance(part, ToolCallPart)]
    texts = [part.content for part in response.parts if isinstance(part, TextPart)]
    return Reply(
        text=calls[0] if calls else "".join(texts),
        input_tokens=response.usage.input_tokens,
        output_tokens=response.usage.output_tokens,
        complete=response.finish_reason != "length",
        declined=PolicyRefused(f"{provider} declined this request.", "moderation") if declined else None,
    )


def translated(error: Exception, provider: str, mode: Mode) -> LumbungError:
    """Foreign errors become ours here. Their messages stay outside: an endpoint may echo the key or the page."""
    if isinstance(error, LumbungError):
        return error
    if isinstance(error, foreign.ModelContextWindowExceededError):
        return ContractError(f"The text is too long for {provider}.")
    if isinstance(error, foreign.ModelHTTPError):
        moderated = error.provider_error_code in MODERATION_CODES
        if error.status_code in {400, 422} and mode != "prompted" and not moderated:
            return RejectedForm(f"{provider} rejects the request with status {error.status_code}.")
        return Status(error.status_code, error.retry_after, moderated).error(provider)
    if isinstance(error, foreign.ContentFilterError):
        return PolicyRefused(f"{provider} declined this request.", "moderation")
    if isinstance(error, TimeoutError | foreign.ModelTimeoutError):
        return TransientError(f"{provider} did not answer in time.")
    if isinstance(error, foreign.ModelConnectionError):
        return TransientError(f"{provider} cannot be reached or broke off.")
    if isinstance(error, foreign.UnexpectedModelBehavior | foreign.ModelAPIError):
        return TransientError(f"{provider} gave an answer that does not follow its protocol.")
    return ContractError(f"Asking {provider} failed with {type(error).__name__}.")


def may_be_billed(error: Exception) -> bool:
    """Not when the other side said no by a status, or was never reached; anything else may have been worked on."""
    if isinstance(error, foreign.ModelHTTPError):
        return False
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout):
            return False
        cause = cause.__cause__
    return True

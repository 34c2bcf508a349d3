"""Inference behind the guard: endpoints in order, remembered answers, and who may see sensitive text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from lumbung.errors import CapabilityMissing, SettingsError
from lumbung.ports.breaker import Breaker
from lumbung.ports.inference import Answer, Prompt, RememberedAnswers
from lumbung.ports.ledger import Ledger, Purpose
from lumbung.providers.guard import Guard
from lumbung.providers.inference.endpoint import Endpoint
from lumbung.providers.inference.prices import Prices
from lumbung.providers.lane import Lane

if TYPE_CHECKING:
    from lumbung.providers.inference.wire import Wire

T = TypeVar("T", bound=BaseModel)
CAPABILITY = "inference"


async def never() -> bool:
    return False


@dataclass
class GuardedInference:
    """Endpoints in the order in which they are tried. `sensitive_to_hosted` reads the guardian's word."""

    endpoints: Sequence[Endpoint]
    ledger: Ledger
    breaker: Breaker
    remembered: RememberedAnswers
    sensitive_to_hosted: Callable[[], Awaitable[bool]] = never
    prices: Prices = field(default_factory=Prices)
    lanes: Mapping[str, Lane] = field(default_factory=dict)
    """Of stages that put many questions at once; one that works on few pages at a time needs none."""

    @property
    def has_stronger(self) -> bool:
        return any(endpoint.stronger_model for endpoint in self.endpoints)

    @property
    def providers(self) -> tuple[str, ...]:
        return tuple(endpoint.name for endpoint in self.endpoints)

    @cached_property
    def _wires(self) -> dict[str, Wire]:
        """Made at the first question: the models' libraries are large."""
        from lumbung.providers.inference.wire import Wire

        return {endpoint.name: Wire(endpoint) for endpoint in self.endpoints}

    def require_prices(self) -> None:
        for endpoint in self.endpoints:
            self.prices.require(endpoint)

    async def answer(
        self, prompt: Prompt, schema: type[T], stage: str, job: str, *, stronger: bool = False
    ) -> Answer[T]:
        allowed = await self._allowed(prompt)
        for endpoint in allowed:
            model = model_of(endpoint, stronger)
            held = await self._recall(prompt, schema, model)
            if held is not None:
                return Answer(held, endpoint.name, model, prompt.label, cached=True, asked=0)

        async def attempt(endpoint: Endpoint) -> Answer[T]:
            return await self._ask(endpoint, model_of(endpoint, stronger), prompt, schema, stage, job)

        lane = self.lanes.get(stage)
        # In line before the breaker is asked: its word is not kept while one waits.
        async with lane.place() if lane else nullcontext():
            answered = await Guard(CAPABILITY, self.breaker).call(allowed, attempt)
        key = cache_key(prompt, schema, answered.model)
        value = answered.value.model_dump(mode="json")
        await self.remembered.keep(key, answered.model, prompt.label, prompt.subject, value)
        return answered

    async def _ask(
        self, endpoint: Endpoint, model: str, prompt: Prompt, schema: type[T], stage: str, job: str
    ) -> Answer[T]:
        from lumbung.providers.inference.asking import Asking

        purpose = Purpose(stage, endpoint.name, model, job)
        wire = self._wires[endpoint.name]
        try:
            return await Asking(wire, self.ledger, self.prices, purpose, prompt, schema).run()
        except SettingsError as error:
            raise CapabilityMissing(str(error), CAPABILITY) from None

    async def _allowed(self, prompt: Prompt) -> list[Endpoint]:
        if not prompt.sensitive or await self.sensitive_to_hosted():
            return list(self.endpoints)
        own = [endpoint for endpoint in self.endpoints if not endpoint.hosted]
        if self.endpoints and not own:
            raise CapabilityMissing(
                "This text is sensitive and only hosted models are configured; a guardian may allow it.", CAPABILITY
            )
        return own

    async def _recall(self, prompt: Prompt, schema: type[T], model: str) -> T | None:
        held = await self.remembered.find(cache_key(prompt, schema, model))
        try:
            return None if held is None else schema.model_validate_json(to_json(held))
        except ValidationError:
            return None

    async def close(self) -> None:
        for wire in self.__dict__.get("_wires", {}).values():
            await wire.close()


def model_of(endpoint: Endpoint, stronger: bool) -> str:
    return endpoint.stronger_model if stronger and endpoint.stronger_model else endpoint.model


def cache_key(prompt: Prompt, schema: type[BaseModel], model: str) -> str:
    """Everything that makes an answer: model, prompt version, schema, instructions and content."""
    parts = [
        model,
        prompt.label,
        prompt.max_output_tokens,
        schema.model_json_schema(),
        prompt.instructions,
        prompt.content,
    ]
    return sha256(to_json(parts)).hexdigest()

"""A model endpoint over real HTTP on loopback: the OpenAI and the Anthropic protocol, scripted answers and faults.

Its answers come from a `Mind`, a function of what was asked; the usual one obeys whatever the page's text commands, as
far as the schema allows.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from aiohttp import web

from lumbung.demo.obedience import obey

ENORMOUS_BYTES = 64_000_000
PIECE = b"x" * 65536


class Fault(StrEnum):
    RATE_LIMIT = "rate-limit"
    RATE_LIMIT_AFTER = "rate-limit-after"
    SERVER_ERROR = "server-error"
    SLOW = "slow"
    CUT_OFF = "cut-off"
    MALFORMED = "malformed"
    REFUSAL = "refusal"
    WRONG_SCHEMA = "wrong-schema"
    ENORMOUS = "enormous"
    TRUNCATED = "truncated"
    BAD_KEY = "bad-key"
    ECHO_KEY = "echo-key"
    REJECT_FORM = "reject-form"
    NO_PROTOCOL = "no-protocol"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as the server understood it."""

    protocol: str
    model: str
    system: str
    user: str
    schema: dict[str, Any]
    turns: int
    headers: dict[str, str] = field(repr=False)
    body: dict[str, Any] = field(repr=False)


Mind = Callable[[Asked], Any]
"""Gives the answer's data; a string is sent as it is."""


@dataclass
class ProtocolServer:
    """`faults` are used up one a request; `fault` holds for every request while it is set."""

    mind: Mind = obey
    port: int = 0
    fault: Fault | None = None
    faults: deque[Fault | None] = field(default_factory=deque)
    retry_after: str = "7"
    slow_seconds: float = 30.0
    latency_seconds: float = 0.0
    asked: list[Asked] = field(default_factory=list)
    requests: int = 0
    _runner: web.AppRunner | None = None

    async def start(self) -> str:
        """Listens, and gives the base URL for the OpenAI protocol."""
        application = web.Application(client_max_size=64 * 1024 * 1024)
        application.router.add_post("/v1/chat/completions", self._openai)
        application.router.add_post("/v1/messages", self._anthropic)
        application.router.add_get("/v1/models", self._models)
        self._runner = web.AppRunner(application, access_log=None, handler_cancellation=True)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port, shutdown_timeout=0.2)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def anthropic_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def _models(self, _: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "lumbung-demo", "object": "model"}]})

    async def _openai(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        return await self._answer(request, understood_openai(body, dict(request.headers)), openai_reply)

    async def _anthropic(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        return await self._answer(request, understood_anthropic(body, dict(request.headers)), anthropic_reply)

    async def _answer(self, request: web.Request, asked: Asked, shape: Shape) -> web.StreamResponse:
        self.requests += 1
        self.asked.append(asked)
        fault = self.faults.popleft() if self.faults else self.fault
        if self.latency_seconds:
            await asyncio.sleep(self.latency_seconds)
        if fault in STATUSES:
            return self._refused(fault, asked)
        if fault is Fault.SLOW:
            await asyncio.sleep(self.slow_seconds)
        if fault in {Fault.CUT_OFF, Fault.ENORMOUS}:
            return await broken_stream(request, fault)
        if fault is Fault.NO_PROTOCOL:
            return web.Response(text="<html>a page of some proxy</html>", content_type="text/html")
        if fault is Fault.REJECT_FORM and ("response_format" in asked.body and asked.schema):
            return web.json_response({"error": {"message": "response_format is not supported"}}, status=400)
        data = self.mind(asked)
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        text = (
            {Fault.MALFORMED: text[:-2] + ",,", Fault.WRONG_SCHEMA: '{"something": ["else"]}'}.get(fault, text)
            if fault
            else text
        )
        return web.json_response(shape(asked, text, fault))

    def _refused(self, fault: Fault, asked: Asked) -> web.Response:
        headers = {"Retry-After": self.retry_after} if fault is Fault.RATE_LIMIT_AFTER else {}
        key = asked.headers.get("Authorization") or asked.headers.get("x-api-key", "")
        message = f"your headers were: {key}" if fault is Fault.ECHO_KEY else fault.value
        error = {"type": "error", "error": {"type": fault.value, "message": message, "code": fault.value}}
        return web.json_response(error, status=STATUSES[fault], headers=headers)


STATUSES = {
    Fault.RATE_LIMIT: 429,
    Fault.RATE_LIMIT_AFTER: 429,
    Fault.SERVER_ERROR: 500,
    Fault.BAD_KEY: 401,
    Fault.ECHO_KEY: 500,
}
Shape = Callable[[Asked, str, Fault | None], dict[str, Any]]


async def broken_stream(request: web.Request, fault: Fault) -> web.StreamResponse:
    """An answer that ends too early, or hardly at all."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.content_length = ENORMOUS_BYTES
    await response.prepare(request)
    await response.write(b'{"id": "')
    if fault is Fault.ENORMOUS:
        for _ in range(ENORMOUS_BYTES // len(PIECE)):
            await response.write(PIECE)
    if request.transport is not None:
        request.transport.close()
    return response


def texts_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or [] if isinstance(part, dict))


def joined(messages: Iterable[dict[str, Any]], roles: set[str]) -> str:
    return "\n".join(texts_of(message.get("content")) for message in messages if message.get("role") in roles)


def understood_openai(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    messages = body["messages"]
    system = joined(messages, {"system", "developer"})
    asked_form = body.get("response_format", {}).get("json_schema", {}).get("schema")
    tools = body.get("tools") or [{}]
    schema = asked_form or tools[0].get("function", {}).get("parameters") or schema_in(system)
    users = [message for message in messages if message.get("role") == "user"]
    return Asked("openai", body["model"], system, joined(users, {"user"}), schema, len(users), headers, body)


def understood_anthropic(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    messages = body["messages"]
    tools = body.get("tools") or [{}]
    system = texts_of(body.get("system", ""))
    schema = tools[0].get("input_schema") or schema_in(system)
    users = [message for message in messages if message.get("role") == "user"]
    return Asked("anthropic", body["model"], system, joined(users, {"user"}), schema, len(users), headers, body)


def schema_in(text: str) -> dict[str, Any]:
    """A schema that was written into the instructions."""
    decoder = json.JSONDecoder()
    for place, letter in enumerate(text):
        if letter == "{":
            try:
                found, _ = decoder.raw_decode(text, place)
            except ValueError:
                continue
            if isinstance(found, dict) and "properties" in found:
                return found
    return {}


def tokens(text: str) -> int:
    return len(text.encode()) // 4 + 1


def openai_reply(asked: Asked, text: str, fault: Fault | None) -> dict[str, Any]:
    refused = fault is Fault.REFUSAL
    message: dict[str, Any] = {
        "role": "assistant",
        "content": None if refused else text,
        "refusal": "No." if refused else None,
    }
    if asked.body.get("tools") and not refused:
        call = {
            "id": "call_1",
            "type": "function",
            "function": {"name": asked.body["tools"][0]["function"]["name"], "arguments": text},
        }
        message |= {"content": None, "tool_calls": [call]}
    usage = {"prompt_tokens": tokens(asked.system + asked.user), "completion_tokens": tokens(text)}
    return {
        "id": "chatcmpl-demo",
        "object": "chat.completion",
        "created": 1,
        "model": asked.model,
        "choices": [
            {"index": 0, "message": message, "finish_reason": "length" if fault is Fault.TRUNCATED else "stop"}
        ],
        "usage": usage | {"total_tokens": sum(usage.values())},
    }


def anthropic_reply(asked: Asked, text: str, fault: Fault | None) -> dict[str, Any]:
    content: dict[str, Any] = {"type": "text", "text": text}
    if asked.body.get("tools"):
        content = {"type": "tool_use", "id": "toolu_1", "name": asked.body["tools"][0]["name"], "input": loose(text)}
    reason = "tool_use" if asked.body.get("tools") else "end_turn"
    if fault is Fault.REFUSAL:
        content, reason = {"type": "text", "text": "I cannot help with that."}, "refusal"
    return {
        "id": "msg_demo",
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": [content],
        "stop_reason": "max_tokens" if fault is Fault.TRUNCATED else reason,
        "stop_sequence": None,
        "usage": {"input_tokens": tokens(asked.system + asked.user), "output_tokens": tokens(text)},
    }


def loose(text: str) -> Any:
    """A tool's input is an object on this wire; text that is none becomes an answer that does not fit."""
    try:
        found = json.loads(text)
    except ValueError:
        return {"unparsed": text}
    return found if isinstance(found, dict) else {"unparsed": text}


async def serve(port: int, fault: Fault | None) -> None:
    server = ProtocolServer(port=port, fault=fault)
    print(await server.start(), flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        await server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve a model endpoint that obeys the page; prints its base URL.")
    parser.add_argument("--port", type=int, default=0, help="0 lets the system choose")
    parser.add_argument("--fault", type=Fault, choices=list(Fault), default=None, help="fail every request like this")
    options = parser.parse_args()
    try:
        asyncio.run(serve(options.port, options.fault))
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()

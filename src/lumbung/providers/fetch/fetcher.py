"""One fetch: guarded, bounded in every direction, and never an exception of somebody else's."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import aiohttp
from aiohttp.streams import StreamReader

from lumbung.errors import RefusedError
from lumbung.providers.fetch.addresses import AddressGuard
from lumbung.providers.fetch.failures import failure_of
from lumbung.providers.fetch.limits import FetchLimits, Reason, Verdict
from lumbung.providers.fetch.resolver import GuardedResolver, Names, NotAdmitted, Overrides
from lumbung.providers.fetch.result import FetchResult, header_text
from lumbung.providers.fetch.transport import Answer, Transport
from lumbung.text.packing import Flaw, unpack
from lumbung.text.url import ParsedUrl, parse, usv_string

MayFollow = Callable[[str], Awaitable[str | None]]
"""Asked before each redirect: None to go on, or why not."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_CLOSERS = 10_000
_FLAWS = {
    Flaw.UNREADABLE: Reason.BAD_ENCODING,
    Flaw.BOMB: Reason.BOMB,
    Flaw.CUT: Reason.CONTENT_CUT,
    Flaw.INCOMPLETE: Reason.INCOMPLETE,
}


class StoppedError(Exception):
    """A limit of ours ended the exchange."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


@dataclass(slots=True)
class _Body:
    data: bytes
    reason: Reason | None = None


class Fetcher:
    """Fetches many pages over one pool of connections, without bound unless told.

    Politeness, robots and the number of hosts asked at once are the caller's.
    """

    def __init__(
        self,
        user_agent: str,
        guard: AddressGuard,
        limits: FetchLimits | None = None,
        resolve: Overrides | None = None,
        *,
        ask_public: bool = True,
        names: Names | None = None,
        tls: ssl.SSLContext | None = None,
        max_connections: int = 0,
    ) -> None:
        self._user_agent = user_agent
        self._guard = guard
        self._limits = limits or FetchLimits()
        self._ask_public = ask_public
        self._resolver = GuardedResolver(guard, resolve, names, self._limits.name_seconds)
        self._tls = tls
        self._max_connections = max_connections
        self._transport: Transport | None = None
        self._closers: set[str] = set()
        """Hosts that hung up instead of answering: their connections are used once, lest the next request be lost too."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        if self._transport is not None:
            await self._transport.close()
            self._transport = None
        await self._resolver.close()

    async def fetch(
        self, url: str, *, may_follow: MayFollow | None = None, max_redirects: int | None = None
    ) -> FetchResult:
        """With `max_redirects=0` a redirect is a result like any other, its target in `location`."""
        started = time.monotonic()
        allowed = self._limits.redirects if max_redirects is None else max_redirects
        try:
            parsed = parse(url)
        except RefusedError as error:
            return FetchResult(url, Verdict.REFUSED, Reason.BAD_URL, str(error), started=started, ended=started)
        hops: list[tuple[int, str]] = []
        seen = {parsed.request_url}
        while True:
            result = await self._hop(parsed)
            result.url, result.redirects, result.started = url, tuple(hops), started
            if result.location is None or allowed == 0:
                return result
            stop = await self._reason_to_stop(result.location, seen, len(hops) >= allowed, may_follow)
            if stop is not None:
                return result.ending(*stop)
            hops.append((result.status or 0, result.location))
            seen.add(result.location)
            parsed = parse(result.location)

    async def _reason_to_stop(
        self, location: str, seen: set[str], is_over: bool, may_follow: MayFollow | None
    ) -> tuple[Verdict, Reason, str] | None:
        if location in seen:
            return Verdict.FAILED, Reason.REDIRECT_LOOP, location
        if is_over:
            return Verdict.FAILED, Reason.TOO_MANY_REDIRECTS, location
        if may_follow is not None:
            why_not = await may_follow(location)
            if why_not is not None:
                return Verdict.REFUSED, Reason.REDIRECT_REFUSED, f"{why_not} ({location})"
        return None

    async def admit(self, url: str) -> FetchResult | None:
        """The end of this fetch if it may not even begin; resolves the name, connects to nothing."""
        try:
            await self._admit(parse(url))
        except NotAdmitted as stop:
            return FetchResult(url, stop.verdict, stop.why, stop.detail, final_url=url)
        except RefusedError as error:
            return FetchResult(url, Verdict.REFUSED, Reason.BAD_URL, str(error))
        return None

    async def _admit(self, url: ParsedUrl) -> None:
        endpoints = await self._resolver.admit(url)
        if not self._ask_public and not all(self._guard.is_listed(endpoint.address) for endpoint in endpoints):
            detail = "public hosts are asked only once a contact address is set (LUMBUNG_CONTACT)"
            raise NotAdmitted(Verdict.REFUSED, Reason.NO_CONTACT, detail)

    async def _hop(self, url: ParsedUrl) -> FetchResult:
        """One request and its answer, ended in every case."""
        target = url.request_url
        try:
            await self._admit(url)
            result = await self._exchange(url, target)
        except NotAdmitted as stop:
            result = FetchResult(target, stop.verdict, stop.why, stop.detail, final_url=target)
        except StoppedError as stop:
            result = FetchResult(target, Verdict.FAILED, stop.reason, stop.detail, final_url=target)
        except Exception as error:  # noqa: BLE001 - the border: nothing foreign passes
            result = FetchResult(target, *failure_of(error), final_url=target)
            if result.reason is Reason.DISCONNECTED:
                self._note_closer(url.host)
        result.ended = time.monotonic()
        return result

    def _note_closer(self, host: str) -> None:
        if len(self._closers) >= _MOST_CLOSERS:
            self._closers.clear()
        self._closers.add(host.strip("[]"))

    async def _exchange(self, url: ParsedUrl, target: str) -> FetchResult:
        if self._transport is None:
            self._transport = Transport(
                self._user_agent,
                self._guard,
                self._resolver,
                self._limits,
                self._tls,
                self._max_connections,
                self._closers,
            )
        limits = self._limits
        loop = asyncio.get_running_loop()
        began = loop.time()
        phase = Reason.RESPONSE_TIMEOUT
        answer: Answer | None = None
        try:
            async with asyncio.timeout_at(began + limits.response_seconds) as clock:
                answer = await self._transport.ask(url)
                self._check_peer(answer.peer_address)
                location = _location(answer, url)
                phase = Reason.STALLED
                # The text of a redirect is never shown to anybody: the connection is worth more than the bytes.
                body = _Body(b"") if location else await _read_body(answer.stream, limits, clock, began)
        except TimeoutError as error:
            if isinstance(error, aiohttp.ClientError):
                raise
            is_total = loop.time() - began >= limits.total_seconds
            raise StoppedError(Reason.TOTAL_TIMEOUT if is_total else phase) from error
        finally:
            if answer is not None:
                answer.let_go()
        return _result_of(answer, target, body, location, limits)

    def _check_peer(self, peer: str | None) -> None:
        why = self._guard.refusal(peer) if peer is not None else "unknown-peer"
        if why is not None:
            raise NotAdmitted(Verdict.REFUSED, Reason.ADDRESS, f"{why} (connected to {peer})")


async def _read_body(stream: StreamReader, limits: FetchLimits, clock: asyncio.Timeout, began: float) -> _Body:
    """The body as sent, up to the cap; every piece moves the clock on, every slow one is weighed."""
    loop = asyncio.get_running_loop()
    reading_since = loop.time()
    end = began + limits.total_seconds
    pieces: list[bytes] = []
    size = 0
    while not stream.at_eof():
        now = loop.time()
        if now - reading_since > limits.grace_seconds and size < limits.min_bytes_per_second * (now - reading_since):
            raise StoppedError(Reason.TOO_SLOW, f"{size} bytes in {now - reading_since:.0f} s")
        if not stream.is_eof():
            clock.reschedule(min(end, now + limits.stall_seconds))
        piece = await stream.readany()
        size += len(piece)
        pieces.append(piece)
        if size > limits.body_bytes:
            return _Body(b"".join(pieces)[: limits.body_bytes], Reason.BODY_CUT)
    return _Body(pieces[0] if len(pieces) == 1 else b"".join(pieces))


def _location(answer: Answer, url: ParsedUrl) -> str | None:
    if answer.message.code not in _REDIRECTS:
        return None
    raw = next((value for key, value in answer.message.raw_headers if key.lower() == b"location"), None)
    if raw is None:
        return None
    try:
        return parse(header_text(raw), url.href).request_url
    except RefusedError as error:
        raise StoppedError(Reason.BAD_REDIRECT, str(error)) from error


def _result_of(answer: Answer, target: str, body: _Body, location: str | None, limits: FetchLimits) -> FetchResult:
    message = answer.message
    encoding = message.headers.get("Content-Encoding")
    content, reason = body.data, body.reason
    if encoding and body.data:
        unpacked = unpack(body.data, encoding, limits.unpacking)
        content = unpacked.content
        flaw = _FLAWS[unpacked.flaw] if unpacked.flaw else None
        # A cut body ends in the middle of its encoding: that it is incomplete is no news.
        reason = flaw if flaw not in {None, Reason.INCOMPLETE} else reason or flaw
    is_lost = reason in {Reason.BOMB, Reason.BAD_ENCODING}
    content_type = message.headers.get("Content-Type")
    return FetchResult(
        url=target,
        final_url=target,
        verdict=Verdict.FAILED if is_lost else Verdict.FETCHED,
        reason=reason,
        status=message.code,
        status_phrase=message.reason.encode("utf-8", "surrogateescape").decode("latin-1"),
        http_version=f"{message.version.major}.{message.version.minor}",
        headers=message.raw_headers,
        request_headers=answer.request_headers,
        body=body.data,
        content=content,
        content_type=None if content_type is None else usv_string(content_type),
        location=location,
        remote_address=answer.peer_address,
    )

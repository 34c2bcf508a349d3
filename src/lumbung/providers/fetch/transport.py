"""The HTTP client underneath: guarded at the socket, never retrying, remembering whom it spoke to.

Connections, TLS and the reading of answers are aiohttp's. Its session is left out: it would take every address apart
once more, build a request and a response of many parts for each page, and ask again where a server hung up, which a
host with a delay must never see.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import AddrInfoType, Connection
from aiohttp.http import HttpProcessingError, RawResponseMessage
from aiohttp.streams import StreamReader
from aiohttp.tracing import Trace
from yarl import URL

from lumbung.providers.fetch.addresses import AddressGuard
from lumbung.providers.fetch.limits import FetchLimits
from lumbung.providers.fetch.resolver import GuardedResolver
from lumbung.providers.fetch.result import RawHeaders
from lumbung.text.url import ParsedUrl

KEEPALIVE_SECONDS = 2.0
"""Shorter than any server's own limit, so that a request is never lost on a connection about to be closed."""
KEPT_DOORS = 4_096
MOST_INTERIM = 20
"""Answers before the answer (100 Continue, 103 Early Hints): servers send one or two."""
_ACCEPTED = {
    "Accept": "text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,application/xml;q=0.8,*/*;q=.1",
    "Accept-Language": "id,jv,su,ms,en;q=0.8,nl;q=0.7,*;q=0.5",
    "Accept-Encoding": "gzip, br",
}


class AddressRefusedError(OSError):
    """The last check before a connection: it holds even if every earlier one were wrong."""


class DroppedError(aiohttp.ClientError):
    """The server closed the connection instead of answering."""


@dataclass(frozen=True, slots=True)
class _Door:
    """What all requests to one origin have in common."""

    request: aiohttp.ClientRequest
    headers: RawHeaders
    after_target: bytes
    """The request from behind its target on."""


@dataclass(slots=True)
class Answer:
    """The head of a response; its body is still to come."""

    message: RawResponseMessage
    stream: StreamReader
    peer_address: str | None
    request_headers: RawHeaders
    connection: Connection

    def let_go(self) -> None:
        """Back to the pool when it was read to its end, closed at once otherwise."""
        if self.stream.at_eof():
            self.connection.release()
        else:
            self.connection.close()


class _Reader(ResponseHandler):
    """aiohttp's, which reads on after every piece as after a pause, and takes in no more than an answer may be long.

    What frames a body is part of that: a server can send it without end and never a byte of a page.
    """

    bytes_left = 0

    def data_received(self, data: bytes) -> None:
        self.bytes_left -= len(data)
        if self.bytes_left >= 0 or self._parser is None:
            super().data_received(data)
            return
        flood = HttpProcessingError(message="its frame is longer than any page")
        self.set_exception(flood)
        if self._payload is not None:
            self._payload.set_exception(flood)
        if self.transport is not None:
            self.transport.abort()

    def resume_reading(self, resume_parser: bool = True) -> None:
        if self._reading_paused:
            super().resume_reading(resume_parser)


class CleanConnector(aiohttp.TCPConnector):
    """Keeps connections, but none of `closers`, and none on which something came that nobody had asked for: the next
    page would be given it.
    """

    def __init__(self, closers: Collection[str], **options: Any) -> None:
        super().__init__(**options)
        self._factory = partial(_Reader, loop=asyncio.get_running_loop())  # type: ignore[assignment]
        self._closers = closers

    async def connect(
        self, req: aiohttp.ClientRequest, traces: list[Trace], timeout: aiohttp.ClientTimeout
    ) -> Connection:
        connection = await super().connect(req, traces, timeout)
        if connection.protocol is not None and connection.protocol.should_close:
            connection.close()
            connection = await super().connect(req, traces, timeout)
        if connection.protocol is not None and req.url.raw_host in self._closers:
            connection.protocol.force_close()
        return connection


class Transport:
    """Asks over one pool of connections, without cookies."""

    def __init__(
        self,
        user_agent: str,
        guard: AddressGuard,
        resolver: GuardedResolver,
        limits: FetchLimits,
        tls: ssl.SSLContext | None,
        max_connections: int,
        closers: Collection[str],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._headers = {"User-Agent": user_agent, **_ACCEPTED}
        self._limits = limits
        self._timeout = aiohttp.ClientTimeout(total=None, sock_connect=limits.connect_seconds)
        self._connector = CleanConnector(
            closers,
            resolver=resolver,
            use_dns_cache=False,
            socket_factory=guarded_sockets(guard),
            limit=max_connections,
            keepalive_timeout=KEEPALIVE_SECONDS,
            ssl=tls if tls is not None else True,
        )
        self._door = lru_cache(maxsize=KEPT_DOORS)(self._opened_door)

    async def close(self) -> None:
        await self._connector.close()

    async def ask(self, url: ParsedUrl) -> Answer:
        """One request; whoever gets the answer lets it go."""
        door = self._door(url.origin)
        try:
            connection = await self._connector.connect(door.request, [], self._timeout)
        except TimeoutError as error:
            raise aiohttp.ConnectionTimeoutError(f"no connection to {url.origin}") from error
        try:
            protocol, transport = connection.protocol, connection.transport
            if protocol is None or transport is None or transport.is_closing():
                raise DroppedError
            peer = transport.get_extra_info("peername")
            self._prepare(protocol)
            transport.write(b"GET " + url.target.encode("ascii") + door.after_target)
            message, stream = await _read_head(protocol)
        except BaseException:
            connection.close()
            raise
        return Answer(message, stream, peer[0] if peer else None, door.headers, connection)

    def _opened_door(self, origin: str) -> _Door:
        request = aiohttp.ClientRequest("GET", URL(origin, encoded=True), headers=self._headers, loop=self._loop)
        headers = tuple((name.encode(), value.encode()) for name, value in request.headers.items())
        lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
        return _Door(request, headers, b" HTTP/1.1\r\n" + lines + b"\r\n")

    def _prepare(self, protocol: ResponseHandler) -> None:
        limits = self._limits
        assert isinstance(protocol, _Reader)
        protocol.bytes_left = limits.body_bytes + limits.frame_bytes
        protocol.set_response_params(
            read_until_eof=True,
            auto_decompress=False,
            max_line_size=limits.header_field_bytes,
            max_field_size=limits.header_field_bytes,
            max_headers=limits.header_fields,
        )


async def _read_head(protocol: ResponseHandler) -> tuple[RawResponseMessage, StreamReader]:
    """Of the answer itself: what a server says before it is passed over."""
    try:
        for _ in range(MOST_INTERIM + 1):
            message, stream = await protocol.read()
            if not 100 <= message.code <= 199 or message.code == 101:
                return message, stream
        raise HttpProcessingError(message="it only ever announces an answer")
    except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError) as error:
        raise DroppedError(str(error)) from error


def guarded_sockets(guard: AddressGuard) -> Callable[[AddrInfoType], socket.socket]:
    def open_socket(info: AddrInfoType) -> socket.socket:
        family, kind, protocol, _, address = info
        why = guard.refusal(str(address[0]))
        if why is not None:
            raise AddressRefusedError(errno.EACCES, f"{why} ({address[0]})")
        opened = socket.socket(family=family, type=kind, proto=protocol)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return opened

    return open_socket

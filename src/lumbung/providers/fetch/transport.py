"""The HTTP client underneath: guarded at the socket, never retrying, remembering whom it spoke to."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Callable, Collection
from typing import Any

import aiohttp
from aiohttp.connector import AddrInfoType, Connection
from aiohttp.tracing import Trace

from lumbung.providers.fetch.addresses import AddressGuard
from lumbung.providers.fetch.limits import FetchLimits
from lumbung.providers.fetch.resolver import GuardedResolver

KEEPALIVE_SECONDS = 2.0
"""Shorter than any server's own limit, so that a request is never lost on a connection about to be closed."""


class AddressRefusedError(OSError):
    """The last check before a connection: it holds even if every earlier one were wrong."""


class DroppedError(aiohttp.ClientError):
    """The server closed the connection instead of answering.

    The client would ask again at once, which a host with a delay must never see.
    """


class PeerResponse(aiohttp.ClientResponse):
    """Keeps the address of the peer; after a short answer the connection is gone."""

    peer_address: str | None = None

    async def start(self, connection: Any) -> aiohttp.ClientResponse:
        transport = connection.transport
        peer = transport.get_extra_info("peername") if transport is not None else None
        self.peer_address = peer[0] if peer else None
        try:
            return await super().start(connection)
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError) as error:
            raise DroppedError(str(error)) from error


class CleanConnector(aiohttp.TCPConnector):
    """Keeps connections, but none of `closers`, and none on which something came that nobody had asked for: the next
    page would be given it.
    """

    def __init__(self, closers: Collection[str], **options: Any) -> None:
        super().__init__(**options)
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


def open_session(
    user_agent: str,
    guard: AddressGuard,
    resolver: GuardedResolver,
    limits: FetchLimits,
    tls: ssl.SSLContext | None,
    max_connections: int,
    closers: Collection[str],
) -> aiohttp.ClientSession:
    connector = CleanConnector(
        closers,
        resolver=resolver,
        use_dns_cache=False,
        socket_factory=guarded_sockets(guard),
        limit=max_connections,
        keepalive_timeout=KEEPALIVE_SECONDS,
        ssl=tls if tls is not None else True,
    )
    return aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        headers={
            "User-Agent": user_agent,
            "Accept": "text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,application/xml;q=0.8,*/*;q=.1",
            "Accept-Language": "id,jv,su,ms,en;q=0.8,nl;q=0.7,*;q=0.5",
            "Accept-Encoding": "gzip, br",
        },
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=limits.connect_seconds),
        auto_decompress=False,
        trust_env=False,
        response_class=PeerResponse,
        max_line_size=limits.header_field_bytes,
        max_field_size=limits.header_field_bytes,
        max_headers=limits.header_fields,
    )

"""Web servers on loopback that do exactly what a test says, byte by byte."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

Handler = Callable[[str, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Server:
    port: int
    requests: list[tuple[float, str]] = field(default_factory=list)
    """When each request arrived and its head."""

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def paths(self) -> list[str]:
        return [head.split(" ", 2)[1] for _, head in self.requests]


Serve = Callable[[Handler], Awaitable[Server]]


def answer(body: bytes = b"halo", status: str = "200 OK", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", *headers]
    if not any(header.lower().startswith(("content-length", "transfer-encoding")) for header in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def fixed(content: bytes) -> Handler:
    async def handle(_: str, writer: asyncio.StreamWriter) -> None:
        writer.write(content)

    return handle


@asynccontextmanager
async def local_servers() -> AsyncIterator[Serve]:
    servers: list[asyncio.Server] = []
    open_tasks: set[asyncio.Task[None]] = set()

    async def start(handler: Handler) -> Server:
        async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            if task is not None:
                open_tasks.add(task)
            with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
                while not writer.is_closing():
                    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                    running.requests.append((time.monotonic(), head))
                    await handler(head.split(" ", 2)[1], writer)
                    await writer.drain()
            writer.close()

        server = await asyncio.start_server(connection, "127.0.0.1", 0)
        servers.append(server)
        running = Server(server.sockets[0].getsockname()[1])
        return running

    yield start
    for task in open_tasks:
        task.cancel()
    for server in servers:
        server.close()

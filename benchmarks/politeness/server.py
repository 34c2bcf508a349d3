"""A site of many hosts whose every page leads on, which takes its time to answer and writes down who asked when."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Self


class SlowSite:
    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)  # noqa: S311 - service times, not secrets
        self.log: dict[str, list[tuple[float, float]]] = {}
        """By host: when each request was read and when its answer went out."""
        self.port = 0
        self._writers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1000)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while True:
                lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                begun = time.monotonic()
                host = next(line[5:].strip() for line in lines if line.lower().startswith("host:")).partition(":")[0]
                await asyncio.sleep(self._draw.uniform(0.02, 0.6))
                answer = self._answer(host, lines[0].split(" ")[1])
                # Written down first: a busy machine may let the other side read the answer before this one goes on.
                self.log.setdefault(host, []).append((begun, time.monotonic()))
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    def _answer(self, host: str, path: str) -> bytes:
        """A page leads to ten new ones, so that no host runs dry within the depth bound; none is a mirror of another."""
        status, body = "404 Not Found", b""
        if path.startswith("/p") and path[2:].isdigit():
            number = int(path[2:])
            status = "200 OK"
            links = "".join(f'<a href="/p{10 * number + step}">tari {step}</a> ' for step in range(1, 11))
            body = f"<html><title>Tari {number} {host}</title><p>Tari adalah tarian tradisional dari Jawa. {links}</p></html>".encode()
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
        return head.encode() + body

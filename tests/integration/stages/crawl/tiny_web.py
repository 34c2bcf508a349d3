"""A server for the tests of the crawl: many virtual hosts, scripted answers, and its own log of who asked when."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Self


@dataclass
class Asked:
    host: str
    path: str
    started: float
    ended: float = 0.0


@dataclass
class Answer:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    drip: bool = False


def page(title: str, *links: str, text: str = "") -> Answer:
    anchors = "".join(f'<p><a href="{link}">{link}</a></p>' for link in links)
    words = text or (
        f"{title} adalah tarian tradisional dari Jawa Barat yang dibawakan penari dengan iringan gamelan pada upacara "
        "adat. Tarian ini berasal dari masyarakat Sunda dan dipentaskan di desa-desa pada pesta panen padi."
    )
    return Answer(
        f"<html lang='id'><head><title>{title}</title></head><body><main><h1>{title}</h1><p>{words}</p>{anchors}"
        "</main></body></html>".encode(),
        headers={"Content-Type": "text/html; charset=utf-8"},
    )


class TinyWeb:
    def __init__(self, seed: int = 1) -> None:
        self.answers: dict[tuple[str, str], Answer] = {}
        self.log: list[Asked] = []
        self.service_seconds = 0.0
        self.endless = False
        """Every path has a page that leads on."""
        self._random = random.Random(seed)
        self.port = 0

    def add(self, url: str, answer: Answer) -> None:
        host, _, path = url.removeprefix("http://").partition("/")
        self.answers[host, "/" + path] = answer

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    def paths(self, host: str) -> list[str]:
        return [asked.path for asked in self.log if asked.host == host]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                await self._answer(head.decode("latin-1").split("\r\n"), writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer(self, lines: list[str], writer: asyncio.StreamWriter) -> None:
        path = lines[0].split(" ")[1]
        host = next(line[6:] for line in lines if line.lower().startswith("host: ")).partition(":")[0]
        asked = Asked(host, path, time.monotonic())
        self.log.append(asked)
        try:
            await self._send(writer, self.answers.get((host, path)) or self._default(host, path), asked)
        finally:
            asked.ended = asked.ended or time.monotonic()  # also when the asking process was killed

    async def _send(self, writer: asyncio.StreamWriter, answer: Answer, asked: Asked) -> None:
        """The end is noted before the last bytes go: whoever has them may be quicker than this process's next step."""
        await asyncio.sleep(answer.seconds + self._random.random() * self.service_seconds)
        headers = "".join(f"{name}: {value}\r\n" for name, value in answer.headers.items())
        writer.write(f"HTTP/1.1 {answer.status} X\r\n{headers}Content-Length: {len(answer.body)}\r\n\r\n".encode())
        if answer.drip:
            for byte in answer.body:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.5)
        else:
            asked.ended = time.monotonic()
            writer.write(answer.body)
        await writer.drain()

    def _default(self, host: str, path: str) -> Answer:
        if self.endless and path.startswith("/p"):
            number = int(path[2:] or 0)
            return page(f"Tari {host} {number}", f"/p{number + 1}", f"/p{number + 2}")
        return Answer(b"tidak ada", 404)

"""Serves every host of the demo world on loopback, told apart by the Host header, and remembers each request."""

from __future__ import annotations

import argparse
import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiohttp import web

from lumbung.demo.answers import Answer, answer_for
from lumbung.demo.hosts import hosts_lines
from lumbung.demo.oddities import ODDITIES
from lumbung.demo.pages import load_world

if TYPE_CHECKING:
    from lumbung.demo.pages import Site


@dataclass(slots=True)
class RequestRecord:
    """One request as the server saw it; times are seconds of the monotonic clock."""

    host: str
    path: str
    agent: str
    started: float
    ended: float | None = None
    status: int = 0


class DemoWorld:
    """The miniature web. `addresses` above one spreads the hosts over 127.0.0.1, 127.0.0.2 ... (Linux)."""

    def __init__(self, port: int = 0, addresses: int = 1) -> None:
        self.sites: dict[str, Site] = load_world()
        self.requests: list[RequestRecord] = []
        self.port = port
        self.addresses = [f"127.0.0.{number + 1}" for number in range(addresses)]
        self._runner: web.AppRunner | None = None

    async def start(self) -> str:
        """Listens, and says where: `address:port`."""
        application = web.Application()
        application.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(application, access_log=None, handler_cancellation=True)
        await self._runner.setup()
        for address in self.addresses:
            site = web.TCPSite(self._runner, address, self.port, shutdown_timeout=0.5)
            await site.start()
            self.port = self._runner.addresses[0][1]
        return f"{self.addresses[0]}:{self.port}"

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    def hosts_lines(self) -> list[str]:
        return hosts_lines(self.sites, self.addresses, self.port)

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        host = request.headers.get("Host", "").partition(":")[0].lower().rstrip(".")
        agent = request.headers.get("User-Agent", "")
        record = RequestRecord(host, request.path_qs, agent, time.monotonic())
        self.requests.append(record)
        try:
            response = await self._respond(host, request)
            record.status = response.status
            if not response.prepared:
                await response.prepare(request)
            await response.write_eof()
        finally:
            record.ended = time.monotonic()
        return response

    async def _respond(self, host: str, request: web.Request) -> web.StreamResponse:
        site = self.sites.get(host)
        if site is None:
            return web.Response(status=421, text="Host ini tidak ada di dunia demo.\n")
        answer = answer_for(site, request.path, dict(request.query))
        if answer.delay_seconds:
            await asyncio.sleep(answer.delay_seconds)
        if answer.oddity:
            return await ODDITIES[answer.oddity](request)
        return _response(answer)


def _response(answer: Answer) -> web.Response:
    headers = {"Content-Type": answer.content_type, **answer.headers}
    return web.Response(status=answer.status, body=answer.body, headers=headers)


async def _serve(port: int, addresses: int) -> None:
    world = DemoWorld(port, addresses)
    await world.start()
    print("\n".join(world.hosts_lines()), flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        await world.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve the demo world; prints the lines of a --hosts file.")
    parser.add_argument("--port", type=int, default=0, help="0 lets the system choose")
    parser.add_argument("--addresses", type=int, default=1, help="spread the hosts over so many loopback addresses")
    options = parser.parse_args()
    try:
        asyncio.run(_serve(options.port, options.addresses))
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()

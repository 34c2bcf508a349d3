"""The web server in this process: a socket of its own, so that the port is known before the first request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import uvicorn

from lumbung.bootstrap import System
from lumbung.web.app import create_app
from lumbung.web.sockets import listening_socket


class QuietServer(uvicorn.Server):
    """Signals are the program's, which stops all its parts together; at rest it wakes once a second, not ten times."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.stopping = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def main_loop(self) -> None:
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), 1.0)

    def stop(self) -> None:
        self.should_exit = True
        self.stopping.set()


@asynccontextmanager
async def web_server(system: System) -> AsyncIterator[str]:
    """Serve until the block ends; yields the address to open."""
    web = system.settings.web
    listening = listening_socket(web.host, web.port)
    app = create_app(system)
    app.state.figures.holdings.begin()  # a large library takes a while, which the first reader should not wait for
    config = uvicorn.Config(
        app,
        log_level="warning",
        lifespan="off",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    server = QuietServer(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield f"http://{web.host}:{listening.getsockname()[1]}/"
    finally:
        server.stop()
        await serving

"""The processes of the funnel as `lumbung up` starts them; started again whenever they end, with the next failpoint."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from lumbung.runtime.failpoints import EXIT_CODE

RESTART_SECONDS = 0.1
SETTINGS = {"LUMBUNG_CRAWL__REQUESTS_AT_ONCE": "2", "LUMBUNG_LOG_LEVEL": "info"}


class Part:
    """One process; `armed` is the failpoint it will die at, if any."""

    def __init__(self, name: str, arguments: list[str], folder: Path, at_failpoint: Callable[[str, str], None]) -> None:
        self.name = name
        self._arguments = arguments
        self._folder = folder
        self._at_failpoint = at_failpoint
        self._process: Process | None = None
        self._keeping: asyncio.Task[None] | None = None
        self.next_failpoint = ""
        self.armed = ""
        self.starts = 0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process and self._process.returncode is None else None

    def keep(self) -> None:
        self._keeping = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        while True:
            self.armed, self.next_failpoint = self.next_failpoint, ""
            with (self._folder / f"{self.name}.log").open("ab") as log:
                self._process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "lumbung.cli.part", *self._arguments),
                    stdin=PIPE,
                    stdout=log,
                    stderr=log,
                    env=os.environ
                    | SETTINGS
                    | {"LUMBUNG_DATA_DIR": str(self._folder), "LUMBUNG_FAILPOINTS": self.armed},
                )
            self.starts += 1
            code = await self._process.wait()
            if code == EXIT_CODE:
                self._at_failpoint(self.name, self.armed)
            await asyncio.sleep(RESTART_SECONDS)

    def kill(self) -> bool:
        if self.pid is None:
            return False
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        return True

    async def stop(self) -> None:
        if self._keeping:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
        if self._process and self._process.returncode is None:
            self._process.terminate()
            try:
                await asyncio.wait_for(self._process.wait(), 20)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()


class Parts:
    """Two workers and a relay."""

    def __init__(self, folder: Path, hosts_file: Path, at_failpoint: Callable[[str, str], None]) -> None:
        run = ["--run", "chaos", "--hosts", str(hosts_file)]
        self.workers = [Part(f"worker-{number}", run, folder, at_failpoint) for number in (1, 2)]
        self.relay = Part("relay", [*run, "--relay"], folder, at_failpoint)

    @property
    def all(self) -> list[Part]:
        return [*self.workers, self.relay]

    def keep(self) -> None:
        for part in self.all:
            part.keep()

    async def stop(self) -> None:
        await asyncio.gather(*(part.stop() for part in self.all))

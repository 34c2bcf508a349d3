"""The processes of the funnel as `lumbung up` starts them; started again whenever they end, with the next failpoint."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lumbung.runtime.failpoints import EXIT_CODE

RESTART_SECONDS = 0.1
WORKS = b"part.works"
SETTINGS = {"LUMBUNG_LOG_LEVEL": "info"}


@dataclass(frozen=True)
class Place:
    """Where the processes work; their logs lie elsewhere, because that disk may be full."""

    folder: Path
    logs: Path
    environment: dict[str, str]


class Part:
    """One process; `armed` is the failpoint it will die at, if any."""

    def __init__(self, name: str, place: Place, arguments: list[str], at_failpoint: Callable[[str, str], None]) -> None:
        self.name = name
        self._place = place
        self._arguments = arguments
        self._log = place.logs / f"{name}.log"
        self._log_start = 0
        self._at_failpoint = at_failpoint
        self._process: Process | None = None
        self._keeping: asyncio.Task[None] | None = None
        self.next_failpoint = ""
        self.armed = ""
        self.struck = asyncio.Event()

    @property
    def works(self) -> bool:
        """It has begun: whoever kills it before that hits nothing."""
        return self.pid is not None and WORKS in self._log.read_bytes()[self._log_start :]

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process and self._process.returncode is None else None

    def keep(self) -> None:
        self._keeping = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        while True:
            self.armed, self.next_failpoint = self.next_failpoint, ""
            self._log_start = self._log.stat().st_size if self._log.exists() else 0
            with self._log.open("ab") as log:
                self._process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "lumbung.cli.part", *self._arguments),
                    stdin=PIPE,
                    stdout=log,
                    stderr=log,
                    env={name: value for name, value in os.environ.items() if not name.startswith("LUMBUNG_")}
                    | SETTINGS
                    | self._place.environment
                    | {"LUMBUNG_DATA_DIR": str(self._place.folder), "LUMBUNG_FAILPOINTS": self.armed},
                )
            code = await self._process.wait()
            if code == EXIT_CODE:
                self._at_failpoint(self.name, self.armed)
                self.struck.set()
            await asyncio.sleep(RESTART_SECONDS)

    def arm(self, failpoint: str) -> None:
        """From its next start on."""
        self.next_failpoint = failpoint
        self.struck.clear()

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

    def __init__(self, place: Place, hosts_file: Path, at_failpoint: Callable[[str, str], None]) -> None:
        run = ["--run", "chaos", "--hosts", str(hosts_file)]
        self.workers = [Part(f"worker-{number}", place, run, at_failpoint) for number in (1, 2)]
        self.relay = Part("relay", place, [*run, "--relay"], at_failpoint)

    @property
    def all(self) -> list[Part]:
        return [*self.workers, self.relay]

    def keep(self) -> None:
        for part in self.all:
            part.keep()

    async def stop(self) -> None:
        await asyncio.gather(*(part.stop() for part in self.all))

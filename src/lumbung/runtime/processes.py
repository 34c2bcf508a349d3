"""Child processes of `lumbung up`: started, watched and started again; they end when their parent does."""

from __future__ import annotations

import asyncio
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress

from lumbung.errors import SettingsError
from lumbung.telemetry import log

SHORTEST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 30.0
STEADY_SECONDS = 30.0
STOP_SECONDS = 30.0
WRONG_SETTINGS = 78
"""The code of a child that no restart helps."""


class ChildProcess:
    """One child, named for people; its standard input is a pipe whose end tells it that the parent is gone."""

    def __init__(self, name: str, arguments: Sequence[str]) -> None:
        self.name = name
        self._arguments = arguments
        self._process: Process | None = None

    async def keep_running(self) -> None:
        pause = 0.0
        try:
            while True:
                started = time.monotonic()
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "lumbung.cli.part", *self._arguments, stdin=PIPE, start_new_session=True
                )
                code = await self._process.wait()
                if code == WRONG_SETTINGS:
                    raise SettingsError(f"The process {self.name} cannot work with these settings; it says above why.")
                log.warning("process.ended", name=self.name, code=code)
                pause = next_pause(pause, time.monotonic() - started)
                await asyncio.sleep(pause)
        finally:
            await self._stop()

    async def _stop(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
        except TimeoutError:
            process.kill()


def next_pause(last_seconds: float, lived_seconds: float) -> float:
    """A process that ran well is started again at once; one that cannot stay up is tried less and less often."""
    if lived_seconds >= STEADY_SECONDS:
        return SHORTEST_PAUSE_SECONDS
    return min(LONGEST_PAUSE_SECONDS, max(SHORTEST_PAUSE_SECONDS, last_seconds * 2))


async def keep_all(children: Sequence[ChildProcess]) -> None:
    """Until stopped; a child that its settings keep from working ends them all."""
    try:
        async with asyncio.TaskGroup() as group:
            for child in children:
                group.create_task(child.keep_running())
    except* SettingsError as errors:
        raise errors.exceptions[0] from None


async def until_parent_is_gone() -> None:
    """Standard input ends when the parent closes it, or dies."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1024):
        pass

"""One long-running program: its process, its limited log, and the moment it says that it is ready."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from signal import Signals

    from lumbung.runtime.engines.children import Child, Nursery
    from lumbung.runtime.engines.privilege import Account

LOG_HALF_BYTES = 4 * 1024 * 1024
REMEMBERED_LINES = 20
CHUNK_BYTES = 64 * 1024


class LimitedLog:
    """Two halves, of which the older is dropped: it cannot fill the disk."""

    def __init__(self, path: Path, half_bytes: int = LOG_HALF_BYTES) -> None:
        self._path = path
        self._half_bytes = half_bytes

    def write(self, chunk: bytes) -> None:
        """A full disk loses log lines, never the engine."""
        with suppress(OSError):
            if self._path.exists() and self._path.stat().st_size > self._half_bytes:
                self._path.replace(self._path.with_suffix(".old.log"))
            with self._path.open("ab") as stream:
                stream.write(chunk)


class Service:
    def __init__(self, log: Path, ready_words: str, on_line: Callable[[str, bool], None]) -> None:
        """`on_line` is told each line the program writes, and whether the program is ready already."""
        self._log = LimitedLog(log)
        self._ready_words = ready_words
        self._on_line = on_line
        self._child: Child | None = None
        self._following: asyncio.Task[None] | None = None
        self.last_lines: list[str] = []

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child is not None and self._child.running else None

    async def launch(
        self,
        nursery: Nursery,
        arguments: Sequence[str | Path],
        *,
        folder: Path,
        account: Account | None,
        death_signal: Signals,
        lock: int,
    ) -> int | None:
        """None once the program is ready; its exit code if it ended before that."""
        self.last_lines = []
        self._child = await nursery.start(
            arguments, folder=folder, account=account, death_signal=death_signal, kept_descriptors=[lock]
        )
        ready: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self._following = asyncio.create_task(self._follow(self._child, ready))
        return await ready

    async def died(self) -> int:
        if self._child is None:
            raise RuntimeError("the program was not started")
        return await asyncio.shield(self._child.exited)

    def tell(self, number: Signals) -> None:
        if self._child is not None:
            self._child.tell(number)

    async def stop(self, first: Signals, patience_seconds: float) -> None:
        if self._child is not None:
            await self._child.stop(first, patience_seconds)

    async def _follow(self, child: Child, ready: asyncio.Future[int | None]) -> None:
        unfinished = b""
        while chunk := await child.output.read(CHUNK_BYTES):
            self._log.write(chunk)
            *lines, unfinished = (unfinished + chunk).split(b"\n")
            unfinished = unfinished[-CHUNK_BYTES:]
            for line in lines:
                text = line.decode(errors="replace").rstrip()
                self.last_lines = [*self.last_lines[1 - REMEMBERED_LINES :], text]
                if self._ready_words in text and not ready.done():
                    ready.set_result(None)
                self._on_line(text, ready.done())
        code = await child.exited
        if not ready.done():
            ready.set_result(code)

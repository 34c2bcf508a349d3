"""Worker processes that are killed in the middle of their work and replaced, each born ready from one server."""

from __future__ import annotations

import asyncio
import multiprocessing
from random import Random
from typing import TYPE_CHECKING

from tests.races.worker import main

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.races.worker", "tests.races.__main__"])
SHORTEST_LIFE = 0.1


class Pack:
    def __init__(self, machine_url: str, seed: int, longest_life: float) -> None:
        self._url, self._random, self._longest = machine_url, Random(seed), longest_life
        self.kills = 0

    async def live(self, lives: int) -> None:
        """One worker after the other; the last of so many lives is not ended by us."""
        while True:
            process, ready = self._born()
            try:
                await readable(ready.fileno())
                ready.recv_bytes()  # the end of the file, and so an error, if it died before
                lives -= 1
                if lives == 0:
                    await readable(process.sentinel)
                    return
                await asyncio.sleep(self._random.uniform(SHORTEST_LIFE, self._longest))
                self.kills += 1
            finally:
                process.kill()
                process.join()
                ready.close()

    def _born(self) -> tuple[BaseProcess, multiprocessing.connection.Connection]:
        here, there = PROCESSES.Pipe(duplex=False)
        process = PROCESSES.Process(target=main, args=(self._url, self._random.getrandbits(32), there), daemon=True)
        process.start()
        there.close()
        return process, here


async def readable(descriptor: int) -> None:
    """Until something can be read there: waiting takes no thread, of which sixteen workers would find too few."""
    loop, found = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, found.set)
    try:
        await found.wait()
    finally:
        loop.remove_reader(descriptor)

"""Where parser children come from: one process reads words and tables, and each child is a fork of it.

Reading them takes most of a second and most of the memory; a fork takes milliseconds and shares both.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING

from lumbung.errors import ContractError
from lumbung.providers.parser.wire import BEAR, LENGTH, NUMBER, READY, REAP, WORDS

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from lumbung.text.lexicon import Words

_STARTING_SECONDS = 60.0
# A process with a thread of its own for each core does not fork well.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}


class Nursery:
    """The process that knows these words; its children end with it."""

    def __init__(
        self,
        words: Words,
        process: Process,
        control: socket.socket,
        streams: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        self.words = words
        self._process = process
        self._control = control
        self._heard, self._told = streams
        self._turn = asyncio.Lock()
        self._alive = 0
        self._retired = False

    @classmethod
    async def start(cls, memory_bytes: int, profile: str, words: Words) -> Nursery:
        """Words and libraries are loaded when this returns."""
        ours, its = socket.socketpair()
        with its:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "lumbung.providers.parser.child", str(memory_bytes), profile,
                stdin=its.fileno(), start_new_session=True, env=os.environ | _ONE_THREAD,
            )  # fmt: skip
        nursery = cls(words, process, ours, await asyncio.open_connection(sock=ours))
        try:
            async with asyncio.timeout(_STARTING_SECONDS):
                await nursery._learn()
        except (TimeoutError, OSError, asyncio.IncompleteReadError) as error:
            await nursery._end()
            message = "The parser's process did not start; run `lumbung doctor`."
            raise ContractError(message) from error
        except BaseException:
            await nursery._end()
            raise
        return nursery

    async def _learn(self) -> None:
        message = WORDS.dump_json(self.words)
        self._told.write(LENGTH.pack(len(message), 0) + message)
        await self._told.drain()
        await self._heard.readexactly(len(READY))

    async def bear(self) -> tuple[int, socket.socket]:
        """A child at the head of a group of its own, and the wire to it; ConnectionError when this process is gone."""
        ours, its = socket.socketpair()
        try:
            number = await self._asked(BEAR, its)
        except BaseException:
            ours.close()
            raise
        self._alive += 1
        return number, ours

    async def kill(self, number: int) -> None:
        """The child and whatever runs under it; until it is gone no other process can have its number."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(number, signal.SIGKILL)
            with suppress(ConnectionError):
                await self._asked(REAP + NUMBER.pack(number))
        self._alive -= 1
        if self._retired and not self._alive:
            await self._end()

    async def _asked(self, order: bytes, wire: socket.socket | None = None) -> int:
        # Whoever gave it up half-way would leave its answer to the next.
        return await asyncio.shield(asyncio.ensure_future(self._exchange(order, wire)))

    async def _exchange(self, order: bytes, wire: socket.socket | None) -> int:
        async with self._turn:
            with wire or nullcontext():
                socket.send_fds(self._control, [order], [wire.fileno()] if wire else [])
            try:
                (number,) = NUMBER.unpack(await self._heard.readexactly(NUMBER.size))
            except asyncio.IncompleteReadError as error:
                raise ConnectionResetError from error
        return int(number)

    async def retire(self) -> None:
        """It bears no more, and ends with the last of its children."""
        self._retired = True
        if not self._alive:
            await self._end()

    async def _end(self) -> None:
        self._told.close()
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

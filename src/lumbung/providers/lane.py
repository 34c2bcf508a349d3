"""How many calls to a provider a stage has under way in this process: as many as Little's law asks for, within bounds."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from lumbung.equations.queueing import StageLoad

SETTLE_SECONDS = 1.0


class Lane:
    """Calls wait in line for a place. Only answers are measured: a provider that fails at once serves nobody faster."""

    def __init__(self, most: int, least: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        self._load = StageLoad(least, most)
        self._clock = clock
        self._under_way = 0
        self._line: deque[asyncio.Future[None]] = deque()
        self._settled_at = clock()

    @property
    def allowed(self) -> int:
        return self._load.allowed

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        await self._enter()
        started = self._clock()
        try:
            yield
            self._load.add(self._clock() - started)
        finally:
            self._under_way -= 1
            self._settle()
            self._let_in()

    async def _enter(self) -> None:
        if self._under_way < self.allowed and not self._line:
            self._under_way += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            self._leave_the_line(turn)
            raise

    def _leave_the_line(self, turn: asyncio.Future[None]) -> None:
        """A place that was given to one who is gone goes to the next."""
        if turn.cancelled():
            self._line.remove(turn)
        else:
            self._under_way -= 1
            self._let_in()

    def _settle(self) -> None:
        elapsed = self._clock() - self._settled_at
        if elapsed >= SETTLE_SECONDS:
            self._settled_at = self._clock()
            self._load.settle(elapsed, self._under_way + len(self._line))

    def _let_in(self) -> None:
        while self._line and self._under_way < self.allowed:
            self._under_way += 1
            self._line.popleft().set_result(None)

"""What is kept only to save work is let go once nobody has needed it for long: remembered answers of models."""

from __future__ import annotations

import time
from collections.abc import Callable

from lumbung.store import inference_cache
from lumbung.store.database import Transaction

ANSWER_DAYS = 90
DAY_SECONDS = 86_400.0


class DailyLook:
    """Once a day in each process: the whole table is read for it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next: float | None = None

    async def __call__(self, tx: Transaction) -> int:
        """How many answers went."""
        if self._next is not None and self._clock() < self._next:
            return 0
        gone = await inference_cache.forget_unused(tx, ANSWER_DAYS)
        self._next = self._clock() + DAY_SECONDS
        return gone


look = DailyLook()

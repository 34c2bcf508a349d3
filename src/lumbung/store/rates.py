"""So many requests a minute for each caller, of which a minute's worth may come at once, over all processes that serve.

One moment a caller: that at which all it asked for would have been due.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from lumbung.store.database import Database, named_queries

SQL = named_queries("rates")
BURST_SECONDS = 60.0


class Rates:
    """Each request is one statement of its own: no caller waits for another's transaction."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._clock = clock
        self._swept = clock()

    async def wait_seconds(self, caller: str, per_minute: int) -> float:
        """0 where the request may go on; otherwise how long the caller waits, and nothing is counted."""
        if not per_minute:
            return 0.0
        await self._forget_old()
        asked = {"caller": caller, "step": BURST_SECONDS / per_minute, "burst": BURST_SECONDS}
        if await self._database.statement(SQL["admit"], asked) is not None:
            return 0.0
        waiting = await self._database.statement(SQL["wait"], asked)
        return max(0.001, float(waiting["seconds"])) if waiting else 0.001

    async def _forget_old(self) -> None:
        """Addresses are not kept for longer than they count."""
        if self._clock() - self._swept >= BURST_SECONDS:
            self._swept = self._clock()
            await self._database.statement(SQL["forget"])

"""The relay moves outbox rows to the broker and marks them sent only after the broker has acknowledged."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence

from lumbung.errors import TransientError
from lumbung.ports.queue import Message, Queue
from lumbung.runtime.failpoints import passage
from lumbung.store import jobs, stages
from lumbung.store.database import Database
from lumbung.store.jobs import OutboxRow
from lumbung.telemetry import log

ROWS_AT_ONCE = 500
LONGEST_WAIT_SECONDS = 30.0
JOBS_A_MESSAGE = {"extract": 8, "encode": 100, "decide": 50, "publish": 50, "steward": 1}


def merged(rows: Iterable[OutboxRow]) -> list[Message]:
    """Rows of one stage become as few messages as its size allows: under load a message carries a batch."""
    jobs: dict[str, list[int]] = {}
    for row in rows:
        jobs.setdefault(row.stage, []).extend(row.jobs)
    return [(stage, batch) for stage, ids in jobs.items() for batch in batched(ids, JOBS_A_MESSAGE.get(stage, 1))]


def batched(ids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    return (ids[start : start + size] for start in range(0, len(ids), size))


async def relay_once(database: Database, queue: Queue) -> int:
    """Send what the outbox holds; a row leaves it in the transaction that knows it was sent."""
    async with database.transaction() as tx:
        rows = await jobs.unsent(tx, ROWS_AT_ONCE)
        if not rows:
            return 0
        await queue.send(merged(rows))
        passage("relay.published")
        await jobs.mark_sent(tx, [row.id for row in rows])
    passage("relay.marked")
    return len(rows)


async def wake(database: Database) -> float:
    """Wake what is due; returns the seconds until something is."""
    async with database.transaction() as tx:
        await stages.resume_due(tx)
        await jobs.wake_due(tx)
        seconds = await jobs.seconds_to_next_due(tx)
        paused = [row["seconds_left"] for row in await stages.all_stages(tx) if row["seconds_left"] is not None]
    waits: list[float] = [LONGEST_WAIT_SECONDS, *paused]
    if seconds is not None:
        waits.append(seconds)
    return max(0.05, min(waits))


class Relay:
    """Runs until cancelled; it waits for the database's notice, or for the next job that comes due."""

    def __init__(self, database: Database, queue: Queue) -> None:
        self._database = database
        self._queue = queue
        self._notice = asyncio.Event()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._listen())
            group.create_task(self._send())

    async def _listen(self) -> None:
        while True:
            try:
                async for _ in self._database.listen([jobs.OUTBOX_CHANNEL]):
                    self._notice.set()
            except TransientError:
                await asyncio.sleep(0.2)

    async def _send(self) -> None:
        while True:
            try:
                wait_seconds = await wake(self._database)
                self._notice.clear()
                while await relay_once(self._database, self._queue):
                    pass
            except TransientError as error:
                log.info("relay.waits", reason=str(error))
                wait_seconds = 0.2
            try:
                await asyncio.wait_for(self._notice.wait(), wait_seconds)
            except TimeoutError:
                continue

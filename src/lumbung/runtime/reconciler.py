"""The reconciler sends again what a lost broker store took with it, and only then."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from lumbung.errors import TransientError
from lumbung.model.job import STAGES
from lumbung.ports.queue import Queue
from lumbung.store import jobs
from lumbung.store.database import Database
from lumbung.telemetry import log

INTERVAL_SECONDS = 2.0
JOBS_AT_ONCE = 10_000


async def reconcile_stage(database: Database, queue: Queue, stage: str) -> int:
    """Ready jobs that neither the outbox nor a drained consumer holds were lost: send them again.

    The order of the reads makes this safe: the ids are read first, then the outbox is seen empty and the consumer
    drained, and `resend` takes only those that are still to be done.
    """
    async with database.transaction() as tx:
        ids = await jobs.ready_of(tx, stage, JOBS_AT_ONCE)
    if not ids:
        return 0
    async with database.transaction() as tx:
        if await jobs.outbox_holds(tx, stage):
            return 0
    if not await queue.drained(stage):
        return 0
    async with database.transaction() as tx:
        if await jobs.outbox_holds(tx, stage):
            return 0
        return await jobs.resend(tx, stage, ids)


async def reconcile(database: Database, queue: Queue) -> int:
    sent = 0
    for stage in STAGES:
        sent += await reconcile_stage(database, queue, stage)
    return sent


async def keep_reconciling(database: Database, queue: Queue) -> None:
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(queue.came_back(), INTERVAL_SECONDS)
        try:
            sent = await reconcile(database, queue)
        except TransientError as error:
            log.info("reconciler.waits", reason=str(error))
            continue
        if sent:
            log.warning("reconciler.sent_again", jobs=sent)

"""A worker process of the race: encodes, decides and publishes whatever is ready, until it is killed.

It knows of no other worker and takes any of the jobs that are ready, so that two often have the same one in hand.
"""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection
from random import Random

from lumbung.store import jobs
from lumbung.store.database import Database
from tests.integration.stages.test_order import Bench, new_handlers

IDLE_SECONDS = 0.05
IN_SIGHT = 200
BATCH = 20
HANDLERS = new_handlers()
"""Made once, in the server that all workers are forked from: a worker that is killed soon has still done something."""


async def work(machine_url: str, seed: int, ready_to_work: Connection) -> None:
    random = Random(seed)
    machine = Database(machine_url)
    await machine.open()
    bench = Bench(machine, machine, HANDLERS)
    ready_to_work.send_bytes(b"ready")
    while True:
        busy = False
        async with machine.transaction() as tx:
            await jobs.wake_due(tx)
        for stage, handler in bench.handlers.items():
            async with machine.transaction() as tx:
                ready = await jobs.ready_of(tx, stage, IN_SIGHT)
            if ready:
                busy = True
                await bench.worker._handle(handler, sorted(random.sample(ready, min(BATCH, len(ready)))))
        if not busy:
            await asyncio.sleep(IDLE_SECONDS)


def main(machine_url: str, seed: int, ready_to_work: Connection) -> None:
    asyncio.run(work(machine_url, seed, ready_to_work))

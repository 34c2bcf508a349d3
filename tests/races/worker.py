"""A worker process of the race: encodes, decides and publishes whatever is ready, until it is killed."""

from __future__ import annotations

import asyncio
import sys

from lumbung.store import jobs
from lumbung.store.database import Database
from tests.integration.stages.test_order import Bench

IDLE_SECONDS = 0.05
BATCH = 20


async def work(machine_url: str) -> None:
    machine = Database(machine_url)
    await machine.open()
    bench = Bench(machine, machine)
    print("ready", flush=True)
    while True:
        busy = False
        async with machine.transaction() as tx:
            await jobs.wake_due(tx)
        for stage, handler in bench.handlers.items():
            async with machine.transaction() as tx:
                ready = await jobs.ready_of(tx, stage, BATCH)
            if ready:
                busy = True
                await bench.worker._handle(handler, ready)
        if not busy:
            await asyncio.sleep(IDLE_SECONDS)


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1]))

"""A process that brings the index to its own version of the features and ends: `python -m tests.integration.stages.reencoder MACHINE NATS`."""

from __future__ import annotations

import asyncio
import sys

from lumbung.governance.steward import reencoding
from lumbung.governance.steward.handler import StewardHandler
from lumbung.profiles.loader import load_profile
from lumbung.queues.jetstream import JetStreamQueue
from lumbung.runtime.ending import end_all
from lumbung.runtime.heartbeat import start_beating
from lumbung.runtime.reconciler import keep_reconciling
from lumbung.runtime.relay import Relay
from lumbung.runtime.worker import Worker
from lumbung.stages.decide.handler import DecideHandler
from lumbung.stages.encode.handler import EncodeHandler
from lumbung.stages.publish.handler import PublishHandler
from lumbung.store import feature_versions, features, jobs
from lumbung.store.database import Database
from lumbung.text.region import Gazetteer

SMALL_GRAPH = 20


def hurry() -> None:
    """Small portions and graphs, and no rests: the same steps for a small library."""
    reencoding.PORTION, reencoding.REST_SECONDS, reencoding.WAIT_SECONDS = 10, 0.01, 0.01
    features.GRAPH_FROM_NODES, features.TAIL_NODES = SMALL_GRAPH, SMALL_GRAPH


async def main(machine: str, nats: str) -> None:
    hurry()
    profile = load_profile("pdbi")
    gazetteer = Gazetteer(profile)
    stages = (
        EncodeHandler(profile, gazetteer),
        DecideHandler(profile, gazetteer),
        PublishHandler(profile, "test"),
        StewardHandler(profile),
    )
    database, queue = Database(machine), await JetStreamQueue.connect(nats)
    await database.open()
    worker = Worker(database, queue, {handler.stage: handler for handler in stages})
    parts = (Relay(database, queue).run(), keep_reconciling(database, queue), worker.run())
    running = [await start_beating(database), *(asyncio.create_task(part) for part in parts)]
    async with database.transaction() as tx:
        await reencoding.begin(tx)
    while await is_busy(database):
        await asyncio.sleep(0.05)
    await end_all(running)
    await queue.close()
    await database.close()


async def is_busy(database: Database) -> bool:
    async with database.transaction() as tx:
        return await jobs.unfinished(tx) or set((await feature_versions.states(tx)).values()) != {"in force", "gone"}


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

"""A cluster of three NATS servers on loopback with three copies of each stream: one may die, and one may lose its disk."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.cluster.servers import NODES, cluster

from lumbung.errors import EngineUnavailable
from lumbung.queues.jetstream import JetStreamQueue

PATIENCE_SECONDS = 60.0

pytestmark = pytest.mark.long


async def patiently(attempt):
    """The cluster elects a leader in its own time."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                return await attempt()
            except EngineUnavailable:
                await asyncio.sleep(0.2)


async def received(queue: JetStreamQueue, wanted: set[int]) -> set[int]:
    got: set[int] = set()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while got != wanted:
            try:
                delivery = await queue.receive("decide", 1.0)
            except EngineUnavailable:
                await asyncio.sleep(0.2)
                continue
            if delivery is not None:
                got |= set(delivery.jobs)
                await delivery.done()
    return got


async def test_messages_survive_a_killed_node_and_a_wiped_one(tmp_path: Path) -> None:
    with cluster(tmp_path) as nodes:
        address = ",".join(node.url for node in nodes)
        queue = await patiently(lambda: JetStreamQueue.connect(address, NODES))
        try:
            for number in range(1, 11):
                await patiently(lambda number=number: queue.send([("decide", [number])]))
            nodes[0].kill()
            for number in range(11, 21):
                await patiently(lambda number=number: queue.send([("decide", [number])]))
            nodes[0].wipe()
            nodes[0].start()
            assert await received(queue, set(range(1, 21))) == set(range(1, 21))
        finally:
            await queue.close()

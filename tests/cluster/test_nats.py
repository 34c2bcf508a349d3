"""A cluster of three NATS servers on loopback with three copies of each stream: one may die, and one may lose its disk."""

from __future__ import annotations

import asyncio
from pathlib import Path

import nats
import pytest

from lumbung.errors import EngineUnavailable
from lumbung.queues import jetstream
from lumbung.queues.jetstream import JetStreamQueue, stream_of
from tests.cluster.servers import NODES, Node, cluster

PATIENCE_SECONDS = 60.0


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


async def test_who_starts_while_the_cluster_has_no_leader_waits_for_one(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(jetstream, "ANSWER_SECONDS", 2)
    with cluster(tmp_path) as nodes:
        for node in nodes[1:]:
            node.kill()
        connecting = asyncio.create_task(JetStreamQueue.connect(",".join(node.url for node in nodes), NODES))
        with pytest.raises(TimeoutError):  # one question has gone unanswered
            await asyncio.wait_for(asyncio.shield(connecting), 2 * jetstream.ANSWER_SECONDS)
        for node in nodes[1:]:
            node.start()
        queue = await connecting
        await queue.send([("decide", [1])])
        await queue.close()


async def copies_after(nodes: list[Node], replicas: int) -> int:
    """Of a stream, after a machine whose settings ask for so many came by."""
    queue = await patiently(lambda: JetStreamQueue.connect(",".join(node.url for node in nodes), replicas))
    await queue.close()
    client = await nats.connect([node.url for node in nodes])
    try:
        return int((await client.jetstream().stream_info(stream_of("decide"))).config.num_replicas)
    finally:
        await client.close()


async def test_streams_get_the_copies_that_are_asked_for_later_and_lose_none_to_a_machine_that_was_not_told(
    tmp_path: Path,
) -> None:
    with cluster(tmp_path) as nodes:
        assert [await copies_after(nodes, replicas) for replicas in (1, NODES, 1)] == [1, NODES, NODES]

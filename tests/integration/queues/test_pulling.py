"""Messages are pulled ahead of their use, and none is lost, kept or handed out twice by that."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import DEVNULL
from contextlib import asynccontextmanager

import pytest

from lumbung.errors import EngineUnavailable, SettingsError
from lumbung.model.job import STAGES
from lumbung.queues.jetstream import (
    ACK_WAIT_SECONDS,
    DEFAULT_MAX_UNACKNOWLEDGED,
    LEADER_SECONDS,
    JetStreamQueue,
)
from lumbung.runtime.engines.binaries import find_nats

STAGE = "steward"
WELL_BEFORE_REDELIVERY = ACK_WAIT_SECONDS * 0.6


@pytest.fixture
def queue_of(engines):
    @asynccontextmanager
    async def opened():
        queue = await JetStreamQueue.connect(engines.nats_url)
        try:
            yield queue
        finally:
            await queue.close()

    return opened


@pytest.fixture
async def emptied(engines):
    queue = await JetStreamQueue.connect(engines.nats_url)
    for stage in STAGES:
        await queue._context.purge_stream(f"lumbung_{stage}")
    yield
    for stage in STAGES:
        await queue._context.purge_stream(f"lumbung_{stage}")
    await queue.close()


async def take(queue, number):
    taken = []
    for _ in range(number):
        delivery = await queue.receive(STAGE, 10)
        taken += delivery.jobs
        await delivery.done()
    return taken


async def test_waiters_of_one_process_share_what_comes_and_nothing_comes_twice(queue_of, emptied):
    async with queue_of() as queue:
        await queue.send([(STAGE, [number]) for number in range(200)])
        taken = await asyncio.gather(*(take(queue, 50) for _ in range(4)))
        assert sorted(sum(taken, [])) == list(range(200))
        async with asyncio.timeout(60):
            while await queue.waiting(STAGE):
                await asyncio.sleep(0.02)


async def test_what_was_pulled_ahead_is_given_back_at_the_end(queue_of, emptied):
    async with queue_of() as first, queue_of() as second:
        await first.send([(STAGE, [number]) for number in range(40)])
        taken = await take(first, 12)
        await first.close()
        async with asyncio.timeout(WELL_BEFORE_REDELIVERY):
            taken += await take(second, 28)
        assert sorted(taken) == list(range(40))


async def test_a_message_that_comes_while_one_waits_is_handed_out_at_once(queue_of, emptied):
    async with queue_of() as queue:
        waiting = asyncio.create_task(queue.receive(STAGE, 10))
        await asyncio.sleep(0)
        await queue.send([(STAGE, [7])])
        assert list((await asyncio.wait_for(waiting, 60)).jobs) == [7]
        await (await waiting).done()


async def test_no_message_in_the_time_given_is_no_delivery(queue_of, emptied):
    async with queue_of() as queue:
        assert await queue.receive(STAGE, 0.2) is None
        await queue.send([(STAGE, [1])])
        assert await take(queue, 1) == [1]


async def test_a_consumer_that_was_deleted_is_told_to_every_waiter_and_made_anew(queue_of, emptied):
    async with queue_of() as queue:
        waiting = [asyncio.create_task(queue.receive(STAGE, 30)) for _ in range(2)]
        async with asyncio.timeout(60):
            while (await queue._context.consumer_info(f"lumbung_{STAGE}", STAGE)).num_waiting < 2:
                await asyncio.sleep(0.02)
        await queue._context.delete_consumer(f"lumbung_{STAGE}", STAGE)
        for told in await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 60):
            assert isinstance(told, EngineUnavailable)
        await queue.send([(STAGE, [3])])
        assert await take(queue, 1) == [3]


async def test_a_stream_that_was_lost_is_made_anew_and_the_sender_told(queue_of, emptied):
    async with queue_of() as queue:
        await queue._context.delete_stream(f"lumbung_{STAGE}")
        with pytest.raises(EngineUnavailable):
            await queue.send([(STAGE, [1])])
        await queue.send([(STAGE, [1])])
        assert await take(queue, 1) == [1]


async def test_whoever_waits_when_all_is_left_is_told(queue_of, emptied):
    async with queue_of() as queue:
        waiting = [asyncio.create_task(queue.receive(STAGE, 30)) for _ in range(3)]
        async with asyncio.timeout(60):
            while STAGE not in queue._pullers or queue._pullers[STAGE][1]._waiters < 3:
                await asyncio.sleep(0.02)
        await queue.close()
        for told in await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 60):
            assert isinstance(told, EngineUnavailable)


async def test_a_wrong_password_is_told_at_once_and_not_as_a_server_that_is_away(engines):
    place = engines.nats_url.rpartition("@")[2]
    with pytest.raises(SettingsError, match="turns this login away; correct LUMBUNG_NATS_URL"):
        await JetStreamQueue.connect(f"nats://lumbung:salah@{place}")


async def test_no_more_is_in_hand_at_once_than_the_consumer_allows(engines, emptied):
    async def of_its_own(most):
        queue = await JetStreamQueue.connect(engines.nats_url, max_unacknowledged=most)
        await queue._context.delete_consumer(f"lumbung_{STAGE}", STAGE)
        await queue.ensure(STAGE)
        return queue

    queue = await of_its_own(2)
    try:
        await queue.send([(STAGE, [number]) for number in range(3)])
        first, second = await queue.receive(STAGE, 10), await queue.receive(STAGE, 10)
        assert await queue.receive(STAGE, 0.3) is None, "the third waits until one of two is acknowledged"
        waiting = asyncio.create_task(queue.receive(STAGE, 10))
        await first.done()
        third = await waiting
        assert [*first.jobs, *second.jobs, *third.jobs] == [0, 1, 2]
        await second.done()
        await third.done()
    finally:
        await queue.close()
        await (await of_its_own(DEFAULT_MAX_UNACKNOWLEDGED)).close()


async def test_a_server_without_jetstream_is_told_at_once(tmp_path):
    command = [find_nats(), "-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", tmp_path]
    server = await asyncio.create_subprocess_exec(*map(str, command), stderr=DEVNULL)
    try:
        async with asyncio.timeout(30):
            while not (told := [*tmp_path.glob("*.ports")]) or not told[0].read_text():
                await asyncio.sleep(0.02)
            [address] = json.loads(told[0].read_text())["nats"]
        async with asyncio.timeout(LEADER_SECONDS / 2):
            with pytest.raises(SettingsError, match="start it with --jetstream"):
                await JetStreamQueue.connect(address)
    finally:
        server.terminate()
        await server.wait()

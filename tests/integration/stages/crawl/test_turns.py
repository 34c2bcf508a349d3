"""A program beside the crawl asks hosts in the engines' turns; a run's own pace is nobody else's."""

from __future__ import annotations

import time
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest

from lumbung.errors import PolicyRefused
from lumbung.providers.fetch.polite import TooLongToWait
from lumbung.runtime.heartbeat import start_beating
from lumbung.stages.crawl.turns import EngineTurns
from lumbung.store import frontier, hosts
from lumbung.store.database import Database
from lumbung.store.frontier import FrontierUrl
from lumbung.store.hosts import Lane, Room, RunDelay

HOST = "museum.example"
ROOMS = dict.fromkeys(Lane, Room(10, ahead_seconds=1.0))


@asynccontextmanager
async def opened(logins):
    database = Database(logins.machine)
    await database.open()
    beating = await start_beating(database)
    try:
        yield database
    finally:
        beating.cancel()
        await database.close()


async def known(database, delay):
    async with database.transaction() as tx:
        await frontier.add(tx, [FrontierUrl(f"http://{HOST}/", HOST, HOST, 1.0, 0)], "test")
        await hosts.set_delay(tx, [(HOST, HOST)], delay)


async def leased(database, run=hosts.NO_RUN_DELAY):
    async with database.transaction() as tx:
        return await frontier.lease(tx, uuid4(), ROOMS, 5.0, 20.0, run=run)


async def test_two_turns_are_as_far_apart_as_the_engines_say(logins):
    async with opened(logins) as database:
        await known(database, 0.4)
        turns = EngineTurns(database)
        async with turns.turn(HOST, 5.0):
            ended = time.monotonic()
        async with turns.turn(HOST, 5.0):
            waited = time.monotonic() - ended
    assert waited >= 0.4


async def test_no_crawler_asks_a_host_during_another_programs_turn(logins):
    async with opened(logins) as database:
        await known(database, 0.0)
        async with EngineTurns(database).turn(HOST, 0.0):
            during = await leased(database)
        after = await leased(database)
    assert during == []
    assert [lease.host for lease in after] == [HOST]


async def test_a_stopped_host_is_refused_and_a_resting_one_not_waited_for(logins):
    async with opened(logins) as database:
        await known(database, 0.0)
        turns = EngineTurns(database, max_wait_seconds=2.0)
        async with database.transaction() as tx:
            await hosts.cool_down(tx, HOST, 600.0, "it said so")
        with pytest.raises(TooLongToWait):
            await turns.turn(HOST, 0.0).__aenter__()
        async with database.transaction() as tx:
            await hosts.stop_host(tx, HOST, "the operator's word")
        with pytest.raises(PolicyRefused, match="the operator's word"):
            await turns.turn(HOST, 0.0).__aenter__()


async def test_the_pace_of_a_run_is_not_kept(logins):
    async with opened(logins) as database:
        await known(database, None)
        token = uuid4()
        async with database.transaction() as tx:
            quick = await frontier.lease(tx, token, ROOMS, 5.0, 20.0, run=RunDelay((HOST,), 0.0))
            await hosts.free(tx, token, [hosts.FreedHost(HOST, quick[0].delay)], 100)
            await frontier.add(tx, [FrontierUrl(f"http://{HOST}/b", HOST, HOST, 1.0, 0)], "test")
        again = await leased(database, RunDelay((HOST,), 0.0))
        async with database.transaction() as tx:
            row = (await hosts.list_hosts(tx, 5.0))[0]
    assert [lease.delay for lease in (*quick, *again)] == [0.0, 0.0]
    assert row["delay_seconds"] == 5.0


async def test_a_host_in_another_transactions_hand_is_still_held_and_renewed_later(logins):
    async with opened(logins) as database:
        await known(database, 0.0)
        token = uuid4()
        async with database.transaction() as tx:
            await frontier.lease(tx, token, ROOMS, 5.0, 20.0)
        async with database.transaction() as other:
            await hosts.lock(other, [HOST])
            async with database.transaction() as tx:
                during = await hosts.renew(tx, token, [HOST], 20.0)
        async with database.transaction() as tx:
            after = await hosts.renew(tx, token, [HOST], 20.0)
            strange = await hosts.renew(tx, uuid4(), [HOST], 20.0)
    assert (during, after, strange) == ({HOST: False}, {HOST: True}, {})

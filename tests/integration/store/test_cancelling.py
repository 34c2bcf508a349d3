"""Work that is told to stop in the middle of a query stops; it does not take that for an engine that is away."""

from __future__ import annotations

import asyncio

import pytest

from lumbung.errors import TransientError
from lumbung.store.database import Database

RUNNING = (
    "select count(*) as queries from pg_stat_activity "
    "where (query like 'select pg_sleep%' or query like 'FETCH%') and state = 'active'"
)


@pytest.fixture
async def database(logins):
    opened = Database(logins.superuser)
    await opened.open()
    yield opened
    await opened.close()


async def in_transaction(database):
    async with database.transaction() as tx:
        await tx.row("select pg_sleep(600)")


async def in_a_stream(database):
    async with database.transaction() as tx:
        async for _ in tx.stream("select pg_sleep(60)"):
            pass


async def while_reading(database):
    async with database.reading() as tx:
        await tx.row("select pg_sleep(600)")


async def by_itself(database):
    await database.statement("select pg_sleep(600)")


async def keep_trying(work, database):
    while True:
        try:
            await work(database)
        except TransientError:
            continue


async def until_it_runs(database):
    async with asyncio.timeout(60):
        while not (await database.statement(RUNNING))["queries"]:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("work", [in_transaction, while_reading, by_itself])
async def test_a_loop_that_is_cancelled_in_a_query_ends(database, work):
    loop = asyncio.create_task(keep_trying(work, database))
    await until_it_runs(database)
    loop.cancel()
    done, _ = await asyncio.wait({loop}, timeout=60)
    if not done:
        loop.cancel()
    assert done
    assert loop.cancelled()


@pytest.mark.parametrize("work", [in_transaction, in_a_stream, while_reading, by_itself])
async def test_work_that_is_cancelled_again_and_again_leaves_no_complaint_and_no_lock(database, work, caplog):
    """As a web server does it to a request whose reader has left."""
    running = asyncio.create_task(work(database))
    await until_it_runs(database)
    while not running.done():
        running.cancel()
        await asyncio.sleep(0)
    assert running.cancelled()
    assert [record.getMessage() for record in caplog.records] == []
    async with asyncio.timeout(10):
        while (await database.statement(RUNNING))["queries"]:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("work", [in_transaction, while_reading, by_itself])
async def test_a_query_that_takes_longer_than_it_may_is_a_timeout(database, work):
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await work(database)

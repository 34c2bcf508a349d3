"""Whoever starts the beat finds the clock right from then on."""

from __future__ import annotations

import psycopg

from lumbung.runtime.ending import end_all
from lumbung.runtime.heartbeat import start_beating
from lumbung.store.database import Database


async def read(database):
    async with database.transaction() as tx:
        return await tx.value("select lumbung_now()")


async def test_the_first_beat_is_done_when_the_beating_has_started(logins):
    with psycopg.connect(logins.superuser) as connection:
        connection.execute("update clock set beat_at = beat_at - interval '1 hour'")
    database = Database(logins.machine)
    await database.open()
    stood_still = await read(database)
    beating = await start_beating(database)
    try:
        started = await read(database)
    finally:
        await end_all([beating])
        await database.close()
    assert started < stood_still, "what the reading ran on by itself is taken back"

from __future__ import annotations

import asyncio

import psycopg
import pytest

from lumbung.errors import EngineUnavailable
from lumbung.store.database import Database

CHANNEL = "lumbung_test"


async def test_notices_arrive_and_a_cut_connection_ends_the_listening(logins):
    heard: list[str] = []

    async def listen() -> None:
        with psycopg.connect(logins.superuser, autocommit=True) as other:
            async for channel in Database(logins.machine).listen([CHANNEL]):
                heard.append(channel)
                if len(heard) < 3:
                    other.execute(f"notify {CHANNEL}")
                else:
                    other.execute("select pg_terminate_backend(pid) from pg_stat_activity where query ~ '^listen'")

    with pytest.raises(EngineUnavailable):
        await asyncio.wait_for(listen(), 30)
    assert heard == ["", CHANNEL, CHANNEL]

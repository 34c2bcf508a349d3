"""A worker that dies at any boundary of a paid call leaves no money in the air, and the question is answered after it."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE

import psycopg
import pytest

from lumbung.demo.protocol_server import ProtocolServer
from lumbung.runtime.failpoints import EXIT_CODE

EXPIRE = "select budget_expire(lumbung_now() + interval '1 hour')"


async def asked(logins, url, failpoint=""):
    """The exit code of a process that asks, and what it printed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.integration.providers.inference.asker", logins.machine, url),
        env=os.environ | {"LUMBUNG_FAILPOINTS": failpoint},
        stdout=PIPE,
    )
    said, _ = await process.communicate()
    return process.returncode, said.decode().strip()


@pytest.mark.parametrize(
    ("boundary", "asked_before", "left"),
    [
        ("ledger.reserved", 0, "expired"),
        ("ledger.begun", 0, "assumed"),
        ("ledger.answered", 1, "assumed"),
        ("ledger.settled", 1, "settled"),
    ],
)
async def test_a_worker_that_dies_around_a_paid_call_settles_or_loses_its_reservation_and_never_more(
    logins, boundary, asked_before, left
):
    async with ProtocolServer(mind=lambda _: {"verdict": "good"}) as server:
        url = f"http://127.0.0.1:{server.port}/v1"
        assert await asked(logins, url, boundary) == (EXIT_CODE, "")
        assert server.requests == asked_before
        with psycopg.connect(logins.owner, autocommit=True) as owner:
            owner.execute(EXPIRE)
            rows = owner.execute("select state, reserved_micros, coalesce(spent_micros, 0) from spend").fetchall()
        assert [state for state, *_ in rows] == [left]
        assert all(spent <= reserved or not reserved for _, reserved, spent in rows)
        assert await asked(logins, url) == (0, "good")
        assert server.requests == asked_before + 1

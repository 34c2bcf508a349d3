"""Holds a lock in a transaction; told that its cable is cut, it says after how many seconds it knew.

Run: python -m tests.cluster.holder URL
"""

from __future__ import annotations

import asyncio
import sys
import time

from lumbung.errors import EngineUnavailable
from lumbung.store.database import Database

LOCK = "select pg_advisory_xact_lock(772)"


async def hold(url: str) -> None:
    database = Database(url, size=1)
    await database.open()
    asked = time.monotonic()
    try:
        async with database.transaction() as tx:
            await tx.run(LOCK)
            print("held", flush=True)
            sys.stdin.readline()
            asked = time.monotonic()
            await tx.run("select 1")
    except EngineUnavailable:
        print(time.monotonic() - asked, flush=True)


if __name__ == "__main__":
    asyncio.run(hold(sys.argv[1]))

"""What a killed process leaves in the server."""

from __future__ import annotations

import asyncio
import signal
import sys

import psycopg

WAITS_FOR_A_LOCK = """
import asyncio, sys
from lumbung.store.database import Database

async def main():
    database = Database(sys.argv[1], size=1)
    await database.open()
    async with database.transaction() as tx:
        print(await tx.value("select pg_backend_pid()"), flush=True)
        await tx.run("select pg_advisory_xact_lock(77)")

asyncio.run(main())
"""


async def is_there(watcher: psycopg.AsyncConnection, backend: int, condition: str = "true") -> bool:
    found = await watcher.execute(f"select 1 from pg_stat_activity where pid = %s and {condition}", (backend,))
    return await found.fetchone() is not None


async def test_a_killed_process_does_not_go_on_waiting_for_a_lock_in_the_server(logins):
    """Else every such session takes the lock in its turn, for nobody, while the living stand behind it."""
    async with (
        await psycopg.AsyncConnection.connect(logins.superuser, autocommit=True) as holder,
        asyncio.timeout(60),
    ):
        await holder.execute("select pg_advisory_lock(77)")
        waiting = await asyncio.create_subprocess_exec(
            sys.executable, "-c", WAITS_FOR_A_LOCK, logins.machine, stdout=asyncio.subprocess.PIPE
        )
        assert waiting.stdout is not None
        backend = int(await waiting.stdout.readline())
        while not await is_there(holder, backend, "wait_event = 'advisory'"):
            await asyncio.sleep(0.05)
        waiting.send_signal(signal.SIGKILL)
        await waiting.wait()
        while await is_there(holder, backend):
            await asyncio.sleep(0.05)

"""The beat that moves the database's clock by this machine's uptime, whatever its wall clock does."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path

from lumbung.errors import TransientError
from lumbung.store import stages
from lumbung.store.database import Database

BEAT_SECONDS = 1.0
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
UPTIME = Path("/proc/uptime")


def boot_identity() -> str:
    """Which run of which machine this is; uptimes compare only within one."""
    return BOOT_ID.read_text(encoding="ascii").strip() if BOOT_ID.exists() else f"started-{time.monotonic_ns()}"


def uptime_seconds() -> float:
    """Read from the kernel, so that no shifted clock of this process can move it."""
    if UPTIME.exists():
        return float(UPTIME.read_text(encoding="ascii").split()[0])
    return time.monotonic()


async def beat_once(database: Database, boot: str) -> None:
    async with database.transaction() as tx:
        await stages.beat(tx, boot, uptime_seconds())


async def start_beating(database: Database) -> asyncio.Task[None]:
    """The first beat is done: it may take back the little that the reading ran on since the last one, long ago."""
    boot = boot_identity()
    with suppress(TransientError):
        await beat_once(database, boot)
    return asyncio.create_task(_keep_beating(database, boot))


async def _keep_beating(database: Database, boot: str) -> None:
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        with suppress(TransientError):  # the engine is being restarted; the next beat counts the time that passed
            await beat_once(database, boot)

"""Stages that may pause, the workers that serve them, and the clock that all of them read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import cast
from uuid import UUID

from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("stages")
STAGE_CHANNEL = "lumbung_stage"


async def beat(tx: Transaction, boot: str, uptime_seconds: float) -> datetime:
    return cast("datetime", await tx.value(SQL["beat"], {"boot": boot, "uptime_seconds": uptime_seconds}))


async def now(tx: Transaction) -> datetime:
    return cast("datetime", await tx.value(SQL["now"]))


async def all_stages(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["all"])


async def pause(tx: Transaction, stage: str, reason: str, seconds: float | None = None) -> None:
    await tx.run(SQL["pause"], {"stage": stage, "reason": reason, "seconds": seconds})
    await tx.notify(STAGE_CHANNEL)


async def resume(tx: Transaction, stage: str) -> None:
    await tx.run(SQL["resume"], {"stage": stage})
    await tx.notify(STAGE_CHANNEL)


async def resume_due(tx: Transaction) -> list[str]:
    resumed = [row["name"] for row in await tx.rows(SQL["resume_due"])]
    if resumed:
        await tx.notify(STAGE_CHANNEL)
    return resumed


async def see_worker(tx: Transaction, worker: UUID, stages: Sequence[str], host: str, pid: int, state: str) -> None:
    await tx.run(SQL["see_worker"], {"id": worker, "stages": list(stages), "host": host, "pid": pid, "state": state})


async def workers(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["workers"])

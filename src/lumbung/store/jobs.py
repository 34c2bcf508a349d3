"""Jobs and the outbox: queued with the artefact that caused them, in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lumbung.model.job import Job, NewJob
from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("jobs")
OUTBOX_CHANNEL = "lumbung_outbox"
JOBS_A_MESSAGE = 100


@dataclass(frozen=True, slots=True)
class OutboxRow:
    id: int
    stage: str
    jobs: list[int]


async def add(tx: Transaction, jobs: Iterable[NewJob]) -> None:
    wanted = list(jobs)
    if not wanted:
        return
    await tx.run(SQL["add"], columns(wanted) | {"batch": JOBS_A_MESSAGE})
    await tx.notify(OUTBOX_CHANNEL)


def columns(wanted: Sequence[NewJob]) -> dict[str, list[Any]]:
    return {
        "stages": [job.stage for job in wanted],
        "keys": [job.key for job in wanted],
        "payloads": [json(job.payload) for job in wanted],
        "traces": [job.trace for job in wanted],
    }


async def add_later(tx: Transaction, job: NewJob, delay_seconds: float) -> None:
    row = {"stage": job.stage, "key": job.key, "payload": json(job.payload), "delay_seconds": delay_seconds}
    await tx.run(SQL["add_later"], row)
    await tx.notify(OUTBOX_CHANNEL)


async def add_parked(tx: Transaction, jobs: Sequence[NewJob], capability: str, reason: str) -> None:
    await tx.run(SQL["add_parked"], columns(jobs) | {"capability": capability, "reason": reason})


async def open_jobs(tx: Transaction, stage: str, ids: Sequence[int]) -> list[Job]:
    return [Job(**row) for row in await tx.rows(SQL["open"], {"stage": stage, "ids": list(ids)})]


async def finish(tx: Transaction, ids: Sequence[int]) -> set[int]:
    """Those that were still to be done; of two commits one wins, and the other finds nothing."""
    return {row["id"] for row in await tx.rows(SQL["finish"], {"ids": list(ids)})} if ids else set()


async def retry_later(tx: Transaction, job: int, delay_seconds: float, reason: str) -> None:
    await tx.run(SQL["retry_later"], {"id": job, "delay_seconds": delay_seconds, "reason": reason})
    await tx.notify(OUTBOX_CHANNEL)


async def hold_back(tx: Transaction, job: int, delay_seconds: float, reason: str) -> None:
    """Later, through no fault of the job's: it has not used up a try."""
    await tx.run(SQL["hold_back"], {"id": job, "delay_seconds": delay_seconds, "reason": reason})
    await tx.notify(OUTBOX_CHANNEL)


async def bury(tx: Transaction, job: int, reason: str) -> None:
    await tx.run(SQL["bury"], {"id": job, "reason": reason})


async def park(tx: Transaction, job: int, capability: str, reason: str) -> None:
    await tx.run(SQL["park"], {"id": job, "capability": capability, "reason": reason})


async def refuse(tx: Transaction, job: int, reason: str) -> None:
    await tx.run(SQL["refuse"], {"id": job, "reason": reason})


async def wake_due(tx: Transaction) -> int:
    return await tx.run(SQL["wake_due"])


async def seconds_to_next_due(tx: Transaction) -> float | None:
    seconds = await tx.value(SQL["next_due"])
    return None if seconds is None else float(seconds)


async def unpark(tx: Transaction, capability: str) -> None:
    await tx.run(SQL["unpark"], {"capability": capability})
    await tx.notify(OUTBOX_CHANNEL)


async def redrive(
    tx: Transaction, ids: Sequence[int] | None = None, stage: str | None = None, reason: str | None = None
) -> int:
    moved = await tx.value(
        SQL["redrive"], {"ids": None if ids is None else list(ids), "stage": stage, "reason": reason}
    )
    await tx.notify(OUTBOX_CHANNEL)
    return int(moved)


async def dead(tx: Transaction, stage: str | None = None, after: int = 0, limit: int = 100) -> list[Row]:
    return await tx.rows(SQL["dead"], {"stage": stage, "after": after, "limit": limit})


async def dead_one(tx: Transaction, job: int) -> Row | None:
    return await tx.row(SQL["dead_one"], {"id": job})


async def unsent(tx: Transaction, limit: int) -> list[OutboxRow]:
    return [OutboxRow(**row) for row in await tx.rows(SQL["unsent"], {"limit": limit})]


async def mark_sent(tx: Transaction, ids: Sequence[int]) -> None:
    await tx.run(SQL["sent"], {"ids": list(ids)})


async def ready_of(tx: Transaction, stage: str, limit: int) -> list[int]:
    return [row["id"] for row in await tx.rows(SQL["ready_of"], {"stage": stage, "limit": limit})]


async def ready_count(tx: Transaction, stage: str, limit: int) -> int:
    return int(await tx.value(SQL["ready_count"], {"stage": stage, "limit": limit}))


async def unsent_counts(tx: Transaction) -> dict[str, int]:
    return {row["stage"]: row["messages"] for row in await tx.rows(SQL["unsent_counts"])}


async def outbox_holds(tx: Transaction, stage: str) -> bool:
    return bool(await tx.value(SQL["outbox_holds"], {"stage": stage}))


async def resend(tx: Transaction, stage: str, ids: Sequence[int]) -> int:
    sent = await tx.value(SQL["resend"], {"stage": stage, "ids": list(ids), "batch": JOBS_A_MESSAGE})
    await tx.notify(OUTBOX_CHANNEL)
    return int(sent)


async def counts(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["counts"])


async def unfinished(tx: Transaction) -> bool:
    return bool(await tx.value(SQL["unfinished"]))


async def record_figure(tx: Transaction, stage: str, outcome: str, jobs: int, busy_seconds: float) -> None:
    await tx.run(SQL["figure"], {"stage": stage, "outcome": outcome, "jobs": jobs, "busy_seconds": busy_seconds})


async def figures(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["figures"])

"""Batches and what they brought."""

from __future__ import annotations

from lumbung.store import entries
from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("batches")


async def candidates_of(tx: Transaction, batch: int) -> list[str]:
    return [row["digest"] for row in await tx.rows(SQL["candidates_of"], {"batch": batch})]


async def mark_undone(tx: Transaction, batch: int) -> bool:
    return await tx.row(SQL["mark_undone"], {"batch": batch}) is not None


async def human_owned(tx: Transaction, batch: int) -> list[str]:
    return [row["identity"] for row in await tx.rows(SQL["human_owned"], {"batch": batch})]


async def hold_released(tx: Transaction, batch: int, note: str) -> list[str]:
    """What a release batch showed goes back to what waits; a release brings no candidates that could be retracted."""
    rows = await tx.rows(SQL["hold_again"], {"batch": batch})
    for row in rows:
        await entries.add_revision(tx, row["identity"], row["revision"], "machine", {"status": "held"}, note=note)
    return sorted(row["identity"] for row in rows)


async def undone_of_run(tx: Transaction, run: str) -> int:
    """How many batches of runs that begin so were undone."""
    return int(await tx.value(SQL["undone_of_run"], {"run": run}))


async def listed(tx: Transaction, before: int = 2**31, limit: int = 50) -> list[Row]:
    return await tx.rows(SQL["listed"], {"before": before, "limit": limit})

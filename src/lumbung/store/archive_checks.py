"""What the archive holds as the database cites it, and how far a verification of it has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lumbung.store.console import COUNT_CAP
from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("archive_checks")
MOST_FAULTS = 200
"""A broken archive has as many faults as pages; the first ones tell what happened."""


@dataclass(frozen=True, slots=True)
class OpenCheck:
    id: int
    after: int


@dataclass(frozen=True, slots=True)
class Checked:
    """What one batch showed: where it ended, how many records it read, and what is wrong with which address."""

    after: int
    records: int
    faults: Sequence[tuple[str, str]]
    ended: bool


async def ask(tx: Transaction, action: int) -> int | None:
    """None where a verification is under way already."""
    found = await tx.value(SQL["ask"], {"action": action})
    return None if found is None else int(found)


async def open_check(tx: Transaction) -> OpenCheck | None:
    """The one that waits or has begun, unless another process is at it now."""
    row = await tx.row(SQL["open"])
    return None if row is None else OpenCheck(**row)


async def places(tx: Transaction, after: int, limit: int) -> list[Row]:
    return await tx.rows(SQL["places"], {"after": after, "limit": limit})


async def advance(tx: Transaction, check: int, done: Checked) -> None:
    faults = [{"url": url, "fault": fault} for url, fault in done.faults[:MOST_FAULTS]]
    counted = {"records": done.records, "damaged": len(done.faults), "faults": json(faults), "ended": done.ended}
    await tx.run(SQL["advance"], counted | {"id": check, "after": done.after, "most": MOST_FAULTS})


async def latest(tx: Transaction, limit: int = 5) -> list[Row]:
    return await tx.rows(SQL["latest"], {"limit": limit})


async def cited(tx: Transaction, after: str, limit: int) -> list[Row]:
    return await tx.rows(SQL["cited"], {"after": after, "limit": limit})


async def waiting(tx: Transaction) -> Row:
    return await tx.row(SQL["waiting"], {"cap": COUNT_CAP}) or {}


async def erasures(tx: Transaction, limit: int = 20) -> list[Row]:
    return await tx.rows(SQL["erasures"], {"limit": limit})

"""For how long people have been waited for."""

from __future__ import annotations

from lumbung.store.database import Transaction, named_queries

SQL = named_queries("waiting")


async def oldest_review_seconds(tx: Transaction) -> float:
    return float(await tx.value(SQL["oldest_review_seconds"]))


async def old_notices(tx: Transaction, kind: str, seconds: float) -> int:
    return int(await tx.value(SQL["old_notices"], {"kind": kind, "seconds": seconds}))

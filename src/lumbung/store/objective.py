"""What was gained and gone through, counted."""

from __future__ import annotations

from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("objective")


async def gained(tx: Transaction, seconds: float) -> list[Row]:
    return await tx.rows(SQL["gained"], {"seconds": seconds})


async def withheld(tx: Transaction) -> list[Row]:
    """Facts of machine entries in shadow and in review that are expected to be right, by status and category."""
    return await tx.rows(SQL["withheld"])


async def modes_asked_for(tx: Transaction) -> list[str]:
    """Categories whose raising waits for a second person."""
    return [row["subject"] for row in await tx.rows(SQL["modes_asked_for"])]


async def dead_by_stage(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["dead_by_stage"])


async def funnel(tx: Transaction) -> dict[str, int]:
    return {name: int(value) for name, value in (await tx.row(SQL["funnel"]) or {}).items()}


async def funnel_by_host(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["funnel_by_host"])


async def squared_costs(tx: Transaction) -> dict[str, float]:
    return {row["stage"]: row["squares"] for row in await tx.rows(SQL["squared_costs"])}


async def novelty_labels(tx: Transaction) -> Row:
    return await tx.row(SQL["duplicates"]) or {"novel": 0, "duplicate": 0}


async def human_work(tx: Transaction, seconds: float) -> list[Row]:
    return await tx.rows(SQL["human_work"], {"seconds": seconds})

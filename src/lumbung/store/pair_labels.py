"""People's verdicts about pairs with what the rule saw of them, and the record of the matcher's trials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("pair_labels")


async def labelled(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["labelled"])


async def word_on(tx: Transaction, a: str, b: str) -> str | None:
    found = await tx.value(SQL["word_on"], {"a": a, "b": b})
    return None if found is None else str(found)


async def latest(tx: Transaction, limit: int = 10) -> list[Row]:
    return await tx.rows(SQL["latest"], {"limit": limit})


async def seen(tx: Transaction) -> str:
    """Changes whenever a verdict is given or taken back."""
    return str(await tx.value(SQL["seen"]))


async def was_tried(tx: Transaction, state: str) -> bool:
    return bool(await tx.value(SQL["was_tried"], {"seen": state}))


async def add_trial(
    tx: Transaction, state: str, verdict: str, figures: Mapping[str, Any], model: Mapping[str, Any]
) -> None:
    values = {"seen": state, "verdict": verdict, "figures": json(dict(figures)), "model": json(dict(model))}
    await tx.run(SQL["add"], values)


async def trials(tx: Transaction, limit: int = 10) -> list[Row]:
    """The newest first."""
    return await tx.rows(SQL["trials"], {"limit": limit})

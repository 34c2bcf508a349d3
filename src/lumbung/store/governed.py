"""Governed rows: every constant of the method, with its history, and the chained log of who changed what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("governed")


async def values_now(tx: Transaction) -> dict[str, Any]:
    return {row["name"]: row["value"] for row in await tx.rows(SQL["now"])}


async def versions_now(tx: Transaction) -> dict[str, int]:
    return {row["name"]: row["version"] for row in await tx.rows(SQL["now"])}


async def set_value(tx: Transaction, name: str, value: Any, action: int) -> int:
    return int(await tx.value(SQL["set"], {"name": name, "value": json(value), "action": action}))


async def history(tx: Transaction, name: str) -> list[Row]:
    return await tx.rows(SQL["history"], {"name": name})


async def append_action(
    tx: Transaction, person: int | None, verb: str, subject: str, reason: str, effect: Mapping[str, Any]
) -> int:
    """One line of the log; the database chains it to the line before."""
    return int(
        await tx.value(
            SQL["append"],
            {"person": person, "verb": verb, "subject": subject, "reason": reason, "effect": json(effect)},
        )
    )


async def broken_links(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["broken"])


async def log_tail(tx: Transaction, before: int = 2**62, limit: int = 100) -> list[Row]:
    return await tx.rows(SQL["tail"], {"before": before, "limit": limit})


async def add_human_act(tx: Transaction, kind: str, a: str, action: int, b: str = "", value: str = "") -> None:
    await tx.run(SQL["add_human_act"], {"kind": kind, "a": a, "b": b, "value": value, "action": action})

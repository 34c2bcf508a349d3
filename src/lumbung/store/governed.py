"""Governed rows: every constant of the method, with its history, and the chained log of who changed what."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("governed")


async def values_now(tx: Transaction) -> dict[str, Any]:
    return {row["name"]: row["value"] for row in await tx.rows(SQL["now"])}


async def first_values(tx: Transaction) -> dict[str, Any]:
    """What each row said before anybody changed it."""
    return {row["name"]: row["value"] for row in await tx.rows(SQL["first"])}


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


async def all_in_force_at(tx: Transaction, at: datetime) -> list[Row]:
    return await tx.rows(SQL["all_in_force"], {"at": at})


async def in_force_when_published(tx: Transaction, entry: str) -> list[Row]:
    """Every row as it was in force when this entry was last written into the library."""
    at = await tx.value(SQL["published_at"], {"entry": entry})
    return [] if at is None else await all_in_force_at(tx, at)


async def broken_links(tx: Transaction, limit: int = 20) -> list[Row]:
    """Where the chain of the log does not hold: `seq` and `fault`."""
    return await tx.rows(SQL["broken"], {"limit": limit})


async def unsealed_rows(tx: Transaction, limit: int = 20) -> list[Row]:
    """Governed rows, labels, sign-offs, grants and human acts that are not what the log says they were."""
    return await tx.rows(SQL["unsealed"], {"limit": limit})


async def head(tx: Transaction) -> tuple[int, str]:
    row = await tx.row(SQL["head"])
    return (0, "") if row is None else (row["seq"], row["hash"])


async def line(tx: Transaction, seq: int) -> Row | None:
    return await tx.row(SQL["line"], {"seq": seq})


async def log_tail(
    tx: Transaction, before: int = 2**62, limit: int = 100, verb: str | None = None, subject: str | None = None
) -> list[Row]:
    return await tx.rows(SQL["tail"], {"before": before, "limit": limit, "verb": verb, "subject": subject})


async def whole_log(tx: Transaction) -> AsyncIterator[Row]:
    async for row in tx.stream(SQL["export"], {}):
        yield row


async def add_human_act(tx: Transaction, kind: str, a: str, action: int, b: str = "", value: str = "") -> None:
    await tx.run(SQL["add_human_act"], {"kind": kind, "a": a, "b": b, "value": value, "action": action})


async def revoke_human_acts(
    tx: Transaction, kinds: Sequence[str], nodes: Sequence[str], action: int, b: str = "", value: str = ""
) -> None:
    """Earlier words on the same question no longer count; they stay in the log."""
    await tx.run(
        SQL["revoke_human_acts"],
        {"kinds": list(kinds), "nodes": list(nodes), "action": action, "b": b, "value": value},
    )


async def revoke_acts_of(tx: Transaction, earlier: int, action: int) -> None:
    """What an earlier action made people's word counts no more."""
    await tx.run(SQL["revoke_acts_of"], {"of": earlier, "action": action})


async def demote(tx: Transaction, category: str, target: str, cause: str, evidence: Mapping[str, Any]) -> int | None:
    """The machine's own act: it may lower a category, and the database lets it do nothing else. None if it is as low."""
    line_ = await tx.value(
        SQL["demote"], {"category": category, "target": target, "cause": cause, "evidence": json(dict(evidence))}
    )
    return None if line_ is None else int(line_)

"""Requests that wait for a second person, with the sign-offs they gather."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("requests")


async def add(tx: Transaction, verb: str, subject: str, payload: Mapping[str, Any], reason: str, asked_by: int) -> int:
    values = {"verb": verb, "subject": subject, "payload": json(dict(payload)), "reason": reason, "asked_by": asked_by}
    return int(await tx.value(SQL["add"], values))


async def same_open(tx: Transaction, verb: str, subject: str, payload: Mapping[str, Any]) -> int | None:
    found = await tx.value(SQL["same_open"], {"verb": verb, "subject": subject, "payload": json(dict(payload))})
    return None if found is None else int(found)


async def get(tx: Transaction, request: int) -> Row | None:
    """Locked until the commit, so that two answers cannot both count."""
    return await tx.row(SQL["get"], {"id": request})


async def listed(
    tx: Transaction, state: str | None = "open", subject: str | None = None, limit: int = 200
) -> list[Row]:
    return with_moments(await tx.rows(SQL["listed"], {"state": state, "subject": subject, "limit": limit}))


async def raised(tx: Transaction) -> dict[str, Row]:
    """By category: the request that last raised it, with its sign-offs."""
    return {row["subject"]: row for row in with_moments(await tx.rows(SQL["raised"]))}


def with_moments(rows: list[Row]) -> list[Row]:
    """A moment inside JSON is a text; here it becomes one again."""
    for row in rows:
        for signed_ in row["sign_offs"]:
            signed_["at"] = datetime.fromisoformat(signed_["at"])
    return rows


async def close(tx: Transaction, request: int, state: str, by: int, answer: str, single_handed: bool = False) -> bool:
    values = {"id": request, "state": state, "by": by, "answer": answer, "single_handed": single_handed}
    return await tx.value(SQL["close"], values) is not None


async def sign(tx: Transaction, request: int, risk: str, person: int, figures: Mapping[str, Any], note: str) -> bool:
    values = {"request": request, "risk": risk, "person": person, "figures": json(dict(figures)), "note": note}
    return await tx.value(SQL["sign"], values) is not None


async def signed(tx: Transaction, request: int) -> list[Row]:
    return await tx.rows(SQL["signed"], {"request": request})

"""A request that is sent again under its key gets the first answer, and has no second effect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("idempotency")


async def find(tx: Transaction, person: int, key: str) -> Row | None:
    """The answer that is kept; the key is this transaction's until its end."""
    await tx.rows(SQL["lock"], {"person": person, "key": key})
    return await tx.row(SQL["find"], {"person": person, "key": key})


async def keep(tx: Transaction, person: int, key: str, digest: str, status: int, answer: Mapping[str, Any]) -> None:
    parameters = {"person": person, "key": key, "digest": digest, "status": status, "answer": json(dict(answer))}
    await tx.run(SQL["keep"], parameters)
    await tx.run(SQL["forget_old"], {"person": person})

"""Rows for OAI-PMH, keyset by datestamp and identity."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("oai")


async def page(tx: Transaction, scope: Mapping[str, Any], after: tuple[str, str] | None, limit: int) -> list[Row]:
    at, identity = after or (None, "")
    return await tx.rows(SQL["page"], {**scope, "after_at": at, "after_identity": identity, "limit": limit})


async def one(tx: Transaction, identity: str) -> Row | None:
    return await tx.row(SQL["one"], {"identity": identity})


async def earliest(tx: Transaction) -> datetime | None:
    return await tx.value(SQL["earliest"])  # type: ignore[no-any-return]

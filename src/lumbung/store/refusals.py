"""Refusals: nothing is dropped without a recorded reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("refusals")


async def add(tx: Transaction, stage: str, subject: str, reason: str, detail: Mapping[str, Any] | None = None) -> None:
    await tx.run(SQL["add"], {"stage": stage, "subject": subject, "reason": reason, "detail": json(dict(detail or {}))})


async def counts(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["counts"])

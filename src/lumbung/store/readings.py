"""Readings: which extractor has read which page, so that a page is read once by each version."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("readings")


def reading_key(url: str, digest: str, extractor: str) -> str:
    """The key of the job that reads this page with this extractor."""
    return sha256(f"{url}\x1f{digest}\x1f{extractor}".encode()).hexdigest()


async def unread(tx: Transaction, extractor: str, cleaner: str, where: Mapping[str, str | None]) -> list[Row]:
    return await tx.rows(SQL["unread"], {"extractor": extractor, "cleaner": cleaner, **where})


async def keep(tx: Transaction, document: int, extractor: str, cleaner: str) -> None:
    await tx.run(SQL["keep"], {"document": document, "extractor": extractor, "cleaner": cleaner})

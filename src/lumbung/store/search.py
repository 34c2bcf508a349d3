"""Search rows, written in the transaction that writes the entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lumbung.store.database import Row, Transaction, named_queries
from lumbung.text.search import name_terms, word_terms

SQL = named_queries("search")


@dataclass(frozen=True, slots=True)
class Asked:
    terms: Sequence[str] = ()
    category: str | None = None
    regions: Sequence[str] | None = None
    after: tuple[int, str, str] = (0, "", "")
    limit: int = 20


async def index(tx: Transaction, entry: str, names: Sequence[str], body: str) -> None:
    own = name_terms(names)
    await tx.run(SQL["index"], {"entry": entry, "names": sorted(own), "words": sorted(own | set(word_terms(body)))})


async def find(tx: Transaction, asked: Asked) -> list[Row]:
    parameters = {
        "terms": list(asked.terms),
        "category": asked.category,
        "region": asked.regions[0] if asked.regions else None,
        "regions": list(asked.regions or []),
        "after_tier": asked.after[0],
        "after_title": asked.after[1],
        "after_identity": asked.after[2],
        "limit": asked.limit,
    }
    return await tx.rows(SQL["find" if asked.terms else "browse"], parameters)


async def by_category(tx: Transaction) -> dict[str, int]:
    return {row["category"]: row["entries"] for row in await tx.rows(SQL["by_category"])}


async def by_region(tx: Transaction) -> dict[str, int]:
    return {row["region"]: row["entries"] for row in await tx.rows(SQL["by_region"])}


async def latest(tx: Transaction, limit: int = 20) -> list[Row]:
    return await tx.rows(SQL["latest"], {"limit": limit})

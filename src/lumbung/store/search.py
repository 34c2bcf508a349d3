"""Search rows, written in the transaction that writes the entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lumbung.store.database import Row, Transaction, named_queries
from lumbung.text.search import name_terms, word_terms

SQL = named_queries("search")
MOST_FOUND = 500
"""Of a word that more entries have than this, some are found: nobody reads further."""
COMMON_FROM = 40
"""A word is common that so many of the table's first two thousand rows have: reading on is cheaper than what the index knows of it."""


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
    """A page of what is asked for; what is shown of an entry is read for those of the page alone."""
    parameters = {
        "terms": list(asked.terms),
        "category": asked.category,
        "regions": list(asked.regions or []),
        "after_tier": asked.after[0],
        "after_title": asked.after[1],
        "after_identity": asked.after[2],
        "limit": asked.limit,
        "most": MOST_FOUND,
        "common": COMMON_FROM,
    }
    page = await tx.rows(SQL[query_for(asked)], parameters)
    shown = {"identities": [row["identity"] for row in page], "tiers": [row["tier"] for row in page]}
    return await tx.rows(SQL["cards"], shown) if page else []


async def near(tx: Transaction, beginnings: Sequence[str], every: bool) -> list[Row]:
    """Entries with a name of words that begin so: with every one of these beginnings, or with any."""
    asked = {"beginnings": list(beginnings), "every": every, "most": MOST_FOUND}
    return await tx.rows(SQL["near"], asked) if beginnings else []


def query_for(asked: Asked) -> str:
    """One statement for each kind of question, because one plan for all of them would walk past most of the library."""
    if asked.terms:
        return "find"
    facets = [name for name, given in (("category", asked.category), ("regions", asked.regions)) if given]
    return "titles_in_" + "_and_".join(facets) if facets else "titles"


async def published(tx: Transaction) -> list[Row]:
    """How many entries of each owner and category readers find."""
    return await tx.rows(SQL["published"])


async def by_region(tx: Transaction) -> dict[str, int]:
    return {row["region"]: row["entries"] for row in await tx.rows(SQL["by_region"])}


async def sitemap_starts(tx: Transaction, size: int) -> list[str]:
    return [row["identity"] for row in await tx.rows(SQL["sitemap_starts"], {"size": size})]


async def sitemap(tx: Transaction, start: str, limit: int) -> list[Row]:
    return await tx.rows(SQL["sitemap"], {"start": start, "limit": limit})


async def latest(tx: Transaction, limit: int = 20) -> list[Row]:
    return await tx.rows(SQL["latest"], {"limit": limit})

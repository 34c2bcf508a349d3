"""The ledger of what was written to a library, and the facts that an import brings with their sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from lumbung.model.item import ItemFact
from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("publications")


def fact_row(fact: ItemFact) -> dict[str, Any]:
    return asdict(fact) | {"claims": list(fact.claims)}


async def keep_facts(tx: Transaction, entry: str, facts: Sequence[ItemFact]) -> None:
    rows = json([fact_row(fact) for fact in facts])
    await tx.run(SQL["add_facts"], {"entry": entry, "facts": rows})
    await tx.run(SQL["add_sources"], {"entry": entry, "facts": rows})


async def claims_of(tx: Transaction, candidate: str) -> list[Row]:
    return await tx.rows(SQL["claims_of"], {"candidate": candidate})


async def pages_of(tx: Transaction, cleaner: str, pages: Sequence[tuple[str, str]]) -> list[Row]:
    """The cleaned text of pages, by URL and payload digest."""
    wanted = {"urls": [url for url, _ in pages], "digests": [digest for _, digest in pages]}
    return await tx.rows(SQL["pages_of"], wanted | {"cleaner": cleaner})


async def ledger_of(tx: Transaction, library: str, identities: Sequence[str]) -> dict[str, Row]:
    """The newest line of each entry that this library was sent."""
    rows = await tx.rows(SQL["ledger_of"], {"library": library, "identities": list(identities)})
    return {row["entry"]: row for row in rows}


async def record(tx: Transaction, values: Mapping[str, Any]) -> None:
    await tx.run(SQL["record"], values)


async def lock_entry(tx: Transaction, identity: str) -> None:
    await tx.rows(SQL["lock_entry"], {"identity": identity})


async def sources_of(tx: Transaction, claims: Sequence[int]) -> dict[int, Row]:
    return {row["id"]: row for row in await tx.rows(SQL["sources_of"], {"claims": list(claims)})}

"""The ledger of what was written to a library, and the facts that an import brings with their sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from lumbung.model.item import ItemFact
from lumbung.store import entries, search
from lumbung.store.database import Row, Transaction, json, named_queries
from lumbung.store.entries import MachineEntry
from lumbung.text.search import name_terms, word_terms

SQL = named_queries("publications")


def fact_row(fact: ItemFact) -> dict[str, Any]:
    return asdict(fact) | {"claims": list(fact.claims)}


async def keep_facts(tx: Transaction, entry: str, facts: Sequence[ItemFact]) -> None:
    await entries.add_facts(tx, entry, [fact_row(fact) for fact in facts])


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


async def held(tx: Transaction, identities: Sequence[str]) -> dict[str, Row]:
    """What stands under these identities now; the machine's own rows are locked, people's are out of its reach."""
    parameters = {"identities": list(identities)}
    await tx.rows(SQL["lock_own"], parameters)
    return {row["identity"]: row for row in await tx.rows(SQL["held"], parameters)}


async def part(tx: Transaction, item: int, identity: str) -> bool:
    """The item goes on under another identity; False when that is another item's."""
    return await tx.run(SQL["part"], {"item": item, "identity": identity}) > 0


async def titles_of(tx: Transaction, identities: Sequence[str]) -> dict[str, str]:
    if not identities:
        return {}
    rows = await tx.rows(SQL["held"], {"identities": list(identities)})
    return {row["identity"]: row["title"] for row in rows}


def search_row(entry: MachineEntry) -> dict[str, Any]:
    names = name_terms([entry.title, *entry.aliases])
    return {"entry": entry.identity, "names": sorted(names), "words": sorted(names | set(word_terms(entry.body)))}


async def write_entries(tx: Transaction, written: Sequence[MachineEntry]) -> None:
    """The upsert of Eq. (20) for many entries: rows, facts, sources, search, history, ledger and batch."""
    if not written:
        return
    contents = [{name: getattr(entry, name) for name in MachineEntry.__slots__} for entry in written]
    rows = json([content | {"facts": [dict(fact) for fact in content["facts"]]} for content in contents])
    await tx.run(SQL["write_all"], {"rows": rows})
    identities = [entry.identity for entry in written]
    await tx.run(SQL["drop_all_facts"], {"identities": identities})
    await tx.run(SQL["add_all_facts"], {"rows": rows})
    await tx.run(SQL["add_all_sources"], {"rows": rows})
    await tx.run_many(search.SQL["index"], [search_row(entry) for entry in written])
    await tx.run(SQL["add_revisions"], {"rows": rows})
    await tx.run(SQL["drop_redirects"], {"identities": identities})
    await tx.run(SQL["record_all"], {"identities": identities})
    await tx.run(SQL["mark_batches"], {"identities": identities})

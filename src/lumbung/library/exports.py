"""Entries out: the operator's form, and the canonical form in which two libraries can be compared."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from lumbung.equations.identity import identity
from lumbung.library.disclosure import flag_of, public_record
from lumbung.library.exported_lines import inferred_region
from lumbung.store import entries
from lumbung.store.database import Transaction
from lumbung.text.names import name_key

STATUSES = ("published", "shadow", "review", "held", "tombstone")
"""All but withdrawn, which binds nothing."""

Record = dict[str, Any]


async def exported(tx: Transaction, statuses: Sequence[str]) -> AsyncIterator[Record]:
    """The operator's lines: all that another installation needs to be this library."""
    async for row in entries.export(tx, statuses, history=True):
        yield record_of(row) | kept_beside(row)


async def disclosed(tx: Transaction, statuses: Sequence[str]) -> AsyncIterator[Record]:
    """Lines for others: what people hid, and what a community's label withholds, is not in them."""
    async for row in entries.export(tx, statuses):
        yield public_record(row)


def kept_beside(row: Record) -> Record:
    """What no reader is shown on the page but a library must not lose; only what is set."""
    beside = {
        "status_reason": row["status_reason"],
        "contributor": row["contributor"],
        "licence": row["licence"],
        "library": row["library"] if row["remote_id"] else None,
        "remote_id": row["remote_id"],
        "remote_revision": row["remote_revision"],
        "redirects": row["redirects"],
        "files": row["files"] if row["media"] else [],
        "history": row["history"],
    }
    if row["history"]:
        beside["revision"] = row["revision"]
    kept = {name: value for name, value in beside.items() if value}
    return kept | ({"note": row["note"]} if row["note"] is not None else {})


def record_of(row: Record) -> Record:
    """A human entry shows its own text and no facts, unless a machine entry became theirs: then its facts, frozen."""
    record: Record = {
        "identity": row["identity"],
        "title": row["title"],
        "aliases": sorted(row["aliases"]),
        "category": row["category"],
        "regions": sorted(row["regions"]),
        "owner": row["owner"],
        "status": row["status"],
        "text": row["body"],
        "facts": [fact_of(fact) for fact in row["facts"]],
        "supplements": row["supplements"],
        "media": row["media"] or row["files"],
    }
    if row["supplement_of"]:
        record["supplement_of"] = row["supplement_of"]
    marks = {"labels": row["own_labels"], "hidden": row["own_hidden"], "sensitive": row["sensitive"]}
    record |= {name: value for name, value in marks.items() if value}
    if row["primary_region"] != inferred_region(row["identity"], row["category"], row["title"], record["regions"]):
        record["primary_region"] = row["primary_region"]
    return record


def fact_of(fact: Record) -> Record:
    return {
        "attribute": fact["attribute"],
        "value": fact["value"],
        "confidence": fact["probability"],
        "flag": flag_of(fact),
        "sources": [
            {"url": each["url"], "quote": each["quote"], "archive": archive_of(each)} for each in fact["sources"]
        ],
    }


def archive_of(source: Record) -> str | None:
    """Where the archived page is cited: file, offset and digest."""
    if source["archive"] is None:
        return f"sha256:{source['digest']}"
    return f"{source['archive']}@{source['archive_offset']}#sha256:{source['digest']}"


async def canonical_export(tx: Transaction, statuses: Sequence[str]) -> list[Record]:
    """Sorted, without timestamps or batch numbers; identity is Eq. (17) over the present values."""
    rows = [row async for row in entries.export(tx, statuses)]
    present = {row["identity"]: present_identity(row) for row in rows}
    records = [canonical_record(row, present) for row in rows]
    return sorted(records, key=canonical_order)


def canonical_order(record: Record) -> tuple[str, str, str, str]:
    """Namesakes that differ in nothing but their facts or regions have one order too."""
    return record["identity"], record["owner"], record["title"], json.dumps(record, ensure_ascii=False, sort_keys=True)


def present_identity(row: Record) -> str:
    return identity(row["category"] or "", name_key(row["title"]), row["primary_region"])


def canonical_record(row: Record, present: dict[str, str]) -> Record:
    record = record_of(row)
    record.pop("primary_region", None)
    record["identity"] = present[row["identity"]]
    record["supplements"] = sorted(present.get(each, each) for each in row["supplements"])
    if row["supplement_of"]:
        record["supplement_of"] = present.get(row["supplement_of"], row["supplement_of"])
    record["facts"] = sorted(
        (canonical_fact(fact) for fact in row["facts"]), key=lambda fact: (fact["attribute"], fact["value"])
    )
    record["media"] = sorted(record["media"], key=str)
    return record


def canonical_fact(fact: Record) -> Record:
    plain = fact_of(fact)
    plain["confidence"] = round(plain["confidence"], 6)
    plain["sources"] = sorted(
        (
            {"url": each["url"], "quote": each["quote"], "archive": f"sha256:{each['digest']}"}
            for each in fact["sources"]
        ),
        key=lambda source: (source["url"], source["quote"]),
    )
    return plain

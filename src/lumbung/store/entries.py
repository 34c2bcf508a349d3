"""Entries, their facts, revisions and redirects."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lumbung.store import search
from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("entries")
MOST_FOLDED = 50
"""Revisions that are looked through for what readers saw before one of them."""


@dataclass(frozen=True, slots=True)
class MachineEntry:
    identity: str
    status: str
    status_reason: str | None
    supplement_of: str | None
    category: str
    title: str
    name_key: str
    aliases: list[str]
    alias_keys: list[str]
    regions: list[str]
    primary_region: str
    body: str
    media: list[dict[str, Any]]
    digest: str
    sensitive: bool
    batch: int
    facts: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class HumanEntry:
    identity: str
    category: str | None
    title: str
    name_key: str
    aliases: list[str]
    alias_keys: list[str]
    regions: list[str]
    primary_region: str
    body: str
    files: list[Any]
    contributor: str | None
    licence: str | None
    library: str
    remote_id: str | None
    remote_revision: str | None


async def get(tx: Transaction, identity: str) -> Row | None:
    return await tx.row(SQL["get"], {"identity": identity})


async def lock_revision(tx: Transaction, identity: str) -> int | None:
    """The revision at which an entry stands until the end of this transaction."""
    revision = await tx.value(SQL["lock_revision"], {"identity": identity})
    return None if revision is None else int(revision)


async def get_locked(tx: Transaction, identities: Sequence[str]) -> dict[str, Row]:
    rows = await tx.rows(SQL["get_locked"], {"identities": sorted(identities)})
    return {row["identity"]: row for row in rows}


async def write_machine(tx: Transaction, entry: MachineEntry) -> int | None:
    """The new revision, or None when the identity is owned by people: then nothing was written."""
    values = {name: getattr(entry, name) for name in MachineEntry.__slots__ if name != "facts"}
    revision = await tx.value(SQL["write_machine"], values | {"media": json(entry.media)})
    if revision is None:
        return None
    await tx.run(SQL["drop_facts"], {"entry": entry.identity})
    facts = [dict(fact) for fact in entry.facts]
    if facts:
        await add_facts(tx, entry.identity, facts)
    await search.index(tx, entry.identity, [entry.title, *entry.aliases], entry.body)
    content = values | {"facts": facts}
    await add_revision(tx, entry.identity, int(revision), "machine", content, batch=entry.batch)
    return int(revision)


async def add_facts(tx: Transaction, entry: str, facts: Sequence[Mapping[str, Any]]) -> None:
    rows = {"entry": entry, "facts": json(list(facts))}
    await tx.run(SQL["add_facts"], rows)
    await tx.run(SQL["add_sources"], rows)


async def withdraw(tx: Transaction, identity: str, reason: str) -> int | None:
    revision = await tx.value(SQL["withdraw"], {"identity": identity, "reason": reason})
    if revision is None:
        return None
    await tx.run(SQL["drop_facts"], {"entry": identity})
    await add_revision(tx, identity, int(revision), "machine", {"status": "withdrawn"}, note=reason)
    return int(revision)


async def add_revision(
    tx: Transaction,
    entry: str,
    number: int,
    owner: str,
    content: Mapping[str, Any],
    person: int | None = None,
    note: str = "",
    batch: int | None = None,
) -> None:
    await tx.run(
        SQL["add_revision"],
        {
            "entry": entry,
            "number": number,
            "owner": owner,
            "person": person,
            "content": json(dict(content)),
            "note": note,
            "batch": batch,
        },
    )


async def redirect(tx: Transaction, identity: str, target: str, reason: str) -> None:
    await tx.run(SQL["redirect"], {"identity": identity, "target": target, "reason": reason})


async def drop_redirect(tx: Transaction, identity: str) -> None:
    await tx.run(SQL["drop_redirect"], {"identity": identity})


async def target_of(tx: Transaction, identity: str) -> str | None:
    target = await tx.value(SQL["target_of"], {"identity": identity})
    return None if target is None else str(target)


async def open_batch(tx: Transaction, run: str, category: str) -> int:
    return int(await tx.value(SQL["open_batch"], {"run": run, "category": category}))


async def add_publication(
    tx: Transaction,
    entry: str,
    batch: int,
    revision: int,
    digest: str,
    library: str = "reference",
    remote_id: str | None = None,
    remote_revision: str | None = None,
) -> None:
    await tx.run(
        SQL["add_publication"],
        {
            "entry": entry,
            "batch": batch,
            "revision": revision,
            "digest": digest,
            "library": library,
            "remote_id": remote_id,
            "remote_revision": remote_revision,
        },
    )


async def mark_batch(tx: Transaction, batch: int, digests: Sequence[str]) -> None:
    await tx.run(SQL["mark_batch"], {"batch": batch, "digests": list(digests)})


async def write_human(tx: Transaction, entry: HumanEntry, person: int | None, note: str = "") -> bool:
    """False when the identity is known already."""
    values = {name: getattr(entry, name) for name in HumanEntry.__slots__}
    revision = await tx.value(SQL["write_human"], values | {"files": json(entry.files)})
    if revision is None:
        return False
    await search.index(tx, entry.identity, [entry.title, *entry.aliases], entry.body)
    await add_revision(tx, entry.identity, int(revision), "human", values, person, note)
    return True


async def revise_human(
    tx: Transaction,
    entry: HumanEntry,
    person: int | None,
    note: str,
    expected_revision: int | None = None,
    status: str = "published",
    status_reason: str | None = None,
) -> int | None:
    """The new revision; None when somebody else revised it since `expected_revision`."""
    values = {name: getattr(entry, name) for name in HumanEntry.__slots__ if name not in {"library", "remote_id"}}
    revision = await tx.value(
        SQL["revise_human"],
        values
        | {
            "files": json(entry.files),
            "expected_revision": expected_revision,
            "status": status,
            "status_reason": status_reason,
        },
    )
    if revision is None:
        return None
    await search.index(tx, entry.identity, [entry.title, *entry.aliases], entry.body)
    await add_revision(tx, entry.identity, int(revision), "human", values | {"status": status}, person, note)
    return int(revision)


async def last_noted(tx: Transaction, entry: str, notes: Sequence[str]) -> tuple[int, dict[str, Any]] | None:
    """The newest revision with one of these notes: its number and content."""
    row = await tx.row(SQL["last_noted"], {"entry": entry, "notes": list(notes)})
    return None if row is None else (int(row["number"]), row["content"])


async def keep_index_facts(tx: Transaction, entry: str, revision: int, facts: Sequence[tuple[str, str, str]]) -> None:
    """(attribute, value, value key) as stage 2 reads a human text; made anew at each revision."""
    await tx.run(SQL["drop_index_facts"], {"entry": entry})
    await tx.run_many(
        SQL["add_index_fact"],
        [
            {"entry": entry, "revision": revision, "attribute": attribute, "value": value, "value_key": key}
            for attribute, value, key in facts
        ],
    )


async def export(
    tx: Transaction,
    statuses: Sequence[str] | None = None,
    identities: Sequence[str] | None = None,
    *,
    history: bool = False,
) -> AsyncIterator[Row]:
    parameters = {
        "history": history,
        "statuses": None if statuses is None else list(statuses),
        "identities": None if identities is None else list(identities),
    }
    async for row in tx.stream(SQL["export"], parameters):
        yield row


async def exported(tx: Transaction, identity: str) -> Row | None:
    """One entry as `export` gives it, without a cursor."""
    return await tx.row(SQL["export"], {"history": False, "statuses": None, "identities": [identity]})


async def readings_behind(tx: Transaction) -> list[Row]:
    """What read the pages behind the published facts."""
    return await tx.rows(SQL["readings_behind"])


async def agents_behind(tx: Transaction) -> list[Row]:
    """What answered the questions behind them."""
    return await tx.rows(SQL["agents_behind"])


async def contested(tx: Transaction, identity: str) -> list[Row]:
    return await tx.rows(SQL["contested"], {"identity": identity})


async def counts(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["counts"])


async def human_digest(tx: Transaction) -> str:
    return str(await tx.value(SQL["human_digest"]))


async def keep_sketch(tx: Transaction, entry: str, sketch: Sequence[int]) -> None:
    await tx.run(SQL["keep_sketch"], {"entry": entry, "sketch": list(sketch)})


async def sketches_like(tx: Transaction, sketch: Sequence[int]) -> list[list[int]]:
    """Signatures of library texts that share at least one hash with this one."""
    return [row["sketch"] for row in await tx.rows(SQL["sketches_like"], {"sketch": list(sketch)})]


async def sketch_of(tx: Transaction, entry: str) -> list[int]:
    return list(await tx.value(SQL["sketch_of"], {"entry": entry}) or [])


async def published_after(tx: Transaction, after: str, limit: int) -> list[str]:
    """Identities of published entries in their order, for pages by keyset."""
    rows = await tx.rows(SQL["published_after"], {"after": after, "limit": limit})
    return [row["identity"] for row in rows]


async def by_title(tx: Transaction, title: str) -> Row | None:
    return await tx.row(SQL["by_title"], {"title": title})


async def members(tx: Transaction, identity: str) -> list[Row]:
    return await tx.rows(SQL["members"], {"identity": identity})


async def revision(tx: Transaction, entry: str, number: int) -> Row | None:
    return await tx.row(SQL["revision"], {"entry": entry, "number": number})


async def revisions(tx: Transaction, entry: str, limit: int = 100, before: int = 2**31 - 1) -> list[Row]:
    """The newest first; only those with a lower number than `before`."""
    return await tx.rows(SQL["revisions"], {"entry": entry, "limit": limit, "before": before})


async def set_labels(tx: Transaction, identity: str, labels: Sequence[Mapping[str, Any]]) -> None:
    await tx.run(SQL["set_labels"], {"identity": identity, "labels": json(list(labels))})


async def touch_supplements(tx: Transaction, identity: str) -> None:
    await tx.run(SQL["touch_supplements"], {"identity": identity})


async def touch_category(tx: Transaction, category: str) -> None:
    await tx.run(SQL["touch_category"], {"category": category})


async def set_display(
    tx: Transaction, identity: str, labels: Sequence[Mapping[str, Any]], *, hidden: bool, sensitive: bool
) -> None:
    marks = {"labels": json(list(labels)), "hidden": hidden, "sensitive": sensitive}
    await tx.run(SQL["set_display"], marks | {"identity": identity})


async def restore_history(tx: Transaction, entry: str, earlier: Sequence[Mapping[str, Any]], revision: int) -> None:
    """The revisions that an entry had where it comes from, before the one that was just written here."""
    present = (await revisions(tx, entry, 1))[0]
    await tx.run(SQL["drop_revisions"], {"entry": entry})
    for each in earlier:
        content = dict(each["content"]) | {"written_at": each["written_at"]}
        await add_revision(tx, entry, each["number"], each["owner"], content, None, each["note"])
    batch = present["content"].get("batch")
    await add_revision(
        tx, entry, revision, present["owner"], present["content"], present["person"], present["note"], batch
    )
    await tx.run(SQL["renumber"], {"entry": entry, "revision": revision})

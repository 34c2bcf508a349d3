"""People's entries: create, revise, revert, remove with a reason, restore. Each is read again by stage 2."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lumbung.errors import StaleRead, UsageError
from lumbung.library.actions.import_records import queue_reading
from lumbung.model.permission import Actor, allow, scopes_of
from lumbung.store import entries, governed
from lumbung.store.database import Transaction
from lumbung.store.entries import HumanEntry


async def create_entry(tx: Transaction, actor: Actor, entry: HumanEntry, note: str = "") -> str:
    allow(actor, "create-entry")
    if not await entries.write_human(tx, entry, actor.person, note):
        raise UsageError("An entry with the same title and text is there already.")
    await logged(tx, actor, "create-entry", entry.identity, note or "a new contribution", {"revision": 1})
    await queue_reading(tx, entry.identity, 1)
    return entry.identity


async def revise_entry(
    tx: Transaction,
    actor: Actor,
    identity: str,
    changes: HumanEntry,
    expected_revision: int,
    note: str,
    *,
    keeps_files: bool = False,
) -> int:
    """A revision of a machine entry makes it people's own; its facts stay, frozen, with their sources."""
    allow(actor, "revise-entry")
    held = await present(tx, identity)
    revised = replace(changes, identity=identity, files=held["files"] if keeps_files else changes.files)
    revision = await entries.revise_human(tx, revised, actor.person, note, expected_revision, status="published")
    if revision is None:
        raise StaleRead("Somebody else has revised this entry since you opened it; look at their version first.")
    await logged(tx, actor, "revise-entry", identity, note, {"revision": revision, "was": held["owner"]})
    await queue_reading(tx, identity, revision)
    return revision


async def revert_entry(tx: Transaction, actor: Actor, identity: str, number: int, reason: str) -> int:
    allow(actor, "revert-entry", reason=reason)
    held = await present(tx, identity)
    content = await entries.revision(tx, identity, number)
    if content is None or content["owner"] != "human":
        raise UsageError(f"Revision {number} is not one that a person wrote.")
    entry = human_entry(held | {name: value for name, value in content["content"].items() if name in held})
    revision = await entries.revise_human(tx, entry, actor.person, reason)
    await logged(tx, actor, "revert-entry", identity, reason, {"to": number, "revision": revision})
    await queue_reading(tx, identity, revision or 0)
    return revision or 0


async def remove_entry(tx: Transaction, actor: Actor, identity: str, reason: str) -> int:
    """A tombstone binds: what matches it under any name is refused from now on."""
    allow(actor, "remove-entry", scopes_of(await entries.get(tx, identity)), reason)
    held = await present(tx, identity)
    revision = await entries.revise_human(
        tx, human_entry(held), actor.person, reason, status="tombstone", status_reason=reason
    )
    await logged(tx, actor, "remove-entry", identity, reason, {"revision": revision})
    await queue_reading(tx, identity, revision or 0)
    return revision or 0


async def restore_entry(tx: Transaction, actor: Actor, identity: str, reason: str) -> int:
    allow(actor, "restore-entry", scopes_of(await entries.get(tx, identity)), reason)
    held = await existing(tx, identity)
    if held["status"] != "tombstone":
        raise UsageError("This entry is not removed.")
    revision = await entries.revise_human(tx, human_entry(held), actor.person, reason)
    await logged(tx, actor, "restore-entry", identity, reason, {"revision": revision})
    await queue_reading(tx, identity, revision or 0)
    return revision or 0


async def existing(tx: Transaction, identity: str) -> dict[str, Any]:
    held = await entries.get(tx, identity)
    if held is None:
        raise UsageError(f"There is no entry {identity}.")
    return held


async def present(tx: Transaction, identity: str) -> dict[str, Any]:
    """An entry that nobody removed: what a removal took away comes back by a restoration alone."""
    held = await existing(tx, identity)
    if held["status"] == "tombstone":
        raise UsageError("This entry was removed; restore it first.")
    return held


def human_entry(row: dict[str, Any]) -> HumanEntry:
    return HumanEntry(**{name: row[name] for name in HumanEntry.__slots__})


async def logged(tx: Transaction, actor: Actor, verb: str, identity: str, reason: str, effect: dict[str, Any]) -> None:
    await governed.append_action(tx, actor.person, verb, identity, reason, effect)

"""Requests to remove are decided by people; an entry can be hidden at once while it is talked over."""

from __future__ import annotations

from lumbung.errors import UsageError
from lumbung.library.actions.contribute import remove_entry
from lumbung.model.permission import Actor, allow, person_of, scopes_of
from lumbung.store import audits, console, entries, entry_requests, governed
from lumbung.store.database import Transaction


async def decide_takedown(tx: Transaction, actor: Actor, number: int, granted: bool, reason: str) -> str:
    """Granted: the entry becomes a tombstone, which binds. The reason is what the asker is told."""
    about = await entry_requests.takedown_entry(tx, number)
    allow(actor, "decide-takedown", scopes_of(about), reason)
    person = person_of(actor, "decide-takedown")
    state = "granted" if granted else "declined"
    entry = await entry_requests.decide_takedown(tx, number, state, person, reason)
    if entry is None:
        raise UsageError(f"There is no open request {number} to remove an entry.")
    await governed.append_action(tx, person, "decide-takedown", entry, reason, {"takedown": number, "state": state})
    await audits.close_notice_key(tx, f"takedown:{number}", person)
    if granted:
        await remove_entry(tx, actor, entry, reason)
    return entry


async def hide_entry(tx: Transaction, actor: Actor, entry: str, hidden: bool, reason: str) -> str:
    """A hidden entry keeps its page and title; its text and facts, and those of its supplements, are not shown to the public."""
    allow(actor, "hide-entry", scopes_of(await entries.get(tx, entry)), reason)
    person = person_of(actor, "hide-entry")
    title = await console.hide(tx, entry, hidden)
    if title is None:
        raise UsageError(f"There is no entry {entry} that could be {'hidden' if hidden else 'shown'}.")
    await entries.touch_supplements(tx, entry)
    await governed.append_action(tx, person, "hide-entry", entry, reason, {"hidden": hidden})
    return title

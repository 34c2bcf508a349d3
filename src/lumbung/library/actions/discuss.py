"""The discussion of an entry: what people say to each other about it; it is no part of the entry."""

from __future__ import annotations

from lumbung.errors import UsageError
from lumbung.library.actions.contribute import existing, logged, present
from lumbung.library.plain_text import inert
from lumbung.model.permission import Actor, allow, person_of, scopes_of
from lumbung.store import governed, remarks
from lumbung.store.database import Transaction

LONGEST_REMARK = 4000
REMARKS_PER_MINUTE = 20
"""Of one person; more is no talk."""


async def add_remark(tx: Transaction, actor: Actor, identity: str, text: str) -> int:
    """The log tells that somebody spoke; the words stand in the discussion alone, where they can be withheld."""
    allow(actor, "discuss-entry", scopes_of(await existing(tx, identity)))
    said = str(inert(text)).strip()
    if not 1 <= len(said) <= LONGEST_REMARK:
        raise UsageError(f"A remark has between 1 and {LONGEST_REMARK} characters.")
    held = await present(tx, identity)
    if held["status"] != "published":
        raise UsageError("Only an entry that readers can see is discussed.")
    if held["hidden"]:
        raise UsageError("What this entry says is withheld, and so is its discussion.")
    number = await remarks.add(tx, identity, actor.person, said)
    await logged(tx, actor, "discuss-entry", identity, "", {"remark": number})
    return number


async def withhold_remark(tx: Transaction, actor: Actor, number: int, *, withheld: bool, reason: str) -> str:
    """Kept, and no longer shown to readers; or shown to them again."""
    allow(actor, "withhold-remark", scopes_of(await remarks.about(tx, number)), reason)
    person = person_of(actor, "withhold-remark")
    entry = await remarks.withhold(tx, number, reason if withheld else None)
    if entry is None:
        raise UsageError(f"There is no remark {number} that could be {'withheld' if withheld else 'shown again'}.")
    await governed.append_action(tx, person, "withhold-remark", entry, reason, {"remark": number, "withheld": withheld})
    return entry


async def erase_remark(tx: Transaction, actor: Actor, number: int, reason: str) -> str:
    """For good, as whoever spoke or whoever is spoken of may ask; that something was said here stays to be seen."""
    allow(actor, "erase-remark", scopes_of(await remarks.about(tx, number)), reason)
    entry = await remarks.erase(tx, number)
    if entry is None:
        raise UsageError(f"There is no remark {number} that could be erased.")
    await logged(tx, actor, "erase-remark", entry, reason, {"remark": number})
    return entry

"""Under which licence the library gives away what its machine composed: whoever owns the library decides, nobody for them."""

from __future__ import annotations

from lumbung.errors import UsageError
from lumbung.model.permission import Actor, allow
from lumbung.store import governed
from lumbung.store.database import Transaction
from lumbung.text.licence import read_licence

ROW = "library.machine_licence"
VERB = "set-machine-licence"
LONGEST = 100


async def set_machine_licence(tx: Transaction, actor: Actor, licence: str, reason: str) -> str | None:
    """One that is known by its name, kept as its SPDX identifier; nothing means that none is decided. Returns what holds now."""
    allow(actor, VERB, reason=reason)
    named = licence.strip()
    found = read_licence(text=named).licence if named and len(named) <= LONGEST else None
    if named and found is None:
        raise UsageError(f"{named[:LONGEST]} is no licence that is known; write one such as CC-BY-SA-4.0, or nothing.")
    before = await machine_licence(tx)
    action = await governed.append_action(tx, actor.person, VERB, ROW, reason, {"before": before, "after": found})
    await governed.set_value(tx, ROW, found, action)
    return found


async def machine_licence(tx: Transaction) -> str | None:
    """None where nobody has decided."""
    return (await governed.values_now(tx)).get(ROW)

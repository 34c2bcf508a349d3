"""Set or drop a second factor at sign-in."""

from __future__ import annotations

import time

from lumbung.errors import UsageError
from lumbung.governance.second_factor import step_of_code
from lumbung.model.permission import Actor, allow, person_of
from lumbung.store import governed, people
from lumbung.store.database import Transaction


async def set_second_factor(tx: Transaction, actor: Actor, secret: str, code: str) -> None:
    """One's own alone, once a code shows that the secret has arrived in the phone."""
    allow(actor, "set-second-factor")
    person = person_of(actor, "set-second-factor")
    row = await people.get(tx, person)
    if row is None or row["second_factor"]:
        raise UsageError("A second factor is set already.")
    if step_of_code(secret, code, time.time()) is None:
        raise UsageError("The code does not fit; look at the clock of your phone.")
    await people.set_totp(tx, person, secret)
    await governed.append_action(tx, person, "set-second-factor", str(person), "", {"second_factor": True})


async def drop_second_factor(tx: Transaction, actor: Actor, person: int, reason: str = "") -> None:
    """One's own or, with a reason and as operator, that of somebody who lost the phone."""
    allow(actor, "set-second-factor" if actor.person == person else "reset-sign-in", reason=reason)
    row = await people.get(tx, person)
    if row is None or not row["second_factor"]:
        raise UsageError("No second factor is set.")
    await people.set_totp(tx, person, None)
    await governed.append_action(tx, actor.person, "set-second-factor", str(person), reason, {"second_factor": False})

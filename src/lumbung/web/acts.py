"""Acts that only the pages offer, in the shape of all actions: permission, effect, and a line in the log."""

from __future__ import annotations

import time

from lumbung.errors import UsageError
from lumbung.governance.passwords import password_fits
from lumbung.governance.second_factor import code_fits
from lumbung.model.permission import Actor, allow, person_of
from lumbung.store import governed, ledger, people
from lumbung.store.database import Transaction


async def acknowledge_alarm(tx: Transaction, actor: Actor, alarm: int, reason: str) -> None:
    """Whoever may let a paused stage go on answers for having seen why it stood still."""
    allow(actor, "resume-stage", reason=reason)
    person = person_of(actor, "acknowledge-alarm")
    if not await ledger.acknowledge(tx, alarm, person):
        raise UsageError(f"There is no open alarm {alarm}.")
    await governed.append_action(tx, person, "acknowledge-alarm", str(alarm), reason, {"acknowledged": True})


async def check_password(tx: Transaction, person: int, password: str) -> None:
    """So that an open screen is not enough to change how somebody signs in."""
    row = await people.get(tx, person)
    known = await people.by_login(tx, row["login"]) if row else None
    if known is None or not await password_fits(password, known["password_hash"]):
        raise UsageError("The old password is not right.")


async def set_second_factor(tx: Transaction, actor: Actor, secret: str, code: str) -> None:
    """One's own alone, once a code shows that the secret has arrived in the phone."""
    allow(actor, "set-password")
    person = person_of(actor, "set-second-factor")
    row = await people.get(tx, person)
    if row is None or row["second_factor"]:
        raise UsageError("A second factor is set already.")
    if not code_fits(secret, code, time.time()):
        raise UsageError("The code does not fit; look at the clock of your phone.")
    await people.set_totp(tx, person, secret)
    await governed.append_action(tx, person, "set-second-factor", str(person), "", {"second_factor": True})


async def drop_second_factor(tx: Transaction, actor: Actor) -> None:
    allow(actor, "set-password")
    person = person_of(actor, "set-second-factor")
    row = await people.get(tx, person)
    if row is None or not row["second_factor"]:
        raise UsageError("No second factor is set.")
    await people.set_totp(tx, person, None)
    await governed.append_action(tx, person, "set-second-factor", str(person), "", {"second_factor": False})

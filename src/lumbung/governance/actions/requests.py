"""Four eyes: what one person asks for, another carries out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from lumbung.errors import PermissionRefused, PolicyRefused, UsageError
from lumbung.model.permission import ALL_SCOPES, PERMISSIONS, Actor, Role, allow, person_of
from lumbung.store import governed, people, requests
from lumbung.store.database import Row, Transaction

CarryOut = Callable[[Transaction, Actor, Row, str], Awaitable[bool]]
"""Checks what the verb demands, has the effect and writes the log; True if one person did it single-handed."""


async def ask(tx: Transaction, actor: Actor, verb: str, subject: str, payload: Mapping[str, Any], reason: str) -> int:
    """A request in the asker's name; the same one is not asked for twice."""
    if not PERMISSIONS[verb].four_eyes:
        raise UsageError(f"{verb} needs no second person.")
    asked_by = person_of(actor, verb)
    if not reason.strip():
        raise UsageError("A request needs a reason.")
    known = await requests.same_open(tx, verb, subject, payload)
    if known is not None:
        return known
    made = await requests.add(tx, verb, subject, payload, reason, asked_by)
    await governed.append_action(
        tx, asked_by, "ask", subject, reason, {"request": made, "verb": verb, "payload": dict(payload)}
    )
    return made


async def open_request(tx: Transaction, number: int) -> Row:
    row = await requests.get(tx, number)
    if row is None or row["state"] != "open":
        raise UsageError(f"There is no open request {number}.")
    return row


def another_person(actor: Actor, row: Row) -> int:
    person = person_of(actor, row["verb"])
    if person == row["asked_by"]:
        raise PermissionRefused("Nobody approves their own request; somebody else with the role has to.")
    return person


async def still_holds(tx: Transaction, person: int, roles: Collection[Role], scope: str = ALL_SCOPES) -> bool:
    """Whether somebody holds one of the roles now, whatever they held when they asked or signed."""
    actor = await people.actor_of(tx, person)
    return any(actor.holds(role, scope) for role in roles)


def as_asked(row: Row, present: object, known: object) -> None:
    """The second person says yes to the step that was shown, not to one from wherever things stand by now."""
    if present != known:
        raise PolicyRefused(f"{row['subject']} changed since this was asked for; decline the request and ask again.")


async def decline_request(tx: Transaction, actor: Actor, number: int, reason: str) -> None:
    """Declined by somebody who may, or withdrawn by whoever asked."""
    row = await open_request(tx, number)
    own = actor.person is not None and actor.person == row["asked_by"]
    if not own:
        allow(actor, "decline-request", reason=reason)
    person = person_of(actor, "decline-request")
    await requests.close(tx, number, "withdrawn" if own else "declined", person, reason)
    await governed.append_action(
        tx, person, "decline-request", row["subject"], reason, {"request": number, "verb": row["verb"], "own": own}
    )

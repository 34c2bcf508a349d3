"""Accounts and their roles: created, granted for a scope and a time, revoked, erased."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime

from lumbung.errors import PermissionRefused, UsageError
from lumbung.governance.passwords import hash_password
from lumbung.model.permission import ALL_SCOPES, OPERATOR_AT_THE_MACHINE, PERMISSIONS, PUBLISH, Actor, Role, allow
from lumbung.store import governed, people, remarks
from lumbung.store.database import Transaction

LOGIN = re.compile(r"[a-z0-9][a-z0-9._-]{1,39}")
FIRST_ACCOUNT = "first account"
NEW_PASSWORD = "new password"  # noqa: S105 - the purpose of a link
LONGEST_NAME = 200


async def create_person(
    tx: Transaction,
    actor: Actor,
    login: str,
    name: str,
    password: str | None,
    machine: bool = False,
    reason: str = "",
) -> int:
    """Without a password the account can be entered by a one-time link only."""
    allow(actor, "create-person")
    if not LOGIN.fullmatch(login):
        raise UsageError("A login has 2 to 40 small letters, digits, dots, dashes or underscores.")
    shown = clean_name(name) or login
    made = await people.add(tx, login, shown, await hash_password(password) if password else None, machine)
    if made is None:
        raise UsageError(f"The login {login} is taken.")
    await governed.append_action(tx, actor.person, "create-person", str(made), reason, {"machine": machine})
    return made


def clean_name(name: str) -> str:
    visible = "".join(each for each in unicodedata.normalize("NFC", name) if unicodedata.category(each)[0] != "C")
    return " ".join(visible.split())[:LONGEST_NAME]


async def grant_role(
    tx: Transaction,
    actor: Actor,
    person: int,
    role: Role,
    reason: str,
    scope: str = ALL_SCOPES,
    expires_at: datetime | None = None,
) -> int:
    """Nobody raises themselves where there are others who could."""
    allow(actor, "grant-role", reason=reason)
    known = await people.get(tx, person)
    if known is None or known["erased_at"] is not None:
        raise UsageError(f"There is no person {person}.")
    if known["machine"]:
        raise UsageError("A machine account holds no role; its tokens publish, and nothing else.")
    if actor.person == person and await people.governing_people(tx) > 1:
        raise PermissionRefused("Nobody gives themselves a role; another operator has to.")
    made = await people.grant(tx, person, role, scope, actor.person, expires_at)
    until = expires_at.isoformat() if expires_at else None
    await governed.append_action(
        tx, actor.person, "grant-role", str(person), reason, {"role": role.value, "scope": scope, "until": until}
    )
    return made


async def revoke_role(
    tx: Transaction, actor: Actor, person: int, role: Role, reason: str, scope: str | None = None
) -> int:
    allow(actor, "revoke-role", reason=reason)
    revoked = await people.revoke(tx, person, role, scope, actor.person)
    if not revoked:
        raise UsageError(f"Person {person} does not hold the role {role.value}.")
    await governed.append_action(
        tx, actor.person, "revoke-role", str(person), reason, {"role": role.value, "scope": scope, "grants": revoked}
    )
    return revoked


async def set_password(tx: Transaction, actor: Actor, person: int, password: str, reason: str = "") -> None:
    """One's own or, with a reason, anybody's as operator; whoever is signed in with the old one is signed out."""
    allow(actor, "set-password" if actor.person == person else "reset-sign-in", reason=reason)
    if not await people.set_password(tx, person, await hash_password(password)):
        raise UsageError(f"There is no person {person}.")
    await people.end_all(tx, person)
    await governed.append_action(tx, actor.person, "set-password", str(person), reason, {"sessions": "ended"})


async def erase_person(tx: Transaction, actor: Actor, person: int, reason: str) -> None:
    """Blanks the name row and what they said in discussions; what the person did stays, under a number."""
    allow(actor, "erase-person", reason=reason)
    for role in Role:
        await people.revoke(tx, person, role, None, actor.person)
    if not await people.erase(tx, person):
        raise UsageError(f"There is no person {person}.")
    await remarks.erase_of(tx, person)
    await governed.append_action(tx, actor.person, "erase-person", str(person), reason, {"erased": True})


async def issue_token(
    tx: Transaction, actor: Actor, name: str, verbs: tuple[str, ...], expires_at: datetime | None = None
) -> str:
    """A token of one's own, never good for more than one's grants."""
    allow(actor, "issue-token")
    if actor.person is None:
        raise UsageError("A token belongs to a person with an account, and has a name.")
    unknown = sorted(set(verbs) - set(PERMISSIONS) - {people.EVERY_VERB})
    if unknown:
        raise UsageError(f"There is no verb {', '.join(unknown)}; the verbs are: {', '.join(sorted(PERMISSIONS))}.")
    return await _issued(tx, actor, actor.person, name, verbs, expires_at)


async def issue_machine_token(
    tx: Transaction, actor: Actor, login: str, name: str, expires_at: datetime | None = None
) -> str:
    """A token by which a machine account publishes. Whoever makes such accounts gives them their tokens."""
    person = await _machine_account(tx, actor, login)
    return await _issued(tx, actor, person, name, (PUBLISH,), expires_at)


async def _issued(
    tx: Transaction, actor: Actor, person: int, name: str, verbs: tuple[str, ...], expires_at: datetime | None
) -> str:
    if not name.strip():
        raise UsageError("A token belongs to a person with an account, and has a name.")
    token = await people.issue_token(tx, person, name, verbs, expires_at)
    until = expires_at.isoformat() if expires_at else None
    effect = {"name": name, "verbs": list(verbs), "until": until}
    await governed.append_action(tx, actor.person, "issue-token", str(person), "", effect)
    return token


async def revoke_token(tx: Transaction, actor: Actor, name: str) -> None:
    allow(actor, "revoke-token")
    if actor.person is None or not await people.revoke_token(tx, actor.person, name):
        raise UsageError(f"You have no token called {name}.")
    await governed.append_action(tx, actor.person, "revoke-token", str(actor.person), "", {"name": name})


async def revoke_machine_token(tx: Transaction, actor: Actor, login: str, name: str) -> None:
    person = await _machine_account(tx, actor, login)
    if not await people.revoke_token(tx, person, name):
        raise UsageError(f"{login} has no token called {name}.")
    await governed.append_action(tx, actor.person, "revoke-token", str(person), "", {"name": name})


async def _machine_account(tx: Transaction, actor: Actor, login: str) -> int:
    allow(actor, "create-person")
    known = await people.by_login(tx, login)
    if known is None or not known["machine"]:
        raise UsageError(f"There is no machine account {login}; people issue their tokens themselves.")
    return int(known["id"])


async def first_account_link(tx: Transaction) -> str | None:
    """The token of a link by which the first account is made; None once there is one."""
    if await people.accounts(tx):
        return None
    return await people.make_link(tx, FIRST_ACCOUNT, None)


async def create_first_account(tx: Transaction, token: str, login: str, name: str, password: str) -> int:
    """The first person is operator, and makes the others."""
    good, _ = await people.use_link(tx, FIRST_ACCOUNT, token)
    if not good or await people.accounts(tx):
        raise PermissionRefused(
            "This link was used before or is too old; `lumbung up` prints a new one while there is no account."
        )
    person = await create_person(tx, OPERATOR_AT_THE_MACHINE, login, name, password)
    await grant_role(tx, OPERATOR_AT_THE_MACHINE, person, Role.OPERATOR, "the first account")
    return person


async def is_single_handed(tx: Transaction) -> bool:
    """One person governs alone: said on every page, trickle allowed, full not."""
    return await people.governing_people(tx) == 1

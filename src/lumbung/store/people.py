"""People, their grants, and what signs them in: sessions, tokens and links, kept as hashes alone."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from lumbung.model.permission import Actor, Role
from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("people")
SESSION_SECONDS = 7 * 86400.0
IDLE_SECONDS = 12 * 3600.0
LINK_SECONDS = 24 * 3600.0
EVERY_VERB = "*"


@dataclass(frozen=True, slots=True)
class OpenSession:
    """The token is shown once, to its bearer; the database keeps its hash."""

    token: str
    csrf: str


@dataclass(frozen=True, slots=True)
class SignedIn:
    actor: Actor
    csrf: str
    expires_at: datetime


def hashed(token: str) -> str:
    return sha256(token.encode()).hexdigest()


async def add(tx: Transaction, login: str, name: str, password_hash: str | None, machine: bool = False) -> int | None:
    """The new person's id; None when the login is taken."""
    made = await tx.value(
        SQL["add"], {"login": login, "name": name, "password_hash": password_hash, "machine": machine}
    )
    return None if made is None else int(made)


async def by_login(tx: Transaction, login: str) -> Row | None:
    return await tx.row(SQL["by_login"], {"login": login})


async def get(tx: Transaction, person: int) -> Row | None:
    return await tx.row(SQL["get"], {"id": person})


async def everybody(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["all"])


async def names(tx: Transaction) -> dict[int, str]:
    """How everybody is called, by number."""
    return {row["id"]: row["name"] or row["login"] for row in await everybody(tx)}


async def set_password(tx: Transaction, person: int, password_hash: str) -> bool:
    return await tx.run(SQL["set_password"], {"id": person, "password_hash": password_hash}) > 0


async def use_code(tx: Transaction, person: int, step: int) -> bool:
    """Whether no code of this step or a later one was used before."""
    return await tx.value(SQL["use_code"], {"id": person, "step": step}) is not None


async def set_totp(tx: Transaction, person: int, secret: str | None) -> None:
    await tx.run(SQL["set_totp"], {"id": person, "secret": secret})


async def note_failure(tx: Transaction, person: int) -> None:
    await tx.run(SQL["note_failure"], {"id": person})


async def forget_failures(tx: Transaction, person: int) -> None:
    await tx.run(SQL["forget_failures"], {"id": person})


async def erase(tx: Transaction, person: int) -> bool:
    """Blanks the name row and ends every session and token; log and labels keep the id."""
    await end_all(tx, person)
    return await tx.run(SQL["erase"], {"id": person}) > 0


async def end_all(tx: Transaction, person: int) -> None:
    await tx.run(SQL["end_all"], {"id": person})


async def actor_of(tx: Transaction, person: int) -> Actor:
    """The person with the grants in force now; expired and revoked ones do not count."""
    rows = await tx.rows(SQL["grants_of"], {"person": person})
    return Actor(person, frozenset((Role(row["role"]), row["scope"]) for row in rows))


async def grant_history(tx: Transaction, person: int) -> list[Row]:
    return await tx.rows(SQL["grant_history"], {"person": person})


async def grant(
    tx: Transaction, person: int, role: Role, scope: str, granted_by: int | None, expires_at: datetime | None
) -> int:
    values = {"person": person, "role": role.value, "scope": scope, "granted_by": granted_by, "expires_at": expires_at}
    return int(await tx.value(SQL["grant"], values))


async def revoke(tx: Transaction, person: int, role: Role, scope: str | None, by: int | None) -> int:
    """How many grants were revoked; without a scope, those of every scope."""
    return len(await tx.rows(SQL["revoke"], {"person": person, "role": role.value, "scope": scope, "by": by}))


async def governing_people(tx: Transaction) -> int:
    return int(await tx.value(SQL["holders"]))


async def accounts(tx: Transaction) -> int:
    return int(await tx.value(SQL["accounts"]))


async def open_session(tx: Transaction, person: int, seconds: float = SESSION_SECONDS) -> OpenSession:
    opened = OpenSession(secrets.token_urlsafe(32), secrets.token_urlsafe(32))
    await tx.run(
        SQL["open_session"],
        {"token_hash": hashed(opened.token), "person": person, "seconds": seconds, "csrf": opened.csrf},
    )
    return opened


async def actor_of_session(tx: Transaction, token: str, idle_seconds: float = IDLE_SECONDS) -> SignedIn | None:
    row = await tx.row(SQL["session"], {"token_hash": hashed(token), "idle_seconds": idle_seconds})
    if row is None:
        return None
    return SignedIn(await actor_of(tx, row["person"]), row["csrf"], row["expires_at"])


async def close_session(tx: Transaction, token: str) -> None:
    await tx.run(SQL["close_session"], {"token_hash": hashed(token)})


async def issue_token(
    tx: Transaction, person: int, name: str, verbs: Sequence[str], expires_at: datetime | None = None
) -> str:
    """An API token, good for these verbs as far as the person's grants reach; `*` for all of them."""
    token = f"lumbung_{secrets.token_urlsafe(32)}"
    await tx.run(
        SQL["issue_token"],
        {"token_hash": hashed(token), "person": person, "name": name, "scopes": list(verbs), "expires_at": expires_at},
    )
    return token


async def actor_of_token(tx: Transaction, token: str) -> Actor | None:
    """A machine account acts by no role, whatever was granted to it."""
    row = await tx.row(SQL["token"], {"token_hash": hashed(token)})
    if row is None:
        return None
    verbs = None if EVERY_VERB in row["scopes"] else frozenset(row["scopes"])
    grants = frozenset() if row["machine"] else (await actor_of(tx, row["person"])).grants
    return Actor(row["person"], grants, verbs)


async def tokens_of(tx: Transaction, person: int) -> list[Row]:
    return await tx.rows(SQL["tokens_of"], {"person": person})


async def revoke_token(tx: Transaction, person: int, name: str) -> bool:
    return await tx.run(SQL["revoke_token"], {"person": person, "name": name}) > 0


async def make_link(tx: Transaction, purpose: str, person: int | None, seconds: float = LINK_SECONDS) -> str:
    """A token that works once; an older unused one for the same purpose stops working."""
    token = secrets.token_urlsafe(32)
    await tx.run(SQL["drop_links"], {"purpose": purpose, "person": person})
    await tx.run(
        SQL["add_link"], {"token_hash": hashed(token), "purpose": purpose, "person": person, "seconds": seconds}
    )
    return token


async def use_link(tx: Transaction, purpose: str, token: str) -> tuple[bool, int | None]:
    """Whether the link was good, and for whom; it is used up by the asking."""
    row = await tx.row(SQL["use_link"], {"purpose": purpose, "token_hash": hashed(token)})
    return (False, None) if row is None else (True, row["person"])

"""Scope and sensitive list: the guardian ratifies and extends them; shortening them takes two people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lumbung.errors import PolicyRefused, UsageError
from lumbung.governance.actions.constants import Change
from lumbung.governance.actions.requests import another_person, as_asked, ask
from lumbung.governance.scope_rows import RATIFICATION, SCOPE, SENSITIVE_LIST, terms_as_rows
from lumbung.governance.steward import rescoping
from lumbung.model.job import NewJob
from lumbung.model.permission import Actor, allow, person_of
from lumbung.model.profile import Profile, SensitiveTerm
from lumbung.store import governed, jobs
from lumbung.store.database import Row, Transaction

NOT_RATIFIED = "No guardian has ratified the scope and the sensitive list yet; until then all stays in shadow."


async def ratify(tx: Transaction, actor: Actor, consulted: Sequence[str], reason: str) -> int:
    """Until a guardian has said with whom scope and sensitive list were talked over, no category leaves shadow."""
    allow(actor, "ratify", reason=reason)
    person = person_of(actor, "ratify")
    named = [" ".join(each.split()) for each in consulted if each.strip()]
    if not named:
        raise UsageError("Name who was consulted: people, communities or institutions.")
    versions = await governed.versions_now(tx)
    value = {
        "person": person,
        "consulted": named,
        "sensitive_list": versions.get(SENSITIVE_LIST),
        "scope": versions.get(SCOPE),
    }
    action = await governed.append_action(tx, person, "ratify", SCOPE, reason, value)
    return await governed.set_value(tx, RATIFICATION, value, action)


async def must_be_ratified(tx: Transaction) -> dict[str, Any]:
    """What a guardian ratified, if it still covers what is in force."""
    value, refusal = await ratification(tx)
    if value is None or refusal is not None:
        raise PolicyRefused(refusal or NOT_RATIFIED)
    return value


async def ratification(tx: Transaction) -> tuple[dict[str, Any] | None, str | None]:
    """The last one, and why it does not cover what is in force: words that were talked over must be the ones that hold.

    Terms added to the sensitive list since then only make it stricter; they need no new ratification.
    """
    values, versions = await governed.values_now(tx), await governed.versions_now(tx)
    value = values.get(RATIFICATION)
    if not isinstance(value, dict):
        return None, NOT_RATIFIED
    if value["scope"] != versions.get(SCOPE):
        return value, "The scope changed since it was ratified; a guardian ratifies it anew first."
    ratified = {row["version"]: row["value"] for row in await governed.history(tx, SENSITIVE_LIST)}
    if _left_out(ratified.get(value["sensitive_list"]) or [], values.get(SENSITIVE_LIST) or []):
        return value, "The sensitive list lost terms since it was ratified; a guardian ratifies it anew first."
    return value, None


def terms_in_force(rows: dict[str, Any], profile: Profile) -> tuple[SensitiveTerm, ...]:
    """The governed list, or the profile's proposal where no row is set."""
    stored = rows.get(SENSITIVE_LIST)
    return tuple(SensitiveTerm(**row) for row in stored) if isinstance(stored, list) else profile.sensitive


async def set_sensitive_list(tx: Transaction, actor: Actor, terms: Sequence[SensitiveTerm], reason: str) -> Change:
    """Additions hold at once; a list that lost a term waits for a second guardian."""
    allow(actor, "set-sensitive-list", reason=reason)
    rows = terms_as_rows(terms)
    lost = await _lost(tx, rows)
    if lost:
        payload = {"terms": rows, "lost": lost}
        return Change(request=await ask(tx, actor, "set-sensitive-list", SENSITIVE_LIST, payload, reason))
    return Change(version=await _keep_list(tx, actor, rows, reason, None))


async def _lost(tx: Transaction, rows: Sequence[dict[str, str]]) -> list[list[str]]:
    """Terms in force, by category, that these rows leave out."""
    return _left_out((await governed.values_now(tx)).get(SENSITIVE_LIST) or [], rows)


def _left_out(before: Sequence[dict[str, str]], after: Sequence[dict[str, str]]) -> list[list[str]]:
    kept = {(row["term"], row["category"]) for row in after}
    return sorted([row["term"], row["category"]] for row in before if (row["term"], row["category"]) not in kept)


async def carry_out_sensitive_list(tx: Transaction, actor: Actor, row: Row, reason: str) -> bool:
    allow(actor, "set-sensitive-list", reason=reason)
    another_person(actor, row)
    as_asked(row, await _lost(tx, row["payload"]["terms"]), row["payload"]["lost"])
    await _keep_list(tx, actor, row["payload"]["terms"], reason, row["id"])
    return False


async def _keep_list(
    tx: Transaction, actor: Actor, rows: list[dict[str, str]], reason: str, request: int | None
) -> int:
    action = await governed.append_action(
        tx, actor.person, "set-sensitive-list", SENSITIVE_LIST, reason, {"terms": len(rows), "request": request}
    )
    before = (await governed.values_now(tx)).get(SENSITIVE_LIST) or []
    version = await governed.set_value(tx, SENSITIVE_LIST, rows, action)
    added, lost = [row for row in rows if row not in before], [row for row in before if row not in rows]
    if added or lost:
        payload = {"verb": "mark-sensitive", "terms": added, "lost": lost, "epoch": version}
        await jobs.add(tx, [NewJob("steward", f"mark-sensitive:{version}", payload)])
    return version


async def set_scope(tx: Transaction, actor: Actor, text: str, reason: str) -> Change:
    """What belongs to the library is a word of two guardians, whichever way it changes."""
    allow(actor, "set-scope", reason=reason)
    if not text.strip():
        raise UsageError("A scope says what belongs to the library and what does not.")
    payload = {"text": text, "version": (await governed.versions_now(tx)).get(SCOPE)}
    return Change(request=await ask(tx, actor, "set-scope", SCOPE, payload, reason))


async def carry_out_scope(tx: Transaction, actor: Actor, row: Row, reason: str) -> bool:
    allow(actor, "set-scope", reason=reason)
    another_person(actor, row)
    as_asked(row, (await governed.versions_now(tx)).get(SCOPE), row["payload"].get("version"))
    action = await governed.append_action(tx, actor.person, "set-scope", SCOPE, reason, {"request": row["id"]})
    version = await governed.set_value(tx, SCOPE, row["payload"]["text"], action)
    await jobs.add(tx, [rescoping.job(version)])
    return False

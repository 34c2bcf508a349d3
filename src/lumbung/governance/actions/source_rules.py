"""The curator's word on source types: rules that go before the profile's own. More trust for anybody takes two people."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from lumbung.errors import UsageError
from lumbung.governance.actions.constants import Change
from lumbung.governance.actions.redecision import redecide
from lumbung.governance.actions.requests import another_person, as_asked, ask
from lumbung.model.permission import Actor, allow
from lumbung.model.profile import Profile, SourceRule
from lumbung.store import governed
from lumbung.store.database import Row, Transaction
from lumbung.text.sources import CuratedSources, addresses_told_apart

ROW = "sources.rules"
VERB = "set-source-rules"
MOST_RULES = 500
MOST_NAMED = 20


async def set_source_rules(
    tx: Transaction, actor: Actor, rules: Sequence[SourceRule], profile: Profile, reason: str
) -> Change:
    """Replaces the curator's list; a list that lends some source more weight waits for a second person."""
    allow(actor, VERB, reason=reason)
    if len(rules) > MOST_RULES:
        raise UsageError(f"People write at most {MOST_RULES} rules on sources.")
    listed = [asdict(rule) | {"type": rule.type.value} for rule in rules]
    raised = await asyncio.to_thread(raised_by, await governed.values_now(tx), listed, profile)
    if raised:
        version = (await governed.versions_now(tx)).get(ROW, 0)
        payload = {"rules": listed, "raised": raised[:MOST_NAMED], "version": version}
        return Change(request=await ask(tx, actor, VERB, ROW, payload, reason))
    return Change(version=await _keep(tx, actor, listed, reason, None))


async def carry_out_source_rules(tx: Transaction, actor: Actor, row: Row, reason: str) -> bool:
    allow(actor, VERB, reason=reason)
    another_person(actor, row)
    as_asked(row, (await governed.versions_now(tx)).get(ROW, 0), row["payload"].get("version"))
    await _keep(tx, actor, row["payload"]["rules"], reason, row["id"])
    return False


def raised_by(values: Mapping[str, Any], listed: Sequence[Mapping[str, Any]], profile: Profile) -> list[dict[str, str]]:
    """Addresses, of all that the changed rules can tell apart, whose word would count for more than it does now."""
    held = values.get(ROW) or []
    now, then = (_sources(rules, profile) for rules in (held, listed))
    changed = [row for row in (*held, *listed) if (row in held) != (row in listed)]
    others = (*_rules(held), *_rules(listed), *profile.sources)
    found = []
    for address in sorted(addresses_told_apart(_rules(changed), others)):
        before, after = now.type_of(address), then.type_of(address)
        if before is not after and _ratio(values, after.value) > _ratio(values, before.value):
            found.append({"address": address, "from": before.value, "to": after.value})
    return found


def _rules(listed: Sequence[Mapping[str, Any]]) -> tuple[SourceRule, ...]:
    return tuple(CuratedSources.rule(row) for row in listed)


def _sources(listed: Sequence[Mapping[str, Any]], profile: Profile) -> CuratedSources:
    made = CuratedSources(profile)
    made.follow(listed, 1)
    return made


def _ratio(values: Mapping[str, Any], source_type: str) -> float:
    return float(values[f"fusion.ratio.{source_type}"])


async def _keep(
    tx: Transaction, actor: Actor, listed: Sequence[Mapping[str, Any]], reason: str, request: int | None
) -> int:
    """Every item is decided again with the new types."""
    effect = {"rules": len(listed), "request": request}
    action = await governed.append_action(tx, actor.person, VERB, ROW, reason, effect)
    version = await governed.set_value(tx, ROW, list(listed), action)
    modes = [name.removeprefix("mode.") for name in await governed.values_now(tx) if name.startswith("mode.")]
    await redecide(tx, modes, f"{ROW}:{version}")
    return version

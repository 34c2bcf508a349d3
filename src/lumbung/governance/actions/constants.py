"""Set a constant of the method; what loosens it becomes a request that another person carries out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lumbung.errors import PermissionRefused
from lumbung.governance.actions.redecision import redecide
from lumbung.governance.actions.requests import another_person, as_asked, ask
from lumbung.governance.constants import ConstantRule, checked_value, loosens, rule_of
from lumbung.model.permission import Actor, allow
from lumbung.store import audits, governed
from lumbung.store.database import Row, Transaction

VERB = "set-constant"
DECISIVE = ("fusion.", "novelty.", "extractor.")


@dataclass(frozen=True, slots=True)
class Change:
    """Done, with the new version; or asked for, with the number of the request."""

    version: int | None = None
    request: int | None = None


def allow_constant(actor: Actor, rule: ConstantRule, name: str, reason: str) -> None:
    allow(actor, VERB, reason=reason)
    if not any(actor.holds(role) for role in rule.roles):
        wanted = " or ".join(sorted(rule.roles))
        raise PermissionRefused(f"{name} is changed by the role {wanted}.")


async def set_constant(tx: Transaction, actor: Actor, name: str, value: Any, reason: str) -> Change:
    rule = rule_of(name)
    allow_constant(actor, rule, name, reason)
    before = (await governed.values_now(tx)).get(name)
    wanted = checked_value(rule, name, value, before)
    if loosens(rule, before, wanted):
        return Change(request=await ask(tx, actor, VERB, name, {"value": wanted, "before": before}, reason))
    return Change(version=await _set(tx, actor, name, before, wanted, reason, looser=False))


async def carry_out_constant(tx: Transaction, actor: Actor, row: Row, reason: str) -> bool:
    name, value = row["subject"], row["payload"]["value"]
    rule = rule_of(name)
    allow_constant(actor, rule, name, reason)
    another_person(actor, row)
    before = (await governed.values_now(tx)).get(name)
    as_asked(row, before, row["payload"].get("before"))
    wanted = checked_value(rule, name, value, before)
    await _set(tx, actor, name, before, wanted, reason, looser=True, request=row["id"])
    return False


async def _set(
    tx: Transaction,
    actor: Actor,
    name: str,
    before: Any,
    value: float,
    reason: str,
    *,
    looser: bool,
    request: int | None = None,
) -> int:
    """A raised threshold lists what is published below it and withdraws nothing; a lowered one decides again."""
    effect: dict[str, Any] = {"before": before, "after": value, "request": request}
    action = await governed.append_action(tx, actor.person, VERB, name, reason, effect)
    version = await governed.set_value(tx, name, value, action)
    if name == "fusion.theta" and not looser:
        below = await audits.published_facts_below(tx, value, sensitive=False)
        await audits.add_notice(tx, "threshold-raised", name, {"facts": below, "theta": value}, f"{name}:{version}")
    elif name == "fusion.theta_sensitive" and not looser:
        below = await audits.published_facts_below(tx, value, sensitive=True)
        await audits.add_notice(tx, "threshold-raised", name, {"facts": below, "theta": value}, f"{name}:{version}")
    elif name.startswith(DECISIVE):
        rows = await governed.values_now(tx)
        categories = [row.removeprefix("mode.") for row in rows if row.startswith("mode.")]
        await redecide(tx, categories, f"{name}:{version}")
    return version

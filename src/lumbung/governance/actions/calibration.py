"""Confidences are recalibrated when labels suffice: a map that wins out of sample comes into force as a governed row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lumbung.equations.calibration import CalibrationChain
from lumbung.errors import UsageError
from lumbung.governance.actions.constants import Change
from lumbung.governance.actions.redecision import redecide
from lumbung.governance.actions.requests import another_person, ask
from lumbung.governance.audit.learning import calibration_proposal
from lumbung.model.permission import Actor, allow
from lumbung.store import governed
from lumbung.store.database import Row, Transaction

VERB = "recalibrate"
ROW = "fusion.calibration"


async def recalibrate(tx: Transaction, actor: Actor, reason: str) -> Change:
    """The map that the labels teach; one by which more would pass takes a second person, as a lowered threshold does."""
    allow(actor, VERB, reason=reason)
    proposal = await calibration_proposal(tx)
    if proposal is None:
        raise UsageError("The labels are too few, or no map beats the confidences as they are.")
    rows = await governed.values_now(tx)
    before = rows.get(ROW) or []
    figures = {"labels": proposal.labels, "ece": [round(proposal.ece_now, 6), round(proposal.ece_then, 6)]}
    maps = [*before, *CalibrationChain((proposal.calibration,)).as_rows()]
    if lets_more_pass(before, maps, rows):
        payload = {"maps": maps, "before": len(before), "figures": figures}
        return Change(request=await ask(tx, actor, VERB, ROW, payload, reason))
    return Change(version=await _set(tx, actor, maps, figures, reason, None))


def lets_more_pass(before: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]], rows: Mapping[str, Any]) -> bool:
    """Whether a fused confidence would suffice, for publication or to be free of its flag, that did not before."""
    theta = float(rows["fusion.theta"])
    old, new = CalibrationChain.from_rows(before), CalibrationChain.from_rows(after)
    targets = (theta, theta + float(rows["fusion.flag_margin"]), float(rows["fusion.theta_sensitive"]))
    return any(new.reaching(target) < old.reaching(target) - 1e-12 for target in targets)


async def forget_calibration(tx: Transaction, actor: Actor, reason: str) -> Change:
    """Confidences as they were fused; always a word of two people, because it may raise some of them."""
    allow(actor, VERB, reason=reason)
    before = (await governed.values_now(tx)).get(ROW) or []
    if not before:
        raise UsageError("No calibration is in force.")
    payload = {"maps": [], "before": len(before), "figures": {}}
    return Change(request=await ask(tx, actor, VERB, ROW, payload, reason))


async def carry_out_calibration(tx: Transaction, actor: Actor, row: Row, reason: str) -> bool:
    allow(actor, VERB, reason=reason)
    another_person(actor, row)
    held = (await governed.values_now(tx)).get(ROW) or []
    if len(held) != row["payload"]["before"]:
        raise UsageError("Another calibration came into force meanwhile; ask again.")
    await _set(tx, actor, row["payload"]["maps"], row["payload"]["figures"], reason, row["id"])
    return False


async def _set(
    tx: Transaction,
    actor: Actor,
    maps: Sequence[dict[str, Any]],
    figures: dict[str, Any],
    reason: str,
    request: int | None,
) -> int:
    effect = {"maps": len(maps), "figures": figures, "request": request}
    action = await governed.append_action(tx, actor.person, VERB, ROW, reason, effect)
    version = await governed.set_value(tx, ROW, list(maps), action)
    rows = await governed.values_now(tx)
    categories = [name.removeprefix("mode.") for name in rows if name.startswith("mode.")]
    await redecide(tx, categories, f"{ROW}:{version}")
    return version

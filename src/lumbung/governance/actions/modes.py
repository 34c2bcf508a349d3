"""Autonomy by category: asked for, signed for three risks, raised by another person, lowered by anybody who watches."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from lumbung.errors import PermissionRefused, PolicyRefused, UsageError
from lumbung.governance.actions.people import is_single_handed
from lumbung.governance.actions.redecision import redecide
from lumbung.governance.actions.requests import ask, open_request, still_holds
from lumbung.governance.actions.scope import must_be_ratified
from lumbung.governance.reports.quality import causes_to_lower, figures_for, label_authors
from lumbung.model.permission import PERMISSIONS, Actor, allow, person_of
from lumbung.store import governed, requests, stages
from lumbung.store.database import Row, Transaction

MODES = ("shadow", "trickle", "full")
CHECKLISTS: dict[str, tuple[str, ...]] = {
    "culture": ("scope-fits", "sensitive-list-talked-over", "samples-respectful"),
    "corpus": ("machine-account-only", "human-corpus-unchanged", "error-rate-known", "undo-tried"),
    "law": ("terms-of-sources-read", "licences-checked", "contact-answers", "takedowns-handled"),
}
"""What each risk class asks; the questions themselves stand in the how-to of the role."""


def mode_of(rows: Mapping[str, Any], category: str) -> str:
    mode = rows.get(f"mode.{category}")
    if mode not in MODES:
        raise UsageError(f"There is no category {category}.")
    return str(mode)


async def request_mode(tx: Transaction, actor: Actor, category: str, mode: str, reason: str) -> int:
    """One step up at a time; the request then gathers its sign-offs."""
    allow(actor, "request-mode", category, reason)
    present = mode_of(await governed.values_now(tx), category)
    _one_step_up(present, mode)
    await must_be_ratified(tx)
    return await ask(tx, actor, "set-mode", category, {"mode": mode, "from": present}, reason)


def _one_step_up(present: str, mode: str) -> None:
    if mode not in MODES:
        raise UsageError(f"There is no mode {mode}; there are {', '.join(MODES)}.")
    if MODES.index(mode) != MODES.index(present) + 1:
        raise UsageError(f"From {present} a category is raised one step; to lower it use `lumbung mode lower`.")


async def sign_off(tx: Transaction, actor: Actor, number: int, risk: str, checked: Collection[str], note: str) -> None:
    """One risk class of one request, with the figures it rests on as they are now."""
    if risk not in CHECKLISTS:
        raise UsageError(f"There is no risk class {risk}; there are {', '.join(CHECKLISTS)}.")
    row = await open_request(tx, number)
    if row["verb"] != "set-mode":
        raise UsageError(f"Request {number} raises no mode; nobody signs for it.")
    category, mode = row["subject"], row["payload"]["mode"]
    allow(actor, f"sign-{risk}", category, note)
    person = person_of(actor, f"sign-{risk}")
    if person == row["asked_by"] and not await _alone(tx, mode):
        raise PermissionRefused("Nobody signs for their own request.")
    await _not_on_own_labels(tx, person, category, mode)
    missing = [each for each in CHECKLISTS[risk] if each not in checked]
    if missing:
        raise UsageError(f"Not everything was checked for {risk}: {', '.join(missing)}.")
    figures = await figures_for(tx, category, risk)
    if not await requests.sign(tx, number, risk, person, figures | {"checked": sorted(checked)}, note):
        raise UsageError(f"Request {number} is signed for {risk} already.")
    await governed.append_action(
        tx, person, f"sign-{risk}", category, note, {"request": number, "mode": mode, "figures": figures}
    )


async def _alone(tx: Transaction, mode: str) -> bool:
    """The one exception to separation of duties: a single person may go as far as trickle."""
    return mode == "trickle" and await is_single_handed(tx)


async def _not_on_own_labels(tx: Transaction, person: int, category: str, mode: str) -> None:
    if await label_authors(tx, category) == {person} and not await _alone(tx, mode):
        raise PermissionRefused(
            "The audit of this category rests on your own labels alone; another auditor has to read too."
        )


async def carry_out_mode(tx: Transaction, actor: Actor, row: Row, reason: str) -> bool:
    """Raises the category and has it decided again; the log shows who signed and on which figures."""
    category, mode = row["subject"], row["payload"]["mode"]
    allow(actor, "set-mode", category, reason)
    person = person_of(actor, "set-mode")
    rows = await governed.values_now(tx)
    _one_step_up(mode_of(rows, category), mode)
    ratified = await must_be_ratified(tx)
    own: bool = person == row["asked_by"]
    if own and not await _alone(tx, mode):
        raise PermissionRefused("Nobody approves their own request; somebody else with the role has to.")
    if mode == "full" and await is_single_handed(tx):
        raise PolicyRefused("One person alone may go as far as trickle, not to full.")
    await _not_on_own_labels(tx, person, category, mode)
    signed = {each["risk"]: each["person"] for each in await requests.signed(tx, row["id"])}
    missing = [risk for risk in CHECKLISTS if risk not in signed]
    if missing:
        raise PolicyRefused(f"Not yet signed for {', '.join(missing)}.")
    lapsed = [
        risk
        for risk, signer in signed.items()
        if not await still_holds(tx, signer, PERMISSIONS[f"sign-{risk}"].roles, category)
    ]
    if lapsed:
        raise PolicyRefused(
            f"Whoever signed for {', '.join(lapsed)} no longer holds the role for it; decline the request and ask again."
        )
    causes = await causes_to_lower(tx, category)
    if causes:
        raise PolicyRefused(f"It would be lowered again at once: {'; '.join(causes)}.")
    effect = {"from": row["payload"]["from"], "to": mode, "request": row["id"], "signed": signed, "ratified": ratified}
    await _set_mode(tx, actor, "set-mode", category, mode, reason, effect)
    return own


async def _set_mode(
    tx: Transaction, actor: Actor, verb: str, category: str, mode: str, reason: str, effect: Mapping[str, Any]
) -> None:
    action = await governed.append_action(tx, actor.person, verb, category, reason, effect)
    version = await governed.set_value(tx, f"mode.{category}", mode, action)
    if verb == "set-mode":
        await redecide(tx, [category], f"mode.{category}:{version}")


async def lower_mode(tx: Transaction, actor: Actor, category: str, mode: str, reason: str) -> None:
    """Caution needs no second person; what is published stays until somebody withdraws it."""
    allow(actor, "lower-mode", category, reason)
    present = mode_of(await governed.values_now(tx), category)
    if mode not in MODES or MODES.index(mode) >= MODES.index(present):
        raise UsageError(f"{category} is in {present}; a mode below that is needed.")
    await _set_mode(tx, actor, "lower-mode", category, mode, reason, {"from": present, "to": mode})


async def emergency_stop(tx: Transaction, actor: Actor, reason: str) -> list[str]:
    """Every category to shadow and the publish stage paused, in one transaction; returns what was lowered."""
    allow(actor, "emergency-stop", reason=reason)
    rows = await governed.values_now(tx)
    raised = [name for name, value in sorted(rows.items()) if name.startswith("mode.") and value != "shadow"]
    lowered = {name.removeprefix("mode."): rows[name] for name in raised}
    action = await governed.append_action(
        tx, actor.person, "emergency-stop", "*", reason, {"from": lowered, "paused": "publish"}
    )
    for name in raised:
        await governed.set_value(tx, name, "shadow", action)
    await stages.pause(tx, "publish", f"emergency stop: {reason}")
    return sorted(lowered)

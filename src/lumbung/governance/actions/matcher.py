"""The learned matcher comes into force, or goes, as a governed row: by two people, and only if it won its trial."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lumbung.errors import PermissionRefused, UsageError
from lumbung.governance.actions.constants import Change
from lumbung.governance.actions.redecision import redecide
from lumbung.governance.actions.requests import another_person, ask
from lumbung.governance.audit.matching import ROW, MatcherProposal, matcher_proposal
from lumbung.model.permission import Actor, allow
from lumbung.store import governed
from lumbung.store.database import Row, Transaction

VERB = "set-matcher"


async def adopt_matcher(tx: Transaction, actor: Actor, reason: str) -> Change:
    """Asks for the model that people's verdicts teach now; it is trained here again, not taken from the machine's record."""
    allow(actor, VERB, reason=reason)
    proposal = await matcher_proposal(tx)
    if proposal.trial.verdict != "better" or proposal.model is None:
        raise UsageError(f"The learned matcher is refused: {told(proposal)}")
    payload = {"model": proposal.model.as_row(), "figures": proposal.trial.figures(), "before": await version_now(tx)}
    return Change(request=await ask(tx, actor, VERB, ROW, payload, reason))


async def revert_matcher(tx: Transaction, actor: Actor, reason: str) -> Change:
    """Asks for the model that was in force before the present one first came; before the first there was none."""
    allow(actor, VERB, reason=reason)
    present = (await governed.values_now(tx)).get(ROW)
    if not present:
        raise UsageError("No learned matcher is in force.")
    models = [row["value"] for row in await governed.history(tx, ROW)]
    earlier = models[: models.index(present)]
    payload = {"model": earlier[-1] if earlier else {}, "figures": {}, "before": await version_now(tx)}
    return Change(request=await ask(tx, actor, VERB, ROW, payload, reason))


async def carry_out_matcher(tx: Transaction, actor: Actor, row: Row, reason: str) -> bool:
    allow(actor, VERB, reason=reason)
    person = another_person(actor, row)
    payload = row["payload"]
    if await version_now(tx) != payload["before"]:
        raise UsageError("Another matcher came into force meanwhile; ask again.")
    if payload["figures"] and (await matcher_proposal(tx)).labelled_by == {person}:
        raise PermissionRefused("The matcher rests on your own verdicts alone; somebody else has to judge pairs too.")
    effect = {"figures": payload["figures"], "request": row["id"]}
    action = await governed.append_action(tx, person, VERB, ROW, reason, effect)
    version = await governed.set_value(tx, ROW, with_figures(payload), action)
    rows = await governed.values_now(tx)
    categories = [name.removeprefix("mode.") for name in rows if name.startswith("mode.")]
    await redecide(tx, categories, f"{ROW}:{version}")
    return False


async def version_now(tx: Transaction) -> int:
    return (await governed.versions_now(tx)).get(ROW, 0)


def with_figures(payload: Mapping[str, Any]) -> dict[str, Any]:
    """The model with the figures it won by; an earlier one brings its own."""
    model: dict[str, Any] = payload["model"]
    return model | {"figures": payload["figures"]} if payload["figures"] else model


def told(proposal: MatcherProposal) -> str:
    trial = proposal.trial
    if proposal.model is None:
        return f"{trial.labels} verdicts with evidence are too few."
    return (
        f"on {trial.labels} held-out verdicts it is right on {trial.right_then}, what is in force on {trial.right_now} "
        f"(p = {trial.p_value:.3f}); of {trial.settled} that it would settle {trial.wrong} are wrong."
    )

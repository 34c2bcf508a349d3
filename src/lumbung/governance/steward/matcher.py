"""The matcher is trained whenever people's verdicts changed; what wins its trial is proposed, never put in force here."""

from __future__ import annotations

from lumbung.governance.audit.matching import ROW, matcher_proposal
from lumbung.store import audits, governed, pair_labels
from lumbung.store.database import Transaction

NOTICE = "matcher-better"


async def train(tx: Transaction) -> str | None:
    """The trial's verdict; None when the same verdicts were tried before."""
    version = (await governed.versions_now(tx)).get(ROW, 0)
    state = f"{await pair_labels.seen(tx)}/{version}"
    if await pair_labels.was_tried(tx, state):
        return None
    proposal = await matcher_proposal(tx)
    figures = proposal.trial.figures()
    model = proposal.model.as_row() if proposal.model else {}
    await pair_labels.add_trial(tx, state, proposal.trial.verdict, figures, model)
    if proposal.trial.verdict == "better":
        await audits.add_notice(tx, NOTICE, "", figures, NOTICE)
    else:
        await audits.close_notice_key(tx, NOTICE, None)
    return proposal.trial.verdict

"""A change of the human corpus that no action made is explained by a person, and then stands as a revision."""

from __future__ import annotations

from lumbung.errors import UsageError
from lumbung.governance.reports.quality import CORPUS_CHANGED
from lumbung.model.permission import Actor, allow, person_of
from lumbung.store import audits, entries, governed, reviews
from lumbung.store.database import Transaction


async def explain_corpus_change(tx: Transaction, actor: Actor, reason: str) -> list[str]:
    """The records that were taken over as they stand; what was deleted stays in the log of this action."""
    allow(actor, "explain-corpus-change", reason=reason)
    person = person_of(actor, "explain-corpus-change")
    changed = await audits.changed_humans(tx, 1000)
    differing = await audits.differing_digests(tx)
    if not changed and not differing:
        raise UsageError("The human corpus is what its revisions say; there is nothing to explain.")
    effect = {"records": [dict(row) for row in changed], "digest": await audits.last_digest(tx)}
    await governed.append_action(tx, person, "explain-corpus-change", "*", reason, effect)
    for row in changed:
        await reviews.adopt_revision(tx, row["identity"], person, reason)
        await say_display(tx, row["identity"], person, reason)
    await audits.close_notice_key(tx, CORPUS_CHANGED, person)
    return [row["identity"] for row in changed]


async def say_display(tx: Transaction, identity: str, person: int, reason: str) -> None:
    """How the entry is shown now is how it is to be shown, from this line of the log on."""
    held = await entries.get(tx, identity)
    if held is not None:
        await governed.append_action(tx, person, "set-labels", identity, reason, {"after": held["labels"]})
        await governed.append_action(tx, person, "hide-entry", identity, reason, {"hidden": held["hidden"]})


async def close_notice(tx: Transaction, actor: Actor, notice: int) -> None:
    allow(actor, "close-notice")
    if not await audits.close_notice(tx, notice, actor.person):
        raise UsageError(
            f"There is no open notice {notice} that is closed by hand. A change of the human corpus is explained, "
            "with a reason (explain-corpus-change)."
        )
    await governed.append_action(tx, actor.person, "close-notice", str(notice), "", {"closed": True})

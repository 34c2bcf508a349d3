"""The human corpus is digested again and again; a digest that cannot be made again shows a change that no action explains."""

from __future__ import annotations

from lumbung.governance.reports.quality import CORPUS_CHANGED
from lumbung.store import audits
from lumbung.store.database import Transaction

SETTLED_SECONDS = 600.0
"""Revisions younger than this may still be in an open transaction."""


async def digest_when_due(tx: Transaction) -> bool:
    """Once an hour, because the whole corpus is read for it."""
    if not await audits.digest_due(tx):
        return False
    await report_changes(tx)
    await audits.digest_human_corpus(tx, SETTLED_SECONDS)
    return True


async def report_changes(tx: Transaction) -> bool:
    changed = await audits.changed_humans(tx)
    differing = await audits.differing_digests(tx, 3)
    if not changed and not differing:
        return False
    detail = {
        "records": [dict(row) for row in changed],
        "digests": [row["as_of"].isoformat() for row in differing],
    }
    return await audits.add_notice(tx, CORPUS_CHANGED, "", detail, CORPUS_CHANGED)

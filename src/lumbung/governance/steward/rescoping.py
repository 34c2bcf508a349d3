"""The scope is worded anew, or the lexicon has other words: what was judged by the former ones is judged again.

An agent judges by the wording of the scope, a rule by the words of the lexicon. Only what waits or was left out is
judged anew; what is published stays, and of a new wording people are told how much of it rests on the former.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lumbung.model.job import NewJob
from lumbung.store import audits, candidates
from lumbung.store.database import Transaction

NOTICE = "scope-changed"
PORTION = 500
BY_AGENT = "agent"
BY_RULE = "rule"


def job(version: int, by: str = BY_AGENT, after: str = "", published: int = 0) -> NewJob:
    payload = {"verb": "rescope", "version": version, "by": by, "after": after, "published": published}
    return NewJob("steward", f"rescope:{by}:{version}:{after}", payload)


async def carry_out(tx: Transaction, payload: Mapping[str, Any]) -> Iterable[NewJob]:
    """A portion at a time, in the order of digests; the last one tells how many published entries rest on the former."""
    by = payload.get("by", BY_AGENT)
    rows = await candidates.scope_judged(tx, by, payload["after"], PORTION)
    waiting = [row["digest"] for row in rows if not row["published"]]
    published = int(payload["published"]) + len(rows) - len(waiting)
    await candidates.forget_scope(tx, waiting)
    version = payload["version"]
    decisions = [NewJob("decide", f"rescope:{by}:{version}:{digest}", {"node": digest}) for digest in waiting]
    if len(rows) == PORTION:
        return [*decisions, job(version, by, rows[-1]["digest"], published)]
    if published and by == BY_AGENT:
        await audits.add_notice(tx, NOTICE, "", {"candidates": published, "version": version}, f"{NOTICE}:{version}")
    return decisions

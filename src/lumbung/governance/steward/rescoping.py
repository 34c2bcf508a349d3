"""The guardians worded the scope anew: what an agent judged by the former wording is asked about again.

Only what waits or was left out is judged anew; what is published is listed for people, and stays. What rules settled
rests on the profile's words, not on the wording, and is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lumbung.model.job import NewJob
from lumbung.store import audits, candidates
from lumbung.store.database import Transaction

NOTICE = "scope-changed"
PORTION = 500


def job(version: int, after: str = "", published: int = 0) -> NewJob:
    payload = {"verb": "rescope", "version": version, "after": after, "published": published}
    return NewJob("steward", f"rescope:{version}:{after}", payload)


async def carry_out(tx: Transaction, payload: Mapping[str, Any]) -> Iterable[NewJob]:
    """A portion at a time, in the order of digests; the last one tells how many published entries rest on the former."""
    rows = await candidates.judged_by_agents(tx, payload["after"], PORTION)
    waiting = [row["digest"] for row in rows if not row["published"]]
    published = int(payload["published"]) + len(rows) - len(waiting)
    await candidates.forget_scope(tx, waiting)
    version = payload["version"]
    decisions = [NewJob("decide", f"rescope:{version}:{digest}", {"node": digest}) for digest in waiting]
    if len(rows) == PORTION:
        return [*decisions, job(version, rows[-1]["digest"], published)]
    if published:
        await audits.add_notice(tx, NOTICE, "", {"candidates": published, "version": version}, f"{NOTICE}:{version}")
    return decisions

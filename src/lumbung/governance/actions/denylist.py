"""The curators' denylist: what the crawl leaves alone, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping

from lumbung.errors import UsageError
from lumbung.model.job import NewJob
from lumbung.model.permission import Actor, allow
from lumbung.store import governed, jobs
from lumbung.store.database import Transaction
from lumbung.text.denylist import checked_pattern

ROW = "sources.denylist"
VERB = "set-denylist"
MOST_PATTERNS = 5_000


async def set_denylist(tx: Transaction, actor: Actor, patterns: Mapping[str, str], reason: str) -> int:
    """Replaces the list, pattern by reason; waiting addresses that it names are refused soon after. Returns its length."""
    allow(actor, VERB, reason=reason)
    if len(patterns) > MOST_PATTERNS:
        raise UsageError(f"The denylist holds at most {MOST_PATTERNS} patterns.")
    wanted = {checked_pattern(pattern): why.strip() for pattern, why in patterns.items()}
    bare = next((pattern for pattern, why in wanted.items() if not why), None)
    if bare is not None:
        raise UsageError(f"The pattern {bare} needs a reason.")
    listed = [{"pattern": pattern, "reason": why} for pattern, why in sorted(wanted.items())]
    before = (await governed.values_now(tx)).get(ROW) or []
    known, now = ({each["pattern"] for each in rows} for rows in (before, listed))
    effect = {"patterns": len(listed), "added": sorted(now - known), "dropped": sorted(known - now)}
    action = await governed.append_action(tx, actor.person, VERB, ROW, reason, effect)
    version = await governed.set_value(tx, ROW, listed, action)
    await jobs.add(tx, [NewJob("steward", f"deny:{version}:0", {"verb": "deny", "version": version, "after": 0})])
    return len(listed)

"""The curator's word on source types: rules that go before the profile's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from lumbung.model.job import NewJob
from lumbung.model.permission import Actor, allow
from lumbung.model.profile import Profile, SourceRule
from lumbung.store import governed, jobs
from lumbung.store.database import Transaction

ROW = "sources.rules"


async def set_source_rules(
    tx: Transaction, actor: Actor, rules: Sequence[SourceRule], profile: Profile, reason: str
) -> None:
    """Replaces the curator's list; every item is decided again with the new types."""
    allow(actor, "set-source-rules", reason=reason)
    listed = [asdict(rule) | {"type": rule.type.value} for rule in rules]
    action = await governed.append_action(tx, actor.person, "set-source-rules", ROW, reason, {"rules": len(listed)})
    version = await governed.set_value(tx, ROW, listed, action)
    payload = {"verb": "redecide", "categories": list(profile.categories), "epoch": f"{ROW}:{version}"}
    await jobs.add(tx, [NewJob("steward", f"redecide:{ROW}:{version}", payload)])

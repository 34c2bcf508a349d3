"""The cultural gate: a specific, named item of the tradition that the profile's scope describes, by rule first."""

from __future__ import annotations

from lumbung.model.item import LiveCandidate, is_human
from lumbung.model.profile import Profile
from lumbung.stages.decide.agents import Described
from lumbung.stages.decide.nodes import live_candidate
from lumbung.stages.decide.rules import Rules
from lumbung.stages.decide.scope_rules import ScopeRules
from lumbung.store import candidates, items
from lumbung.store.database import Transaction


def described(candidate: LiveCandidate) -> Described:
    facts = tuple((claim.attribute, claim.value) for claim in candidate.claims)
    return Described(candidate.name, candidate.aliases, candidate.category, candidate.regions, facts)


class ScopeGate:
    def __init__(self, profile: Profile) -> None:
        self._rules = ScopeRules(profile)

    async def judge(self, tx: Transaction, subjects: set[str], rules: Rules) -> None:
        """Candidates without a verdict get the rules' own; what these leave open is `unsure`, for an agent or a person."""
        for row in await candidates.load(tx, [node for node in subjects if not is_human(node)]):
            if row["scope"] is not None or row["state"] != "live" or not row["category"]:
                continue
            found = self._rules.judge(described(live_candidate(row)))
            evidence = {
                "by": "rule",
                "criterion": found.criterion,
                "signs": list(found.signs),
                "category": row["category"],
                "regions": row["regions"],
                "claims": len(row["claims"]),
            }
            await candidates.set_scope(tx, row["digest"], found.verdict, evidence)
            await items.record(
                tx, row["digest"], None, "scope", found.verdict, evidence, {"rules": dict(rules.versions)}
            )

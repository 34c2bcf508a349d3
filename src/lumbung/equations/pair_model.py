"""The log-odds that a pair which rules leave open is one item, from the terms of Eq. (13) and what agrees and differs.

A model in force settles only such pairs: what rules, agents or people decided is not its business, and where it is not
sure itself the pair stays open.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

MANY_FACTS = 3
SURE = 0.9
FEATURES = (
    "cosine",
    "attributes",
    "name",
    "equal name",
    "by alias",
    "category",
    "region",
    "other region",
    "facts that agree",
    "facts that differ",
)
_NO_FACTS = ("name (", "alias (", "category", "region")
Settled = Literal["same", "different", "unsure"]


def features_of(evidence: Mapping[str, Any]) -> tuple[float, ...] | None:
    """What the rule wrote down of a pair, as numbers between 0 and 1; None if it wrote nothing of the kind."""
    if "terms" not in evidence:
        return None
    terms, agree, differ = evidence["terms"], evidence.get("agree", ()), evidence.get("differ", ())
    return (
        float(terms.get("cosine", 0.0)),
        float(terms.get("attributes", 0.0)),
        float(terms.get("name", 0.0)),
        float("name (equal)" in agree or "alias (equal)" in agree),
        float(any(each.startswith("alias (") for each in agree)),
        float("category" in agree),
        float("region" in agree),
        float("region" in differ),
        _facts_in(agree),
        _facts_in(differ),
    )


def _facts_in(told: Any) -> float:
    facts = sum(not each.startswith(_NO_FACTS) for each in told)
    return min(facts, MANY_FACTS) / MANY_FACTS


@dataclass(frozen=True, slots=True)
class PairModel:
    intercept: float
    weights: tuple[float, ...]
    """By feature, in the order of `FEATURES`."""

    @classmethod
    def from_row(cls, row: Mapping[str, Any] | None) -> PairModel | None:
        """None where no model is in force, or one whose features this version does not know."""
        if not row or set(row["weights"]) != set(FEATURES):
            return None
        return cls(float(row["intercept"]), tuple(float(row["weights"][name]) for name in FEATURES))

    def as_row(self) -> dict[str, Any]:
        return {"intercept": self.intercept, "weights": dict(zip(FEATURES, self.weights, strict=True))}

    def probability(self, features: tuple[float, ...]) -> float:
        odds = self.intercept + sum(weight * value for weight, value in zip(self.weights, features, strict=True))
        return 1 / (1 + math.exp(-max(-700.0, min(700.0, odds))))

    def settled(self, evidence: Mapping[str, Any]) -> Settled:
        features = features_of(evidence)
        if features is None:
            return "unsure"
        likely = self.probability(features)
        return "same" if likely >= SURE else "different" if likely <= 1 - SURE else "unsure"

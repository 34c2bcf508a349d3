"""Verdicts about pairs of nodes, by rule; what rules leave open is `unsure`, for an agent or a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lumbung.equations.similarity import Weights
from lumbung.model.item import HumanRecord, LiveCandidate, PairVerdict, is_human
from lumbung.stages.decide.nodes import Comparables, RegionRelation
from lumbung.stages.decide.rules import Rules
from lumbung.text.comparison import Comparison, compare

EQUAL_NAMES = frozenset({"name (equal)", "alias (equal)"})


@dataclass(frozen=True, slots=True)
class ComparedPair:
    nodes: tuple[str, str]
    verdict: PairVerdict
    evidence: dict[str, Any]


def settled(comparison: Comparison) -> str:
    """One name in one category, of which one region is unknown, is one item; the bridge rule guards the homonyms."""
    agree = set(comparison.agree)
    if (
        comparison.verdict == "unsure"
        and agree & EQUAL_NAMES
        and "category" in agree
        and "region" not in comparison.differ
    ):
        return "same"
    return comparison.verdict


def compare_pairs(
    candidates: Mapping[str, LiveCandidate],
    humans: Mapping[str, HumanRecord],
    wanted: Iterable[tuple[str, str]],
    comparables: Comparables,
    related: RegionRelation,
    rules: Rules,
) -> list[ComparedPair]:
    """The wanted pairs of a candidate with another node; of two human records nothing is said."""
    weights = Weights(rules.alpha, rules.beta, rules.gamma)
    known = {digest: comparables.of_candidate(each) for digest, each in candidates.items()}
    compared: list[ComparedPair] = []
    for nodes in sorted(set(wanted)):
        here, *there = sorted(nodes, key=is_human)
        if here not in candidates:
            continue
        other = known.get(there[0])
        if other is None and there[0] in humans:
            other = comparables.of_human(humans[there[0]], candidates[here].category)
        if other is not None:
            compared.append(judged(nodes, compare(known[here], other, weights, related)))
    return compared


def judged(nodes: tuple[str, str], comparison: Comparison) -> ComparedPair:
    evidence = {
        "terms": {name: round(term, 6) for name, term in comparison.terms.items()},
        "agree": list(comparison.agree),
        "differ": list(comparison.differ),
    }
    return ComparedPair(nodes, PairVerdict(round(comparison.score, 9), settled(comparison)), evidence)

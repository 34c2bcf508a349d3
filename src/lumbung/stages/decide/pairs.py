"""Verdicts about pairs of nodes, by rule; what rules leave open is `unsure`, for an agent or a person."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lumbung.equations.similarity import Weights
from lumbung.model.item import HumanRecord, LiveCandidate, PairVerdict, human_node, pair
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


def compare_new(
    candidates: Mapping[str, LiveCandidate],
    humans: Mapping[str, HumanRecord],
    known: Iterable[tuple[str, str]],
    focus: Collection[str],
    comparables: Comparables,
    related: RegionRelation,
    rules: Rules,
) -> list[ComparedPair]:
    """Every pair of a candidate with another node, one of them in focus, that has no verdict yet."""
    weights = Weights(rules.alpha, rules.beta, rules.gamma)
    done = set(known)
    ordered = sorted(candidates)
    own = {digest: comparables.of_candidate(candidates[digest]) for digest in ordered}
    compared: list[ComparedPair] = []
    for place, digest in enumerate(ordered):
        compared += [
            judged(pair(digest, other), compare(own[digest], own[other], weights, related))
            for other in ordered[place + 1 :]
            if (digest in focus or other in focus) and pair(digest, other) not in done
        ]
        for human in (humans[node] for node in sorted(humans)):
            key = pair(digest, human_node(human.identity))
            if (digest in focus or key[0] in focus or key[1] in focus) and key not in done:
                theirs = comparables.of_human(human, candidates[digest].category)
                compared.append(judged(key, compare(own[digest], theirs, weights, related)))
    return compared


def judged(nodes: tuple[str, str], comparison: Comparison) -> ComparedPair:
    evidence = {
        "terms": {name: round(term, 6) for name, term in comparison.terms.items()},
        "agree": list(comparison.agree),
        "differ": list(comparison.differ),
    }
    return ComparedPair(nodes, PairVerdict(round(comparison.score, 9), settled(comparison)), evidence)

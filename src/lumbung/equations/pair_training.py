"""A model of pairs fitted to people's verdicts, and the paired test (McNemar, exact) that says whether it is better.

Held-out verdicts alone count: the labelled pairs are cut into parts that share no record, and each part is judged by a
model that saw only the others. Deterministic, whatever the order of the labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import comb
from typing import Any, Literal

import numpy as np

from lumbung.equations.matcher import fit_logistic
from lumbung.equations.pair_model import PairModel, Settled, features_of

PARTS = 5
DIGITS = 6


@dataclass(frozen=True, slots=True)
class TrialRules:
    """What a model must show before it is proposed."""

    labels_needed: float = 60
    labels_of_each_kind: float = 15
    significance: float = 0.05
    wrong_allowed: float = 0.05
    """Of the pairs that the model settles; a wrong verdict costs more than one that waits for a person."""


USUAL_RULES = TrialRules()


@dataclass(frozen=True, slots=True)
class LabelledPair:
    nodes: tuple[str, str]
    same: bool
    """What people said."""
    by_rule: Settled
    evidence: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Trial:
    """Figures on held-out verdicts: what is in force now, and what the new model would make of them."""

    verdict: Literal["better", "no better", "too few labels"]
    labels: int
    right_now: int = 0
    right_then: int = 0
    only_now: int = 0
    only_then: int = 0
    settled: int = 0
    """Open pairs on which the model would decide."""
    wrong: int = 0
    p_value: float = 1.0

    def figures(self) -> dict[str, Any]:
        return asdict(self)


def usable(pairs: Sequence[LabelledPair]) -> list[LabelledPair]:
    return sorted((each for each in pairs if features_of(each.evidence) is not None), key=lambda each: each.nodes)


def trained(pairs: Sequence[LabelledPair]) -> PairModel:
    ordered = usable(pairs)
    features = np.array([features_of(each.evidence) for each in ordered], dtype=np.float64)
    fitted = fit_logistic(features, np.array([each.same for each in ordered]))
    return PairModel(round(fitted.intercept, DIGITS), tuple(round(float(each), DIGITS) for each in fitted.weights))


def tried(pairs: Sequence[LabelledPair], present: PairModel | None, rules: TrialRules = USUAL_RULES) -> Trial:
    """Whether a model fitted to these verdicts would be right more often than what is in force."""
    ordered = usable(pairs)
    of_each = min(sum(each.same for each in ordered), sum(not each.same for each in ordered))
    if len(ordered) < rules.labels_needed or of_each < rules.labels_of_each_kind:
        return Trial("too few labels", len(ordered))
    now = [judged(each, present) for each in ordered]
    then = held_out_verdicts(ordered)
    wanted: list[Settled] = ["same" if each.same else "different" for each in ordered]
    right_now = [verdict == label for verdict, label in zip(now, wanted, strict=True)]
    right_then = [verdict == label for verdict, label in zip(then, wanted, strict=True)]
    by_model = [
        right
        for pair, verdict, right in zip(ordered, then, right_then, strict=True)
        if pair.by_rule == "unsure" and verdict != "unsure"
    ]
    only_now = sum(a and not b for a, b in zip(right_now, right_then, strict=True))
    only_then = sum(b and not a for a, b in zip(right_now, right_then, strict=True))
    wrong, p_value = len(by_model) - sum(by_model), mcnemar(only_now, only_then)
    better = p_value <= rules.significance and wrong <= rules.wrong_allowed * len(by_model)
    return Trial(
        "better" if better else "no better",
        len(ordered),
        sum(right_now),
        sum(right_then),
        only_now,
        only_then,
        len(by_model),
        wrong,
        round(p_value, DIGITS),
    )


def judged(pair: LabelledPair, model: PairModel | None) -> Settled:
    return pair.by_rule if pair.by_rule != "unsure" or model is None else model.settled(pair.evidence)


def held_out_verdicts(ordered: Sequence[LabelledPair]) -> list[Settled]:
    parts = parts_of(ordered)
    models = {
        part: trained([each for each, other in zip(ordered, parts, strict=True) if other != part])
        for part in sorted(set(parts))
    }
    return [judged(each, models[part]) for each, part in zip(ordered, parts, strict=True)]


def parts_of(ordered: Sequence[LabelledPair]) -> list[int]:
    """Pairs that hang together by a record lie in one part; which, the smallest record of all of them says."""
    root: dict[str, str] = {}

    def find(node: str) -> str:
        while root.setdefault(node, node) != node:
            node = root[node]
        return node

    for each in ordered:
        low, high = sorted(map(find, each.nodes))
        root[high] = low
    return [int(sha256(find(each.nodes[0]).encode()).hexdigest(), 16) % PARTS for each in ordered]


def mcnemar(only_now: int, only_then: int) -> float:
    """The chance that the new one wins so many of the pairs on which the two differ, if neither were better."""
    total = only_now + only_then
    return float(sum(comb(total, wins) for wins in range(only_then, total + 1)) / (1 << total))

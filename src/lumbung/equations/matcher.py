"""The matcher's mathematics: Fellegi and Sunter's mixture fitted by EM, and a regularised logistic model for labels.

Comparison vectors hold one ordinal level a field: 0 is full agreement, higher is worse, -1 is missing on a side.
Pairs are laid out in strata by how their names relate. A stratum has its own share of matches; what matches look like
in the other fields is common to all; what other pairs look like depends on how near their names are, since members of
a family of names also share kind and place, and namesakes the kind alone. Without that, whatever large group stands
out of the crowd would be taken for the matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lumbung.errors import ContractError

Numbers = NDArray[np.float64]
Levels = NDArray[np.int8]

_ROUNDS = 300
_PRIOR_PAIRS = 20.0
_FIRMNESS = 0.05


@dataclass(frozen=True)
class Stratum:
    """Pairs whose names relate in one way: a first guess of the share of matches, and how many pairs there are.

    `everything` counts all such pairs of the table where only those were compared that agree in something; 0 where
    all were compared, or a fair sample.
    """

    share: float
    kin: int
    """Strata of one number have pairs that are no matches in common; 0: their names have nothing to do with another."""
    everything: float = 0.0
    firmness: float = 0.05
    """How far the guess outweighs what the pairs themselves say."""


@dataclass(frozen=True)
class Mixture:
    """P(match) by stratum, P(level | match) by field, and P(level | no match) by kin of names and field."""

    shares: Numbers
    kin: NDArray[np.intp]
    match: tuple[Numbers, ...]
    others: tuple[tuple[Numbers, ...], ...]

    def weights(self, field: int, kin: int) -> Numbers:
        """The evidence of each level, log(m / u), never rising from a better to a worse one."""
        other = self.others[kin][field]
        return np.log(decreasing(self.match[field] / other, other))

    def log_odds(self, strata: Levels, levels: Levels) -> Numbers:
        """Eq. (18) for a pair: the odds given how the names relate, and the evidence of every field both have."""
        total = np.log(self.shares) - np.log1p(-self.shares)
        odds = total[strata]
        kin = self.kin[strata]
        for field in range(levels.shape[1]):
            evidence = np.array([np.append(self.weights(field, each), 0.0) for each in range(len(self.others))])
            odds = odds + evidence[kin, levels[:, field]]
        return np.asarray(odds)


def logistic(log_odds: Numbers) -> Numbers:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(log_odds, -700, 700))))


def _patterns(levels: Levels, sizes: Sequence[int]) -> tuple[Levels, Numbers]:
    """Equal comparison vectors once, with their number: EM then costs the same however many pairs there are."""
    code = np.zeros(len(levels), dtype=np.int64)
    for field, size in enumerate(sizes):
        code = code * (size + 1) + (levels[:, field].astype(np.int64) + 1)
    _, first, counts = np.unique(code, return_index=True, return_counts=True)
    return levels[first], counts.astype(np.float64)


def _distribution(column: Levels, weights: Numbers, size: int, prior: Numbers) -> Numbers:
    known = column >= 0
    counted = np.bincount(column[known], weights=weights[known], minlength=size).astype(np.float64)
    smoothed = counted + prior
    return np.asarray(smoothed / smoothed.sum())


def _seen(fields: Levels, weights: Numbers, far: Sequence[Numbers], strange: Sequence[float]) -> tuple[Numbers, ...]:
    """Levels of pairs that are no matches but whose names are near: they agree at least as often as strangers do.

    Without that bound the chance agreements of namesakes would be taken for matches, one by one, until none is left.
    `strange` says by field how far they are drawn towards strangers: without it the many records of one thing, which
    agree in everything, would be taken for namesakes that do.
    """
    found = []
    total = float(weights.sum())
    for field, usual in enumerate(far):
        drawn = _PRIOR_PAIRS + strange[field] * total
        seen = _distribution(fields[:, field], weights, len(usual), drawn * usual)
        found.append(np.diff(np.maximum(np.cumsum(seen), np.cumsum(usual)), prepend=0.0))
    return tuple(found)


def decreasing(ratio: Numbers, weights: Numbers) -> Numbers:
    """The nearest sequence that never rises (pool adjacent violators): a worse level cannot be better evidence."""
    blocks: list[list[float]] = []
    for value, weight in zip(ratio.tolist(), weights.tolist(), strict=True):
        blocks.append([value, max(weight, 1e-12), 1])
        while len(blocks) > 1 and blocks[-2][0] < blocks[-1][0]:
            later, earlier = blocks.pop(), blocks.pop()
            together = earlier[1] + later[1]
            mean = (earlier[0] * earlier[1] + later[0] * later[1]) / together
            blocks.append([mean, together, earlier[2] + later[2]])
    return np.array([value for value, _, count in blocks for _ in range(int(count))])


def fit_mixture(
    strata: Levels,
    levels: Levels,
    guesses: Sequence[Stratum],
    expected: Sequence[Numbers],
    distant: Sequence[Numbers],
    firm_fields: Sequence[float] | None = None,
    strange: Sequence[float] | None = None,
) -> Mixture:
    """EM from a first guess: the share of matches by stratum, and what matches look like by field.

    `distant` (levels of unrelated pairs) can be measured on random pairs and is kept. The guesses also serve as
    priors worth a few pairs and a small share of all, so that a handful of records is judged by them, thousands are
    judged by themselves, and the meaning of *match* stays in place.
    """
    if levels.shape[1] != len(expected) or len(expected) != len(distant):
        raise ContractError("Every field needs a first guess.")
    guessed = np.array([each.share for each in guesses])
    kin = np.array([each.kin for each in guesses], dtype=np.intp)
    kins = int(kin.max()) + 1
    firmness = np.array([each.firmness for each in guesses])
    hoped = [np.asarray(each / each.sum()) for each in expected]
    far = tuple(np.asarray(each / each.sum()) for each in distant)
    now = Mixture(guessed, kin, tuple(hoped), (far,) * kins)
    if len(levels) == 0:
        return now
    sizes = [len(guesses), *(len(each) for each in expected)]
    patterns, counts = _patterns(np.column_stack([strata, levels]).astype(np.int8), sizes)
    places, fields = patterns[:, 0], patterns[:, 1:]
    held = np.bincount(places, weights=counts, minlength=len(guesses))
    everything = np.maximum(held, [each.everything for each in guesses])
    bands = [kin[places] == each for each in range(1, kins)]
    drawn_far = strange or [0.0] * len(far)
    for _ in range(_ROUNDS):
        belief = logistic(now.log_odds(places, fields))
        yes, no = counts * belief, counts * (1 - belief)
        firm = _PRIOR_PAIRS + firmness * held
        matched = np.bincount(places, weights=yes, minlength=len(guesses))
        shares = np.clip((matched + firm * guessed) / (everything + firm), 1e-12, 1 - 1e-6)
        drawn = [_PRIOR_PAIRS + each * float(yes.sum()) for each in firm_fields or [_FIRMNESS] * len(hoped)]
        match = tuple(_distribution(fields[:, f], yes, len(hoped[f]), drawn[f] * hoped[f]) for f in range(len(hoped)))
        others = (far, *(_seen(fields[among], no[among], far, drawn_far) for among in bands))
        moved = float(np.abs(np.log(shares) - np.log(now.shares)).max())
        now = Mixture(shares, kin, match, others)
        if moved < 1e-4:
            break
    return now


def best_threshold(probabilities: Numbers, missed: float = 0.0) -> float:
    """The threshold with the highest *expected* F1, if the probabilities can be believed.

    `missed` is the number of matches believed to lie outside the compared pairs. Never above one half, since beyond
    it every pair added is more likely right than wrong.
    """
    ranked = np.sort(probabilities)[::-1]
    if ranked.size == 0:
        return 0.5
    hits = np.cumsum(ranked)
    expected = 2 * hits / (np.arange(1, ranked.size + 1) + ranked.sum() + missed)
    return float(min(0.5, max(0.05, ranked[int(np.argmax(expected))])))


@dataclass(frozen=True)
class Logistic:
    """A linear model of the log-odds; plain numbers, so that it can be stored and applied anywhere."""

    intercept: float
    weights: Numbers

    def log_odds(self, features: Numbers) -> Numbers:
        return np.asarray(self.intercept + features @ self.weights)


def fit_logistic(
    features: Numbers,
    targets: Numbers | NDArray[np.bool_],
    penalty: float | Numbers = 1.0,
    offset: Numbers | None = None,
    weights: Numbers | None = None,
) -> Logistic:
    """Ridge-penalised logistic regression by Newton's method; the intercept is all but free.

    With an `offset` (log-odds already believed) it learns corrections only, and no labels leave them at nothing.
    Targets may be beliefs instead of labels; `weights` say for how many pairs each row stands.
    """
    n, width = features.shape
    start = offset if offset is not None else np.zeros(n)
    count = weights if weights is not None else np.ones(n)
    design = np.column_stack([np.ones(n), features])
    ridge = np.append(1e-3, np.broadcast_to(penalty, width))
    beta = np.zeros(width + 1)
    target = targets.astype(np.float64)

    def loss(at: Numbers) -> float:
        z = start + design @ at
        return float(np.sum(count * (np.logaddexp(0, z) - target * z)) + 0.5 * np.sum(ridge * at * at))

    current = loss(beta)
    for _ in range(100):
        p = logistic(start + design @ beta)
        curvature = count * np.maximum(p * (1 - p), 1e-9)
        hessian = design.T @ (design * curvature[:, None]) + np.diag(ridge)
        step = np.linalg.solve(hessian, design.T @ (count * (p - target)) + ridge * beta)
        scale = 1.0
        while scale > 1e-6 and loss(beta - scale * step) > current:
            scale /= 2
        beta = beta - scale * step
        following = loss(beta)
        if current - following < 1e-9 * (1 + abs(current)):
            break
        current = following
    return Logistic(float(beta[0]), beta[1:])

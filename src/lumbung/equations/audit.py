"""Eq. (23) and the audit's estimators: sizes, weighted proportions, intervals valid whenever one looks, agreement."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lumbung.equations.intervals import Interval, beta_quantile, normal_quantile
from lumbung.errors import ContractError

LIKE_WEIGHTS = 2.0
"""Strata whose labels weigh within this factor of each other are read together."""
ERRORS_TO_MEASURE = 4.0
"""With this many errors the measured design effect counts as much as the planned one."""
FEW = 2.5
STILL_TO_COME = 500.0
"""Decisions of the same kind for which the estimate stands as well: whoever read the first six of a category, all of
them, does not know how the next ones will be."""


def sample_size(p: float, margin: float, level: float = 0.95, design_effect: float = 1.0) -> int:
    """Eq. (23): n >= z^2 p (1 - p) / eps^2, times the design effect that boosted sampling costs."""
    if not 0 <= p <= 1 or margin <= 0 or design_effect < 1:
        raise ContractError("A sample size needs p in [0, 1], a positive margin and a design effect of at least 1.")
    z = normal_quantile(0.5 + level / 2)
    return max(1, math.ceil(design_effect * z * z * p * (1 - p) / margin**2 - 1e-9))


def deciding_size(good: float, limit: float, level: float, risk: float) -> int:
    """Labels after which an error of `good` shows an upper bound under `limit`, but for a chance of `risk`.

    Eq. (23) with the width that lies between the two; before that many, a bound above the limit is a want of labels.
    """
    if not 0 < good < limit < 1 or not 0 < risk < 1:
        raise ContractError("A deciding size needs 0 < good < limit < 1 and a risk in (0, 1).")
    bound = normal_quantile(0.5 + level / 2) * math.sqrt(limit * (1 - limit))
    chance = normal_quantile(1 - risk) * math.sqrt(good * (1 - good))
    return math.ceil(((bound + chance) / (limit - good)) ** 2)


def wilson(wrong: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's interval, also for an effective n that is no whole number.

    At 0 and at n it keeps one end exactly on the border; without labels nothing is known: [0, 1].
    """
    if n < 0 or not 0 <= wrong <= n + 1e-9:
        raise ContractError(f"{wrong} of {n} cannot be.")
    if n == 0:
        return Interval(math.nan, 0.0, 1.0)
    z = normal_quantile(0.5 + level / 2)
    p = min(1.0, wrong / n)
    spread = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    centre, scale = p + z * z / (2 * n), 1 + z * z / n
    low = 0.0 if p == 0.0 else max(0.0, (centre - spread) / scale)
    high = 1.0 if p == 1.0 else min(1.0, (centre + spread) / scale)
    return Interval(p, low, high)


@dataclass(frozen=True, slots=True)
class Sampled:
    """One sampled decision: with what probability it was drawn, its stratum, and its label once there is one."""

    inclusion_probability: float
    wrong: bool | None
    stratum: str = ""


@dataclass(frozen=True, slots=True)
class Estimate:
    interval: Interval
    labelled: int
    effective_n: float
    design_effect: float


def kish_design_effect(weights: Sequence[float]) -> float:
    """n * sum w^2 / (sum w)^2: what unequal weights cost in precision."""
    total = math.fsum(weights)
    return len(weights) * math.fsum(w * w for w in weights) / (total * total) if total > 0 else 1.0


@dataclass(frozen=True, slots=True)
class _Label:
    weight: float
    wrong: bool


@dataclass(frozen=True, slots=True)
class _WeightClass:
    """Strata whose labels stand for about equally many decisions each."""

    share: float
    rate: float
    labelled: int
    design_effect: float
    unseen: float
    """Share of the class, with what is still to come of it, that nobody has read: only that can still surprise."""

    @property
    def effective(self) -> float:
        """The size of a plain sample that says as much."""
        return self.labelled / (self.design_effect * self.unseen)


def _strata(samples: Sequence[Sampled]) -> list[list[_Label]]:
    """The labels by stratum, each with its weight: unlabelled samples still speak for the size of their stratum.

    Strata without a label are left out.
    """
    groups: dict[str, list[Sampled]] = defaultdict(list)
    for sample in samples:
        if not 0 < sample.inclusion_probability <= 1:
            raise ContractError(f"An inclusion probability lies in (0, 1], not at {sample.inclusion_probability}.")
        groups[sample.stratum].append(sample)
    strata = []
    for name in sorted(groups):
        drawn = [(1 / each.inclusion_probability, each.wrong) for each in groups[name]]
        read = math.fsum(weight for weight, wrong in drawn if wrong is not None)
        if read > 0:
            rise = math.fsum(weight for weight, _ in drawn) / read
            strata.append([_Label(weight * rise, wrong) for weight, wrong in drawn if wrong is not None])
    return strata


def _weight_classes(strata: Sequence[list[_Label]]) -> list[_WeightClass]:
    """Strata collapsed into classes of like weight, so that a few labels are never the only word on a variance."""
    classes: list[list[_Label]] = []
    lightest = 0.0
    for mean, labels in sorted(((_size(labels) / len(labels), labels) for labels in strata), key=lambda each: each[0]):
        if not classes or mean > LIKE_WEIGHTS * lightest:
            classes.append([])
            lightest = mean
        classes[-1].extend(labels)
    population = math.fsum(_size(labels) for labels in classes)
    return [_weight_class(labels, population) for labels in classes]


def _weight_class(labels: Sequence[_Label], population: float) -> _WeightClass:
    size = _size(labels)
    rate = min(1.0, math.fsum(each.weight for each in labels if each.wrong) / size)
    unseen = 1 - len(labels) / (size + STILL_TO_COME * size / population)
    return _WeightClass(size / population, rate, len(labels), _design_effect(labels, rate, size), unseen)


def _size(labels: Sequence[_Label]) -> float:
    return math.fsum(each.weight for each in labels)


def _design_effect(labels: Sequence[_Label], rate: float, size: float) -> float:
    """Kish's effect of the weights, and, the more errors were seen, the measured one.

    The measured one knows whether errors sit among heavy or light labels; from few errors it cannot be told.
    """
    planned = kish_design_effect([each.weight for each in labels])
    if not 0 < rate < 1:
        return planned
    spread = math.fsum((each.weight * (each.wrong - rate)) ** 2 for each in labels)
    measured = len(labels) * spread / (size * size * rate * (1 - rate))
    wrong = sum(each.wrong for each in labels)
    seen = min(wrong, len(labels) - wrong)
    return (seen * measured + ERRORS_TO_MEASURE * planned) / (seen + ERRORS_TO_MEASURE)


def _bounds(rate: float, effective: float, level: float) -> tuple[float, float]:
    """Wilson's bounds, and with up to two errors (or two that are none) the exact one where Wilson's is too bold.

    Brown, Cai and DasGupta (2001) modify it so: the plain interval dips to 83 % near the ends.
    """
    interval = wilson(rate * effective, effective, level)
    wrong, right = rate * effective, (1 - rate) * effective
    low, high = interval.low, interval.high
    if 0 < wrong < FEW:
        low = min(low, beta_quantile(1 - level, wrong, right + 1))
    if 0 < right < FEW:
        high = max(high, beta_quantile(level, wrong + 1, right))
    return low, high


def weighted_error(samples: Sequence[Sampled], level: float = 0.95) -> Estimate:
    """The error rate under boosted, stratified, partly labelled sampling, with an effective-n Wilson interval.

    The estimate is weighted by inverse probabilities, within a stratum by what was labelled of it. For the interval
    strata of like weight (within a factor of two) are read together, each such class with Wilson's bounds at its
    effective n; the bounds of the classes are joined by the distances from their rates to their ends (MOVER: the
    root of the sum of (share * distance)^2 on either side). A large class in which no error was seen thus keeps the
    upper bound that its labels deserve, where one pooled variance would make it almost nothing. Strata drawn at one
    rate count as one draw, since every decision is drawn on its own: for fixed sizes per stratum and rates that
    differ wildly this is a little wide, never too narrow.
    """
    classes = _weight_classes(_strata(samples))
    if not classes:
        return Estimate(Interval(math.nan, 0.0, 1.0), 0, 0.0, 1.0)
    labelled = sum(each.labelled for each in classes)
    p = min(1.0, math.fsum(each.share * each.rate for each in classes))
    ends = [(each, *_bounds(each.rate, each.effective, level)) for each in classes]
    below = math.sqrt(math.fsum((each.share * (each.rate - low)) ** 2 for each, low, _ in ends))
    above = math.sqrt(math.fsum((each.share * (high - each.rate)) ** 2 for each, _, high in ends))
    interval = Interval(p, max(0.0, p - below), min(1.0, p + above))
    effect = labelled * math.fsum(each.share**2 * each.design_effect / each.labelled for each in classes)
    return Estimate(interval, labelled, labelled / effect, effect)


def krippendorff_alpha(readings: Mapping[str, Sequence[str | None]]) -> float:
    """Agreement of readers on nominal labels, by unit; missing readings are None.

    1 is perfect, 0 is chance. Units read once cannot agree or disagree and are left out; when all readings are
    one and the same label, there is nothing to disagree about, and alpha is 1.
    """
    coincidences: Counter[tuple[str, str]] = Counter()
    marginal: Counter[str] = Counter()
    weights: dict[tuple[str, str], float] = defaultdict(float)
    for unit in sorted(readings):
        values = [value for value in readings[unit] if value is not None]
        if len(values) < 2:
            continue
        marginal.update(values)
        coincidences.clear()
        for i, a in enumerate(values):
            for j, b in enumerate(values):
                if i != j:
                    coincidences[a, b] += 1
        for pair, count in coincidences.items():
            weights[pair] += count / (len(values) - 1)
    n = sum(marginal.values())
    if n == 0:
        return math.nan
    observed = math.fsum(w for (a, b), w in weights.items() if a != b) / n
    expected = (n * n - sum(c * c for c in marginal.values())) / (n * (n - 1))
    return 1.0 if expected == 0 else 1 - observed / expected

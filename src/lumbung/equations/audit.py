"""Eq. (23) and the audit's estimators: sizes, weighted proportions, intervals valid whenever one looks, agreement."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lumbung.equations.intervals import Interval, normal_quantile, student_quantile
from lumbung.errors import ContractError


def sample_size(p: float, margin: float, level: float = 0.95, design_effect: float = 1.0) -> int:
    """Eq. (23): n >= z^2 p (1 - p) / eps^2, times the design effect that boosted sampling costs."""
    if not 0 <= p <= 1 or margin <= 0 or design_effect < 1:
        raise ContractError("A sample size needs p in [0, 1], a positive margin and a design effect of at least 1.")
    z = normal_quantile(0.5 + level / 2)
    return max(1, math.ceil(design_effect * z * z * p * (1 - p) / margin**2 - 1e-9))


def wilson(wrong: float, n: float, level: float = 0.95, quantile: float | None = None) -> Interval:
    """Wilson's interval, also for an effective n that is no whole number.

    At 0 and at n it keeps one end exactly on the border; without labels nothing is known: [0, 1].
    """
    if n < 0 or not 0 <= wrong <= n + 1e-9:
        raise ContractError(f"{wrong} of {n} cannot be.")
    if n == 0:
        return Interval(math.nan, 0.0, 1.0)
    z = normal_quantile(0.5 + level / 2) if quantile is None else quantile
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
class _Stratum:
    share: float
    rate: float
    deviation: float
    """Estimated variance of the stratum's rate."""
    labelled: int


def _strata(samples: Sequence[Sampled]) -> list[_Stratum]:
    """Each stratum's share of the population, from all it sampled, and its rate, from what was labelled.

    Unlabelled samples thus still speak for the size of their stratum; strata without a label are left out.
    The variance of a rate is taken at a rate drawn towards the overall one, because 0 wrong of 8 labels does
    not show that the stratum has no variance; and only what was not labelled can still surprise (the finite
    population correction).
    """
    groups: dict[str, list[Sampled]] = defaultdict(list)
    for sample in samples:
        if not 0 < sample.inclusion_probability <= 1:
            raise ContractError(f"An inclusion probability lies in (0, 1], not at {sample.inclusion_probability}.")
        groups[sample.stratum].append(sample)
    sizes, labels = {}, {}
    for name, group in groups.items():
        known = [each for each in group if each.wrong is not None]
        if known:
            sizes[name] = math.fsum(1 / each.inclusion_probability for each in group)
            labels[name] = known
    population = math.fsum(sizes.values())
    rates = {name: _weighted_rate(known) for name, known in labels.items()}
    overall = math.fsum(sizes[name] / population * rates[name] for name in sizes) if sizes else 0.0
    strata = []
    for name in sorted(sizes):
        weights = [1 / each.inclusion_probability for each in labels[name]]
        effective = len(weights) / kish_design_effect(weights)
        drawn = (rates[name] * effective + 2 * overall) / (effective + 2)
        unseen = max(0.0, 1 - len(weights) / sizes[name])
        variance = drawn * (1 - drawn) / effective * unseen
        strata.append(_Stratum(sizes[name] / population, rates[name], variance, len(weights)))
    return strata


def _weighted_rate(known: Sequence[Sampled]) -> float:
    weights = [1 / each.inclusion_probability for each in known]
    return math.fsum(w for w, each in zip(weights, known, strict=True) if each.wrong) / math.fsum(weights)


def weighted_error(samples: Sequence[Sampled], level: float = 0.95) -> Estimate:
    """The error rate under boosted, stratified, partly labelled sampling, with an effective-n Wilson interval.

    n_eff is the size of a plain sample of equal variance; Student's quantile with Satterthwaite's degrees of
    freedom answers for the variance being estimated itself from few labels.
    """
    strata = _strata(samples)
    labelled = sum(each.labelled for each in strata)
    if labelled == 0:
        return Estimate(Interval(math.nan, 0.0, 1.0), 0, 0.0, 1.0)
    p = min(1.0, math.fsum(each.share * each.rate for each in strata))
    parts = [each.share**2 * each.deviation for each in strata]
    variance = math.fsum(parts)
    planned = labelled / _planned_effect(strata, labelled)
    effective = max(1e-9, p * (1 - p) / variance) if variance > 0 else planned
    degrees = _satterthwaite(parts, [each.labelled for each in strata]) if variance > 0 else labelled
    reach = student_quantile(0.5 + level / 2, max(1.0, degrees))
    return Estimate(wilson(p * effective, effective, quantile=reach), labelled, effective, labelled / effective)


def _planned_effect(strata: Sequence[_Stratum], labelled: int) -> float:
    """The design effect of the shares alone, for when no error (or nothing but errors) was seen."""
    return max(1.0, labelled * math.fsum(each.share**2 / each.labelled for each in strata))


def _satterthwaite(parts: Sequence[float], sizes: Sequence[int]) -> float:
    below = math.fsum(part**2 / max(1, size - 1) for part, size in zip(parts, sizes, strict=True))
    return math.fsum(parts) ** 2 / below if below > 0 else float(sum(sizes))


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

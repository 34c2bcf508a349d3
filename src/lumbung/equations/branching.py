"""Eqs. (7) and (8): the frontier as a Galton-Watson process, and how long it lasts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lumbung.equations.intervals import Interval, normal_quantile, student_quantile
from lumbung.errors import ContractError

Numbers = NDArray[np.float64]
_BISECTIONS = 200


@dataclass(frozen=True)
class Offspring:
    """The law of xi: how many new, unique, filter-passing links one page yields."""

    counts: Numbers
    probabilities: Numbers

    @classmethod
    def of(cls, weights: Mapping[int, float]) -> Offspring:
        """From weights by count; they need not sum to one."""
        kept = {count: weight for count, weight in weights.items() if weight > 0}
        total = math.fsum(kept.values())
        if not kept or not math.isfinite(total) or min(kept) < 0 or min(weights.values()) < 0:
            raise ContractError("An offspring law needs counts of at least 0 with positive weights.")
        counts = sorted(kept)
        return cls(np.array(counts, dtype=np.float64), np.array([kept[count] / total for count in counts]))

    @classmethod
    def observed(cls, sample: Sequence[int]) -> Offspring:
        """The empirical law of a sample of pages."""
        weights: dict[int, float] = {}
        for count in sample:
            weights[count] = weights.get(count, 0.0) + 1
        return cls.of(weights)

    @cached_property
    def mean(self) -> float:
        """Eq. (7): m = E[xi]."""
        return math.fsum(self.counts * self.probabilities)

    @cached_property
    def variance(self) -> float:
        return math.fsum((self.counts - self.mean) ** 2 * self.probabilities)

    @property
    def barren(self) -> float:
        """P(xi = 0)."""
        return float(self.probabilities[0]) if self.counts[0] == 0 else 0.0

    def generating(self, s: float) -> float:
        """g(s) = E[s^xi], with 0^0 = 1."""
        return 1.0 - self.complement(1.0 - s)

    def complement(self, u: float) -> float:
        """1 - g(1 - u), exact also where u is tiny and 1 - u would round to 1."""
        if u >= 1.0:
            return 1.0 - self.barren
        return math.fsum(self.probabilities * -np.expm1(self.counts * math.log1p(-u)))


def extinction_probability(law: Offspring) -> float:
    """Eq. (8): the smallest fixed point of g in [0, 1].

    The paper's `q = 1 iff m <= 1` has one exception: if every page yields exactly one link the process is
    critical and immortal, and every q is a fixed point; the smallest is 0. So a page that never fails to yield
    (P(xi = 0) = 0) has q = 0 whatever m is. Above m = 1 the root is sought in u = 1 - q, where it stays exact
    as m falls towards 1: (1 - g(1 - u)) / u falls from m at 0 to 1 - P(xi = 0) at 1 and crosses 1 once.
    """
    if law.barren == 0.0:
        return 0.0
    if law.mean <= 1.0:
        return 1.0
    low, high = -745.0, 0.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        u = math.exp(middle)
        if u == 0.0 or law.complement(u) > u:
            low = middle
        else:
            high = middle
    return 1.0 - math.exp((low + high) / 2)


def tilted(law: Offspring, mean: float) -> Offspring:
    """The law nearest to this one, in information, that has another mean: weights p_k exp(theta k).

    A mean outside what the law's counts allow becomes the law of its smallest or largest count.
    """
    counts = law.counts
    if mean <= counts[0] or mean >= counts[-1]:
        return Offspring(counts[:1] if mean <= counts[0] else counts[-1:], np.array([1.0]))
    low, high = -50.0, 50.0
    weights = law.probabilities
    for _ in range(_BISECTIONS):
        theta = (low + high) / 2
        powers = theta * counts
        weights = law.probabilities * np.exp(powers - powers.max())
        weights = weights / weights.sum()
        low, high = (theta, high) if float(weights @ counts) < mean else (low, theta)
    return Offspring(counts, weights)


def extinction_interval(sample: Sequence[int], mean: Interval) -> Interval:
    """q with the bounds of m carried over: the observed law, tilted to either bound."""
    law = Offspring.observed(sample)
    bounds = [extinction_probability(tilted(law, m)) for m in (mean.high, mean.low)]
    value = extinction_probability(law)
    return Interval(value, min(value, *bounds), max(value, *bounds))


def survival(law: Offspring, seeds: int, generations: int) -> list[float]:
    """P(Z_t > 0) for t = 0 .. generations, from `seeds` independent lines."""
    if seeds < 0 or generations < 0:
        raise ContractError("Seeds and generations are not negative.")
    alive, u = [], 1.0
    for _ in range(generations + 1):
        alive.append(-math.expm1(seeds * math.log1p(-u)) if u < 1.0 else float(seeds > 0))
        u = law.complement(u)
    return alive


def extinction_time(law: Offspring, seeds: int, share: float, at_most: int = 10_000) -> int | None:
    """The first generation by which the process has died with probability `share`; None if it does not by then."""
    u = 1.0
    for generation in range(at_most + 1):
        alive = -math.expm1(seeds * math.log1p(-u)) if u < 1.0 else float(seeds > 0)
        if 1.0 - alive >= share:
            return generation
        following = law.complement(u)
        if following >= u:
            return None
        u = following
    return None


def expected_pages_left(frontier: float, mean: float) -> float:
    """Pages still to come from a frontier, itself included: |Phi| / (1 - m); without end from m = 1 on."""
    if frontier <= 0:
        return 0.0
    return math.inf if mean >= 1.0 else frontier / (1.0 - mean)


def mean_interval(sample: Sequence[int], level: float = 0.95) -> Interval:
    """m with its interval, from the pages of a window.

    Taken on the logarithm of the mean with Student's quantile, because link counts are skewed and never negative.
    The upper bound is that of the sample and one more page as rich as the richest seen: a window rarely holds its
    share of the few listings that lead to most pages. The lower one is that of the sample and one more page without a
    link: pages that are all alike by luck are no proof. Without a single link the rule of three bounds m; with a single
    page nothing bounds it.
    """
    n = len(sample)
    if n == 0:
        return Interval(math.nan, 0.0, math.inf)
    mean = math.fsum(sample) / n
    if mean == 0.0:
        return Interval(0.0, 0.0, -math.log(1 - level) / n)
    if n == 1:
        return Interval(mean, 0.0, math.inf)
    richer, poorer = [*sample, max(sample)], [*sample, 0]
    high = math.fsum(richer) / (n + 1) * math.exp(min(_log_reach(richer, level), 700.0))
    low = math.fsum(poorer) / (n + 1) * math.exp(-_log_reach(poorer, level))
    return Interval(mean, low, high)


def _log_reach(sample: Sequence[int], level: float) -> float:
    """Half the width of the interval, on the logarithm of the mean.

    A few rich pages tell the spread as badly as a small sample would (Satterthwaite's degrees of freedom).
    """
    n = len(sample)
    mean = math.fsum(sample) / n
    squares = [(x - mean) ** 2 for x in sample]
    total, of_squares = math.fsum(squares), math.fsum(square * square for square in squares)
    if total == 0.0:
        return 0.0
    freedom = max(1.0, min(n - 1.0, 2.0 * total * total / of_squares))
    return student_quantile(0.5 + level / 2, freedom) * math.sqrt(total / (n - 1) / n) / mean


@dataclass(frozen=True, slots=True)
class DryForecast:
    """What the monitor shows: pages still to come and when the frontier is dry, with the bounds of m carried over."""

    pages: Interval
    seconds: Interval


def pages_interval(frontier: int, mean: Interval, variance: float, level: float = 0.95) -> Interval:
    """Pages still to come: the bounds of m, and the chance that remains where m is known.

    The progeny of a page has the variance sigma^2 / (1 - m)^3; at least the frontier itself is still to come.
    """
    value, low, high = (expected_pages_left(frontier, m) for m in (mean.value, mean.low, mean.high))
    reach = normal_quantile(0.5 + level / 2)

    def chance(m: float) -> float:
        return reach * math.sqrt(frontier * variance / (1.0 - m) ** 3) if m < 1.0 else 0.0

    return Interval(value, max(float(frontier), low - chance(mean.low)), high + chance(mean.high))


def forecast_dry(frontier: int, mean: Interval, pages_per_second: float, variance: float = 0.0) -> DryForecast:
    """When the frontier runs dry at the present rate; infinite where m may be 1 or more."""
    pages = pages_interval(frontier, mean, variance)
    if pages_per_second <= 0:
        return DryForecast(pages, Interval(math.inf, math.inf, math.inf))
    return DryForecast(pages, Interval(*(each / pages_per_second for each in (pages.value, pages.low, pages.high))))

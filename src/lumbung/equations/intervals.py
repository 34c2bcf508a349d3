"""An estimate with its bounds, and the quantiles that bounds are made of."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

from lumbung.errors import ContractError

_NORMAL = NormalDist()
_TERMS = 500
_TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Interval:
    value: float
    low: float
    high: float

    def covers(self, truth: float) -> bool:
        return self.low <= truth <= self.high


def _strictly_between(probability: float) -> None:
    if not 0 < probability < 1:
        raise ContractError(f"A quantile is taken strictly between 0 and 1, not at {probability}.")


def _inverted(cumulative: Callable[[float], float], probability: float, low: float, high: float) -> float:
    """Bisection on a rising function, to the last bit that matters."""
    for _ in range(200):
        middle = (low + high) / 2
        if cumulative(middle) < probability:
            low = middle
        else:
            high = middle
        if high - low <= 1e-14 * max(1.0, abs(high)):
            break
    return (low + high) / 2


def normal_quantile(probability: float) -> float:
    _strictly_between(probability)
    return _NORMAL.inv_cdf(probability)


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > _TINY else _TINY)
    value = d
    for m in range(1, _TERMS):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 + numerator * d
            d = 1.0 / (d if abs(d) > _TINY else _TINY)
            c = 1.0 + numerator / c
            c = c if abs(c) > _TINY else _TINY
            value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return value


def beta_cumulative(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, 1.0 - x) / b


def beta_quantile(probability: float, a: float, b: float) -> float:
    _strictly_between(probability)
    if a <= 0 or b <= 0:
        raise ContractError("A beta distribution has positive parameters.")
    return _inverted(lambda x: beta_cumulative(a, b, x), probability, 0.0, 1.0)


def student_quantile(probability: float, degrees: float) -> float:
    """Student's t quantile through the beta distribution; above a million degrees it is the normal one."""
    _strictly_between(probability)
    if degrees <= 0:
        raise ContractError(f"Degrees of freedom are positive, not {degrees}.")
    if probability == 0.5:
        return 0.0
    if degrees > 1e6:
        return normal_quantile(probability)
    tail = 2 * min(probability, 1 - probability)
    x = beta_quantile(tail, degrees / 2, 0.5)
    magnitude = math.sqrt(degrees * (1 - x) / max(x, _TINY))
    return magnitude if probability > 0.5 else -magnitude

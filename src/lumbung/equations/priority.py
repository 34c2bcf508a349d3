"""Eq. (5): the priority of a URL in the frontier."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum


def priority(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    """Eq. (5): U(u) = sum of w_m * x_m(u); a feature without a weight counts nothing."""
    return fsum([weights.get(name, 0.0) * x for name, x in features.items()])


def learned(
    weights: Mapping[str, float],
    features: Mapping[str, float],
    observed_yield: float,
    rate: float = 0.05,
    fixed: frozenset[str] = frozenset(),
) -> dict[str, float]:
    """One normalised least-mean-squares step towards what the page really yielded.

    Dividing by the squared length keeps the step stable whatever the features' scale. Names in `fixed`
    (the denylist) are policy, not prediction: they are neither learned nor allowed to explain the yield.
    """
    used = {name: x for name, x in features.items() if name not in fixed}
    error = observed_yield - priority(weights, used)
    length = 1.0 + fsum(x * x for x in used.values())
    moved = {name: weights.get(name, 0.0) + rate * error * x / length for name, x in used.items()}
    return {**weights, **moved}

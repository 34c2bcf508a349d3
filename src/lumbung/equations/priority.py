"""Eq. (5): the priority of a URL in the frontier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum


def priority(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    """Eq. (5): U(u) = sum of w_m * x_m(u); a feature without a weight counts nothing."""
    return fsum([weights.get(name, 0.0) * x for name, x in features.items()])


@dataclass(frozen=True, slots=True)
class Belief:
    """Weights, and how much is yet to be learned of them: their covariance, in units of the noise of one page."""

    weights: Mapping[str, float]
    doubt: Mapping[str, Mapping[str, float]]

    @classmethod
    def before(cls, weights: Mapping[str, float], doubt: float) -> Belief:
        """Each weight by itself is believed as after 1/doubt pages that had its feature in full and nothing else."""
        return cls(weights, {name: {name: doubt} for name in weights})


def learned(
    belief: Belief, features: Mapping[str, float], observed_yield: float, fixed: frozenset[str] = frozenset()
) -> Belief:
    """One step of Bayesian linear regression towards what the page really yielded.

    A weight moves as far as what was seen outweighs what was believed, and ever less as more is seen. Names in `fixed`
    (the denylist) are policy, not prediction: they are neither learned nor allowed to explain the yield.
    """
    used = {name: x for name, x in features.items() if name not in fixed}
    reach = {name: fsum([belief.doubt.get(name, {}).get(other, 0.0) * x for other, x in used.items()]) for name in used}
    spread = 1.0 + fsum([x * reach[name] for name, x in used.items()])
    share = (observed_yield - priority(belief.weights, used)) / spread
    weights = {name: belief.weights.get(name, 0.0) + share * step for name, step in reach.items()}
    doubt = {
        name: {other: belief.doubt.get(name, {}).get(other, 0.0) - step * reach[other] / spread for other in used}
        for name, step in reach.items()
    }
    return Belief({**belief.weights, **weights}, {**belief.doubt, **doubt})

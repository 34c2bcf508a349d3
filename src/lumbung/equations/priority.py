"""Eq. (5): the priority of a URL in the frontier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum


def priority(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    """Eq. (5): U(u) = sum of w_m * x_m(u); a feature without a weight counts nothing."""
    return fsum([weights.get(name, 0.0) * x for name, x in features.items()])


AS_GOVERNED = frozenset({"denylist", "depth"})
"""Policy, not prediction. Depth may explain what pages gave, but does not rank by what it explains: it goes with the age of
the crawl, because the deep is met when the best is taken already, and it has no upper end, so that a model which praised
it after a few pages would dig ever deeper.
"""


def in_force(learned_weights: Mapping[str, float], governed: Mapping[str, float]) -> dict[str, float]:
    """The weights that rank: the learned ones, and the governed ones where they are policy."""
    return {**learned_weights, **{name: governed[name] for name in AS_GOVERNED if name in governed}}


@dataclass(frozen=True, slots=True)
class Belief:
    """Weights, and how firmly each and every two of them are believed, in pages: the precision of the regression."""

    weights: Mapping[str, float]
    firmness: Mapping[str, Mapping[str, float]]

    @classmethod
    def before(cls, weights: Mapping[str, float], pages: float) -> Belief:
        """Each weight by itself is believed as after so many pages that had its feature in full and nothing else."""
        return cls(weights, {name: {name: pages} for name in weights})


def learned(
    belief: Belief,
    pages: Sequence[Mapping[str, float]],
    observed_yields: Sequence[float],
    fixed: frozenset[str] = frozenset(),
) -> Belief:
    """Bayesian linear regression towards what pages really yielded, by their features; in one step or in several.

    A weight moves as far as what was seen outweighs what was believed, and ever less as more is seen. Names in `fixed`
    (the denylist) are policy, not prediction: they are neither learned nor allowed to explain the yield.
    """
    import numpy as np

    names = [name for name in belief.weights if name not in fixed]
    seen = np.array([[page.get(name, 0.0) for name in names] for page in pages]).reshape(len(pages), len(names))
    before = np.array([[belief.firmness.get(one, {}).get(other, 0.0) for other in names] for one in names])
    after = before + seen.T @ seen
    told = before @ np.array([belief.weights[name] for name in names]) + seen.T @ np.array(observed_yields)
    weights = dict(zip(names, np.linalg.solve(after, told).tolist(), strict=True))
    firmness = {name: dict(zip(names, row, strict=True)) for name, row in zip(names, after.tolist(), strict=True)}
    return Belief({**belief.weights, **weights}, {**belief.firmness, **firmness})

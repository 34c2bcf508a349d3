"""Eq. (13): the similarity of two candidates, from their content only."""

from __future__ import annotations

import math
from dataclasses import dataclass

from lumbung.errors import ContractError


@dataclass(frozen=True, slots=True)
class Weights:
    """alpha, beta, gamma of Eq. (13)."""

    alpha: float = 0.4
    beta: float = 0.2
    gamma: float = 0.4


def similarity(cosine: float, jaccard: float, name: float, alpha: float, beta: float, gamma: float) -> float:
    """Eq. (13): s = alpha * cos + beta * J + gamma * sim_name, a convex combination, so s stays within [0, 1]."""
    if min(alpha, beta, gamma) < 0 or not math.isclose(alpha + beta + gamma, 1.0, abs_tol=1e-9):
        raise ContractError(f"alpha, beta and gamma must be shares that sum to 1, not {alpha}, {beta}, {gamma}.")
    return min(1.0, max(0.0, alpha * cosine + beta * jaccard + gamma * name))


def without_attributes(weights: Weights) -> Weights:
    """The weights when neither side has attributes: beta is shared out, since J of two empty bags says nothing."""
    rest = weights.alpha + weights.gamma
    if rest <= 0:
        return Weights(0.5, 0.0, 0.5)
    return Weights(weights.alpha / rest, 0.0, weights.gamma / rest)

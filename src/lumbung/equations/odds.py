"""Eq. (18): the odds that a fact is right, given its witnesses, kept as logarithms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lumbung.errors import ContractError


@dataclass(frozen=True, slots=True)
class Witness:
    """One independent source's say: its likelihood ratio lambda, and +1 when it supports, -1 when it contradicts."""

    ratio: float
    polarity: int = 1


def adjusted_ratio(ratio: float, precision: float) -> float:
    """lambda' = c * lambda + (1 - c): what remains of a source's credibility when we may have misread it.

    With precision c = 0 the reading says nothing (ratio 1); with c = 1 the source speaks for itself.
    """
    if not (math.isfinite(ratio) and ratio > 0):
        raise ContractError(f"A likelihood ratio must be a positive number, not {ratio}.")
    if not 0 <= precision <= 1:
        raise ContractError(f"A precision lies between 0 and 1, not at {precision}.")
    return precision * ratio + (1 - precision)


def log_odds(prior_odds: float, witnesses: Sequence[Witness]) -> float:
    """Eq. (18) in logarithms: log O_0 + sum of polarity * log lambda.

    The terms are summed exactly (fsum over a sorted list), so the order of arrival cannot change a single bit.
    """
    if not (math.isfinite(prior_odds) and prior_odds > 0):
        raise ContractError(f"Prior odds must be a positive number, not {prior_odds}.")
    terms = [math.log(prior_odds)]
    for witness in witnesses:
        if witness.polarity not in {-1, 1}:
            raise ContractError(f"A witness supports (+1) or contradicts (-1), not {witness.polarity}.")
        if not (math.isfinite(witness.ratio) and witness.ratio > 0):
            raise ContractError(f"A likelihood ratio must be a positive number, not {witness.ratio}.")
        terms.append(witness.polarity * math.log(witness.ratio))
    return math.fsum(sorted(terms))


def probability(log_odds: float) -> float:
    """The logistic function, in the form that overflows on neither side."""
    if log_odds >= 0:
        return 1 / (1 + math.exp(-log_odds))
    scaled = math.exp(log_odds)
    return scaled / (1 + scaled)

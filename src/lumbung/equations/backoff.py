"""Eq. (21): bounded geometric backoff."""

from __future__ import annotations

import math

from lumbung.errors import ContractError


def delay_seconds(attempt: int, first: float, factor: float, cap: float) -> float:
    """Eq. (21): d_n = min(d_0 * gamma^n, d_max).

    Compared in logarithms before the power is taken: gamma^n leaves the range of a float near n = 1000.
    """
    if attempt < 0 or first < 0 or cap < 0 or factor <= 0:
        raise ContractError("Backoff needs attempt, first and cap of at least 0 and a positive factor.")
    if first == 0 or first >= cap:
        return min(first, cap)
    if math.log(first) + attempt * math.log(factor) >= math.log(cap):
        return cap
    return min(first * math.exp(attempt * math.log(factor)), cap)

"""Eq. (21): bounded geometric backoff."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

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


@dataclass(frozen=True, slots=True)
class Backoff:
    """The constants of Eq. (21), which are one for every kind of work that is tried again."""

    first_seconds: float = 2.0
    factor: float = 2.0
    cap_seconds: float = 3600.0

    @classmethod
    def from_rows(cls, rows: Mapping[str, Any]) -> Self:
        """As the governed rows in force have them."""
        own = cls()
        return cls(
            float(rows.get("backoff.first_seconds", own.first_seconds)),
            float(rows.get("backoff.factor", own.factor)),
            float(rows.get("backoff.cap_seconds", own.cap_seconds)),
        )

    def seconds(self, attempt: int) -> float:
        return delay_seconds(attempt, self.first_seconds, self.factor, self.cap_seconds)

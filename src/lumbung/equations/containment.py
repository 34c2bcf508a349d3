"""Eq. (15): how much of a candidate's data is already held."""

from __future__ import annotations

from lumbung.errors import ContractError


def containment(held: int, total: int) -> float:
    """Eq. (15): kappa = |F_x meet F_e| / |F_x|.

    A candidate without facts brings nothing new, so the empty set is wholly contained: 1, not 0/0.
    """
    if total < 0 or not 0 <= held <= total:
        raise ContractError(f"{held} held facts of {total} cannot be.")
    return 1.0 if total == 0 else held / total

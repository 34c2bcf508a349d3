"""Eq. (9): when the next seed tranche is injected."""

from __future__ import annotations

from lumbung.errors import ContractError


def needs_tranche(frontier_depth: int, phi_min: int) -> bool:
    """Eq. (9): |Phi_t| < phi_min; at the threshold itself the frontier is still deep enough."""
    if frontier_depth < 0 or phi_min < 0:
        raise ContractError("A frontier's depth and its threshold are not negative.")
    return frontier_depth < phi_min

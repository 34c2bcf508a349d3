"""Eq. (22): the sliding-window budget, and Little's law beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable

from lumbung.errors import ContractError


def spent_in_window(spends: Iterable[tuple[float, int]], now: float, width: float) -> int:
    """The sum over (t - W, t]: what was spent exactly W ago has left the window, what is spent now is in it."""
    return sum(amount for at, amount in spends if now - width < at <= now)


def room(spent: int, reserved: int, cap: int) -> int:
    """Micro-units that may still be reserved; a window spent beyond its cap has no room rather than a debt."""
    return max(0, cap - spent - reserved)


def may_reserve(amount: int, spent: int, reserved: int, cap: int) -> bool:
    """Eq. (22): spend in the window, plus what is in flight, plus this reservation, stay within B_W."""
    if amount < 0:
        raise ContractError(f"A reservation is not negative: {amount}.")
    return spent + reserved + amount <= cap


def concurrency(arrivals_per_second: float, mean_seconds: float, at_most: int) -> int:
    """Little's law, L = lambda * W: how many workers a stage keeps busy, at least one and at most the bound."""
    if arrivals_per_second < 0 or mean_seconds < 0 or at_most < 1:
        raise ContractError("Little's law needs rates of at least 0 and a bound of at least 1.")
    busy = arrivals_per_second * mean_seconds
    return at_most if busy >= at_most else max(1, math.ceil(busy))

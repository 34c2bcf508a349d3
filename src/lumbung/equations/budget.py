"""Little's law, by which a stage's workers are counted; Eq. (22) itself is a constraint of the database."""

from __future__ import annotations

import math

from lumbung.errors import ContractError


def concurrency(arrivals_per_second: float, mean_seconds: float, at_most: int) -> int:
    """Little's law, L = lambda * W: how many workers a stage keeps busy, at least one and at most the bound."""
    if arrivals_per_second < 0 or mean_seconds < 0 or at_most < 1:
        raise ContractError("Little's law needs rates of at least 0 and a bound of at least 1.")
    busy = arrivals_per_second * mean_seconds
    return at_most if busy >= at_most else max(1, math.ceil(busy))

"""Eqs. (3) and (4): what the funnel costs, and the order of exchangeable filters that costs least."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lumbung.errors import ContractError


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage or filter: its cost per item and the share of items that pass on.

    `seen` items stand behind a measured pass rate and `cost_deviation` is the standard deviation of one item's
    cost; both 0 for given figures, which are then taken as exact. A stage that makes several items of one, as extract
    does of a long page, passes on more than it took.
    """

    name: str
    cost: float
    pass_rate: float
    seen: int = 0
    cost_deviation: float = 0.0

    def __post_init__(self) -> None:
        if not (self.cost >= 0 and math.isfinite(self.cost)):
            raise ContractError(f"{self.name}: a cost is a number of at least 0, not {self.cost}.")
        if not (self.pass_rate >= 0 and math.isfinite(self.pass_rate)):
            raise ContractError(f"{self.name}: a pass rate is a number of at least 0, not {self.pass_rate}.")


@dataclass(frozen=True, slots=True)
class Group:
    """What one source brought: how many items reached each stage and, last, came out; and what each stage cost in all.

    Items of one source are alike, so that a thousand pages of three hosts say less than a thousand of a hundred.
    """

    counts: tuple[int, ...]
    costs: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FunnelCost:
    per_input: float
    per_published: float
    """Infinite when nothing passes."""
    yield_rate: float
    by_stage: tuple[float, ...]
    """Each stage's share of the cost per input item."""


def funnel_cost(stages: Sequence[Stage]) -> FunnelCost:
    """Eq. (3): C_in = sum of c_k times the pass rates before it; C_pub = C_in over all pass rates."""
    reach, parts = 1.0, []
    for stage in stages:
        parts.append(stage.cost * reach)
        reach *= stage.pass_rate
    total = math.fsum(parts)
    return FunnelCost(total, total / reach if reach > 0 else math.inf, reach, tuple(parts))


def ratio(stage: Stage) -> float:
    """c / (1 - p); a filter that stops nothing is infinitely dear unless it is free."""
    stopped = 1.0 - stage.pass_rate
    if stopped > 0:
        return stage.cost / stopped
    return math.inf if stage.cost > 0 else 0.0


def filter_order(filters: Sequence[Stage]) -> list[Stage]:
    """Eq. (4): ascending c / (1 - p), ties by cost and then by name, so that the order is one and the same."""
    return sorted(filters, key=lambda each: (ratio(each), each.cost, each.name))


def observed_pass_rate(passed: int, seen: int) -> float:
    """The share that passed, drawn in by one half on each side, so that 0 of 3 is not taken for never."""
    if not 0 <= passed <= seen:
        raise ContractError(f"{passed} of {seen} items cannot have passed.")
    return (passed + 0.5) / (seen + 1)


def entries_per_day(cost: FunnelCost, budget_per_day: float, inputs_per_day: float = math.inf) -> float:
    """Published entries a day: as many as the money allows, or as the crawl brings in, whichever is fewer."""
    if budget_per_day < 0 or inputs_per_day < 0:
        raise ContractError("A budget and a number of pages are not negative.")
    affordable = math.inf if cost.per_input == 0 else budget_per_day / cost.per_input
    inputs = min(affordable, inputs_per_day)
    return inputs * cost.yield_rate if cost.yield_rate > 0 else 0.0

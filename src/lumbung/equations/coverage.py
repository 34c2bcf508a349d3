"""Eqs. (25) and (26): the worth of a set of seed tranches, and which tranches to choose."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from lumbung.equations.intervals import Interval, student_quantile
from lumbung.errors import ContractError

Numbers = NDArray[np.float64]
Cell = tuple[str, str]
TRIPLES_UP_TO = 24


@dataclass(frozen=True, slots=True)
class Target:
    """What the library wants of a cell (category, region): its weight w, its target n*, and what is there already."""

    weight: float
    wanted: float
    held: float = 0.0


@dataclass(frozen=True, slots=True)
class Tranche:
    name: str
    yields: Mapping[Cell, float]
    """Expected entries by cell."""
    cost: float = 1.0


@dataclass(frozen=True, slots=True)
class Step:
    """One choice, and which cells it fills by how much of the objective."""

    tranche: str
    gain: float
    cells: tuple[tuple[Cell, float], ...]


@dataclass(frozen=True, slots=True)
class Choice:
    steps: tuple[Step, ...]
    value: float
    cost: float
    method: str

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(step.tranche for step in self.steps)


class Coverage:
    """f of Eq. (25) over fixed targets and tranches, each tranche kept as its few cells and yields."""

    def __init__(self, targets: Mapping[Cell, Target], tranches: Sequence[Tranche]) -> None:
        self.cells = sorted(targets)
        place = {cell: index for index, cell in enumerate(self.cells)}
        for cell, target in targets.items():
            if target.weight < 0 or target.wanted <= 0 or target.held < 0:
                raise ContractError(f"Cell {cell}: weight and holdings are not negative, the target is positive.")
        self.weights: Numbers = np.array([targets[cell].weight for cell in self.cells])
        self.wanted: Numbers = np.array([targets[cell].wanted for cell in self.cells])
        self.held: Numbers = np.array([targets[cell].held for cell in self.cells])
        self.tranches = tuple(tranches)
        self._rows = [self._row(tranche, place) for tranche in tranches]

    def _row(self, tranche: Tranche, place: Mapping[Cell, int]) -> tuple[NDArray[np.intp], Numbers]:
        """The cells a tranche reaches, and what it would add to f in each if the cell were bottomless."""
        count = len(tranche.yields)
        cells = np.fromiter((place.get(cell, -1) for cell in tranche.yields), dtype=np.intp, count=count)
        yields = np.fromiter(tranche.yields.values(), dtype=np.float64, count=count)
        if tranche.cost <= 0 or not (np.isfinite(yields) & (yields >= 0)).all():
            raise ContractError(f"Tranche {tranche.name}: its cost is positive and its yields are not negative.")
        known = (cells >= 0) & (yields > 0)
        cells, yields = cells[known], yields[known]
        return cells, self.weights[cells] * yields / self.wanted[cells]

    def room(self, chosen: Iterable[int]) -> Numbers:
        """How much of f each cell can still give: w * (1 - min(1, n(S) / n*))."""
        left = self.weights * np.maximum(0.0, 1.0 - self.held / self.wanted)
        for index in chosen:
            self.take(index, left)
        return left

    def take(self, index: int, room: Numbers) -> None:
        cells, worth = self._rows[index]
        room[cells] = np.maximum(0.0, room[cells] - worth)

    def value(self, chosen: Iterable[int]) -> float:
        """Eq. (25): f(S) = sum of w * min(1, n(S) / n*), what is held already counting as yield."""
        return math.fsum(self.weights - self.room(chosen))

    def gains(self, index: int, room: Numbers) -> tuple[NDArray[np.intp], Numbers]:
        """What one more tranche adds, cell by cell."""
        cells, worth = self._rows[index]
        return cells, np.minimum(room[cells], worth)

    def gain(self, index: int, room: Numbers) -> float:
        return float(self.gains(index, room)[1].sum())

    def first_gains(self, room: Numbers) -> list[float]:
        return [self.gain(index, room) for index in range(len(self.tranches))]

    def explained(self, chosen: Sequence[int], method: str) -> Choice:
        room, steps = self.room(()), []
        for index in chosen:
            cells, gains = self.gains(index, room)
            ranked = sorted(zip(cells.tolist(), gains.tolist(), strict=True), key=lambda each: (-each[1], each[0]))
            filled = tuple((self.cells[cell], gain) for cell, gain in ranked if gain > 0)
            steps.append(Step(self.tranches[index].name, math.fsum(gain for _, gain in filled), filled))
            self.take(index, room)
        cost = math.fsum(self.tranches[index].cost for index in chosen)
        return Choice(tuple(steps), math.fsum(step.gain for step in steps), cost, method)


def _lazy_greedy(
    coverage: Coverage, chosen: list[int], *, budget: float, limit: int, per_cost: bool, gains: Sequence[float]
) -> list[int]:
    """Greedy with stale upper bounds: f is submodular, so a gain can only have fallen since it was computed.

    What no longer fits the budget is skipped, not a reason to stop: the bound for costs needs that.
    """
    room = coverage.room(chosen)
    left = budget - math.fsum(coverage.tranches[index].cost for index in chosen)
    taken = set(chosen)
    price = [tranche.cost if per_cost else 1.0 for tranche in coverage.tranches]
    heap = [(-gain / price[i], i, -1) for i, gain in enumerate(gains) if gain > 0 and i not in taken]
    heapq.heapify(heap)
    result = list(chosen)
    while heap and len(result) < limit:
        _, index, seen_at = heapq.heappop(heap)
        if coverage.tranches[index].cost > left + 1e-12:
            continue
        if seen_at == len(result):
            coverage.take(index, room)
            left -= coverage.tranches[index].cost
            result.append(index)
            continue
        gain = coverage.gain(index, room)
        if gain > 1e-15:
            heapq.heappush(heap, (-gain / price[index], index, len(result)))
    return result


def choose_by_number(coverage: Coverage, limit: int) -> Choice:
    """Eq. (26): at most B tranches, greedily by marginal yield, which reaches (1 - 1/e) of the optimum."""
    gains = coverage.first_gains(coverage.room(()))
    picked = _lazy_greedy(coverage, [], budget=math.inf, limit=limit, per_cost=False, gains=gains)
    return coverage.explained(picked, "greedy")


def choose_by_cost(coverage: Coverage, budget: float, triples_up_to: int = TRIPLES_UP_TO) -> Choice:
    """Tranches within a cost budget.

    Greedy by gain per cost alone has no bound (a cheap crumb can shut out the one great tranche). The better of
    it and the best single tranche reaches 1 - 1/sqrt(e), about 0.39; for small sets every triple is completed
    greedily instead, which restores (1 - 1/e).
    """
    gains = coverage.first_gains(coverage.room(()))
    everything = len(coverage.tranches)
    picked = _lazy_greedy(coverage, [], budget=budget, limit=everything, per_cost=True, gains=gains)
    candidates = [(picked, "greedy by gain per cost")]
    affordable = [i for i in range(everything) if coverage.tranches[i].cost <= budget and gains[i] > 0]
    if affordable:
        candidates.append(([max(affordable, key=lambda i: (gains[i], -i))], "best single tranche"))
    if len(affordable) <= triples_up_to:
        for start in (start for size in (2, 3) for start in combinations(affordable, size)):
            if math.fsum(coverage.tranches[i].cost for i in start) <= budget:
                done = _lazy_greedy(coverage, list(start), budget=budget, limit=everything, per_cost=True, gains=gains)
                candidates.append((done, "triples, completed greedily"))
    best, method = max(candidates, key=lambda each: coverage.value(each[0]))
    return coverage.explained(best, method)


@dataclass(frozen=True, slots=True)
class YieldPosterior:
    """Gamma-Poisson: what a tranche is believed to give per unit of exposure (a page, a seed) in one cell."""

    shape: float
    rate: float

    def __post_init__(self) -> None:
        if self.shape <= 0 or self.rate <= 0:
            raise ContractError("A yield posterior has positive shape and rate.")

    def after(self, found: float, exposure: float) -> YieldPosterior:
        """The belief after `found` entries came out of `exposure` units."""
        if found < 0 or exposure < 0:
            raise ContractError("Yields and exposures are not negative.")
        return YieldPosterior(self.shape + found, self.rate + exposure)

    def worth(self, exposure: float) -> YieldPosterior:
        """The same expectation, as sure as `exposure` units make it: a first guess for something narrower."""
        return YieldPosterior(self.mean * exposure, exposure)

    @property
    def mean(self) -> float:
        return self.shape / self.rate

    @property
    def variance(self) -> float:
        return self.shape / self.rate**2


def forecast_range(
    expected: float,
    earlier: Iterable[tuple[float, float]],
    level: float = 0.9,
    first_spread: float = 1.2,
    spread_worth: float = 3.0,
) -> Interval:
    """Between what a tranche may give: as far off in ratio as `earlier` ones (expected, found) were, and chance.

    `first_spread` is that of the logarithm of the ratio before any was seen (1.2: a factor of ten, in 95 of 100), and
    is worth as much as `spread_worth` tranches.

    Seeds of one tranche share their sites and their curator, so they err together: the belief about single seeds is far too
    sure of their sum. Half an entry is added to both sides of a ratio, so that a tranche that gave nothing counts.
    """
    if expected < 0 or not 0 < level < 1:
        raise ContractError("A forecast expects no negative number, and its level lies in (0, 1).")
    misses = [math.log((found + 0.5) / (hoped + 0.5)) for hoped, found in earlier]
    degrees = spread_worth + len(misses)
    squares = spread_worth * first_spread**2 + math.fsum(miss * miss for miss in misses)
    spread = math.sqrt(squares / degrees + 1 / (expected + 0.5))
    factor = math.exp(student_quantile(0.5 + level / 2, degrees) * spread)
    return Interval(expected, max(0.0, (expected + 0.5) / factor - 0.5), (expected + 0.5) * factor - 0.5)

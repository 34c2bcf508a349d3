"""How sure the figures of Eq. (3) are: what would have been measured, had chance or the choice of sources fallen otherwise."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lumbung.equations.funnel import Group, Stage
from lumbung.equations.intervals import Interval, normal_quantile, student_quantile

DRAWS = 4000
DRAWS_AT_ONCE = 250
"""So many sets of weights are in memory together, each with one for every source."""
SEED = 20
LEVEL = 0.95
_LEAST = 1e-20
Floats = NDArray[np.float64]
Figure = Callable[["Draws"], Floats]


@dataclass(frozen=True, slots=True)
class Draws:
    """Funnels as they might be in truth: one a row, one stage a column; and the sources they were drawn from, if any."""

    costs: Floats
    rates: Floats
    sources: Sources | None = None

    @classmethod
    def of(cls, counts: Floats, costs: Floats, sources: Sources | None = None) -> Draws:
        taken = counts[:, :-1]
        there = taken > 0
        return cls(
            np.divide(costs, taken, out=np.zeros_like(costs), where=there),
            np.divide(counts[:, 1:], taken, out=np.zeros_like(costs), where=there),
            sources,
        )

    def per_input(self) -> Floats:
        reach = np.cumprod(self.rates, axis=1)
        before = np.hstack([np.ones((len(reach), 1)), reach[:, :-1]])
        return np.asarray((self.costs * before).sum(axis=1))

    def per_published(self) -> Floats:
        through = self.rates.prod(axis=1)
        return np.asarray(np.divide(self.per_input(), through, out=np.full(len(through), math.inf), where=through > 0))

    def entries_per_day(self, budget_per_day: float, inputs_per_day: float) -> Floats:
        cost = self.per_input()
        affordable = np.divide(budget_per_day, cost, out=np.full(len(cost), math.inf), where=cost > 0)
        inputs = np.minimum(affordable, inputs_per_day)
        through = self.rates.prod(axis=1)
        return np.asarray(np.multiply(inputs, through, out=np.zeros(len(cost)), where=through > 0))


@dataclass(frozen=True, slots=True)
class Sources:
    number: int
    alike: float
    """How many of one size would tell as much (Kish's effective number)."""
    without: Draws
    """The funnel without each of them in turn."""

    def stretch(self, value: float, figure: Figure) -> float:
        """The weights spread a little less than a sample's mean does, and few sources tell their own spread badly.

        They are few where a few brought most of what came in, and where a few decide the figure itself: of a hundred hosts,
        three may have given all entries.
        """
        left = figure(self.without)
        moved = np.log(np.clip(left / value, _LEAST, 1 / _LEAST))
        squares = (moved - moved.mean()) ** 2
        deciding = squares.sum() ** 2 / max(_LEAST, float((squares**2).sum()))
        freedom = max(1.0, min(self.alike - 1, deciding))
        few = student_quantile(0.5 + LEVEL / 2, freedom) / normal_quantile(0.5 + LEVEL / 2)
        return math.sqrt((self.number + 1) / (self.number - 1)) * few


def by_chance(stages: Sequence[Stage]) -> Draws:
    """Each item by itself: Jeffreys' posterior of each pass rate, and each mean cost by its standard error.

    Given figures, behind which nothing was seen, are exact.
    """
    random = np.random.default_rng(SEED)
    return Draws(
        np.column_stack([_mean_costs(random, stage) for stage in stages]),
        np.column_stack([_pass_rates(random, stage) for stage in stages]),
    )


def by_source(groups: Sequence[Group]) -> Draws | None:
    """Sources weighted anew, each with all it brought (the Bayesian bootstrap); None where one source says nothing of others.

    It holds on to how the stages and the costs of a source go together.
    """
    counts = np.array([group.counts for group in groups], dtype=np.float64)
    costs = np.array([group.costs for group in groups], dtype=np.float64)
    sizes = counts[:, 0]
    alike = float(sizes.sum() ** 2 / max(1.0, float((sizes**2).sum())))
    if len(groups) < 2 or alike <= 1:
        return None
    random = np.random.default_rng(SEED)
    weighed = [
        weights @ np.hstack([counts, costs])
        for weights in (
            random.standard_exponential((DRAWS_AT_ONCE, len(groups))) for _ in range(DRAWS // DRAWS_AT_ONCE)
        )
    ]
    drawn = np.vstack(weighed)
    without = Draws.of(counts.sum(axis=0) - counts, costs.sum(axis=0) - costs)
    stages = counts.shape[1]
    return Draws.of(drawn[:, :stages], drawn[:, stages:], Sources(len(groups), alike, without))


def interval(value: float, figure: Figure, draws: Sequence[Draws], level: float = LEVEL) -> Interval:
    """The widest of what the draws give: sources that look alike by luck do not make us surer than single items would."""
    bounds = [_bounds(value, figure, each, level) for each in draws]
    return Interval(value, min([value, *(low for low, _ in bounds)]), max([value, *(high for _, high in bounds)]))


def _bounds(value: float, figure: Figure, draws: Draws, level: float) -> tuple[float, float]:
    low, high = np.quantile(figure(draws), [0.5 - level / 2, 0.5 + level / 2], method="nearest")
    is_number = 0 < value < math.inf
    stretch = draws.sources.stretch(value, figure) if draws.sources is not None and is_number else 1.0
    return _stretched(value, float(low), stretch), _stretched(value, float(high), stretch)


def _stretched(value: float, end: float, stretch: float) -> float:
    if not (0 < value < math.inf and 0 < end < math.inf):
        return end
    return value * math.exp(min(700.0, stretch * math.log(end / value)))


def _mean_costs(random: np.random.Generator, stage: Stage) -> Floats:
    if stage.seen < 2 or stage.cost == 0 or stage.cost_deviation == 0:
        return np.full(DRAWS, stage.cost)
    few = student_quantile(0.5 + LEVEL / 2, stage.seen - 1) / normal_quantile(0.5 + LEVEL / 2)
    error = few * stage.cost_deviation / math.sqrt(stage.seen)
    shape = (stage.cost / error) ** 2
    return random.gamma(shape, stage.cost / shape, DRAWS)


def _pass_rates(random: np.random.Generator, stage: Stage) -> Floats:
    """A stage that makes several items of one, as a page holds several, is counted and not drawn by lot."""
    if stage.seen <= 0:
        return np.full(DRAWS, stage.pass_rate)
    passed = max(0.5, stage.pass_rate * (stage.seen + 1))
    if stage.pass_rate > 1:
        return random.gamma(passed, 1 / (stage.seen + 1), DRAWS)
    return random.beta(passed, max(0.5, (1 - stage.pass_rate) * (stage.seen + 1)), DRAWS)

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
SEED = 20
LEVEL = 0.95
Floats = NDArray[np.float64]
Figure = Callable[["Draws"], Floats]


@dataclass(frozen=True, slots=True)
class Draws:
    """Funnels as they might be in truth: one a row, one stage a column. `stretch` makes up for few sources."""

    costs: Floats
    rates: Floats
    stretch: float = 1.0

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

    It holds on to how the stages and the costs of a source go together. The weights spread a little less than a sample's
    mean does, and few sources tell their own spread badly: both are made up for. Where a few sources brought most of all,
    they are few (Kish's effective number).
    """
    sizes = [group.counts[0] for group in groups]
    number = len(groups)
    alike = sum(sizes) ** 2 / max(1, sum(size * size for size in sizes))
    if number < 2 or alike <= 1:
        return None
    weights = np.random.default_rng(SEED).standard_exponential((DRAWS, number))
    counts = weights @ np.array([group.counts for group in groups], dtype=np.float64)
    costs = weights @ np.array([group.costs for group in groups], dtype=np.float64)
    taken = counts[:, :-1]
    there = taken > 0
    spread = math.sqrt((number + 1) / (number - 1))
    few = student_quantile(0.5 + LEVEL / 2, max(1.0, alike - 1)) / normal_quantile(0.5 + LEVEL / 2)
    return Draws(
        np.divide(costs, taken, out=np.zeros_like(costs), where=there),
        np.divide(counts[:, 1:], taken, out=np.zeros_like(costs), where=there),
        spread * few,
    )


def interval(value: float, figure: Figure, draws: Sequence[Draws], level: float = LEVEL) -> Interval:
    """The widest of what the draws give: sources that look alike by luck do not make us surer than single items would."""
    bounds = [_bounds(value, figure(each), each.stretch, level) for each in draws]
    return Interval(value, min([value, *(low for low, _ in bounds)]), max([value, *(high for _, high in bounds)]))


def _bounds(value: float, drawn: Floats, stretch: float, level: float) -> tuple[float, float]:
    ends = np.quantile(drawn, [0.5 - level / 2, 0.5 + level / 2], method="nearest")
    return _stretched(value, float(ends[0]), stretch), _stretched(value, float(ends[1]), stretch)


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

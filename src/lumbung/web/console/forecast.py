"""What is to be expected of the frontier, as a picture and as a table: the same runs that `lumbung simulate` draws."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from markupsafe import Markup

from lumbung.equations.branching import Offspring
from lumbung.governance.reports.frontier_chart import ChartWords, frontier_chart, spans
from lumbung.governance.reports.simulated_runs import simulate
from lumbung.web.language import Words

RUNS = 60
GENERATIONS = 20
RANDOM_SEED = 1
"""The picture stays as it is while the frontier does."""


@dataclass(frozen=True, slots=True)
class Forecast:
    picture: Markup
    rows: list[tuple[int, float, float, float]]


async def forecast_of(
    sample: list[int], waiting: int, tranches: list[int], threshold: int, words: Words
) -> Forecast | None:
    """None where nothing waits and nothing is proposed: there is nothing to draw."""
    if not sample or not (waiting or tranches):
        return None
    law = Offspring.observed(sample)
    chosen = ChartWords(words("picture_frontier"), words("picture_frontier_told"), words("generation"), captioned=True)

    def drawn() -> Forecast:
        paths = simulate(law, waiting, tranches, threshold, RUNS, GENERATIONS, RANDOM_SEED)
        alone = simulate(law, waiting, [], threshold, RUNS, GENERATIONS, RANDOM_SEED) if tranches else paths
        # The chart escapes the words that it is given, and everything else in it is a number.
        return Forecast(Markup(frontier_chart(paths, alone, threshold, chosen)), spans(paths))  # noqa: S704

    return await asyncio.to_thread(drawn)

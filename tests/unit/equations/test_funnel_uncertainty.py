from __future__ import annotations

import math

import numpy as np
import pytest

from lumbung.equations.funnel import Group, Stage, entries_per_day, funnel_cost
from lumbung.equations.funnel_uncertainty import Draws, by_chance, by_source, interval

TRUTH = [Stage("a", 1.0, 0.2), Stage("b", 20.0, 0.3)]


def measured_once(random: np.random.Generator, seen: tuple[int, ...]) -> list[Stage]:
    measured = []
    for stage, number in zip(TRUTH, seen, strict=True):
        costs = random.exponential(stage.cost, number)
        passed = int(random.binomial(number, stage.pass_rate))
        measured.append(Stage(stage.name, costs.mean(), passed / number, number, costs.std(ddof=1)))
    return measured


@pytest.mark.parametrize("seen", [(3000, 600), (60, 12), (20, 20)])
def test_the_interval_of_the_cost_covers_the_true_cost_of_single_items(seen: tuple[int, int]) -> None:
    random = np.random.default_rng(5)
    right, covered = funnel_cost(TRUTH), 0
    for _ in range(300):
        stages = measured_once(random, seen)
        published = funnel_cost(stages).per_published
        covered += interval(published, Draws.per_published, [by_chance(stages)]).covers(right.per_published)
    assert covered >= 275


@pytest.mark.parametrize(("budget", "pages"), [(500.0, math.inf), (math.inf, 90.0), (500.0, 100.0), (500.0, 90.0)])
def test_the_interval_of_entries_a_day_covers_the_truth_whatever_binds(budget: float, pages: float) -> None:
    random = np.random.default_rng(7)
    right, covered = entries_per_day(funnel_cost(TRUTH), budget, pages), 0
    for _ in range(300):
        stages = measured_once(random, (3000, 600))
        here = entries_per_day(funnel_cost(stages), budget, pages)
        found = interval(here, lambda drawn: drawn.entries_per_day(budget, pages), [by_chance(stages)])
        assert found.low < found.value < found.high
        covered += found.covers(right)
    assert covered >= 275


def hosts(random: np.random.Generator, number: int) -> list[Group]:
    """Hosts that differ in size, in what passes and in what a page costs: a good one is good throughout."""
    sizes = random.lognormal(4, 1, number).astype(int) + 1
    quality = random.beta(2, 3, number)
    items = random.binomial(sizes, quality)
    published = random.binomial(items, quality / 3)
    costs = random.gamma(2 * items + 1e-9, random.gamma(4, 2.5, number))
    return [
        Group(tuple(map(int, row[:3])), (0.0, float(row[3])))
        for row in zip(sizes, items, published, costs, strict=True)
    ]


def stages_of(groups: list[Group]) -> list[Stage]:
    pages, items, published = (sum(group.counts[place] for group in groups) for place in range(3))
    cost = sum(group.costs[1] for group in groups)
    return [Stage("crawl", 0.0, items / pages, pages), Stage("extract", cost / items, published / items, items)]


@pytest.mark.parametrize("number", [4, 12, 40])
def test_hosts_that_differ_are_covered_by_weighing_hosts_and_not_by_counting_pages(number: int) -> None:
    random = np.random.default_rng(number)
    right = funnel_cost(stages_of(hosts(random, 100_000))).per_published
    by_hosts = by_pages = 0
    for _ in range(200):
        groups = hosts(random, number)
        stages = stages_of(groups)
        here, chance, sources = funnel_cost(stages).per_published, by_chance(stages), by_source(groups)
        assert sources is not None
        by_hosts += interval(here, Draws.per_published, [chance, sources]).covers(right)
        by_pages += interval(here, Draws.per_published, [chance]).covers(right)
    assert by_hosts >= 176, "nominally 190 of 200"
    assert by_pages < 150, "the trial does not show what it is for"


def uneven_hosts(random: np.random.Generator, number: int) -> list[Group]:
    """Most hosts give next to nothing, a few nearly everything, and what they cost differs as well."""
    sizes = random.lognormal(3.7, 1, number).astype(int) + 1
    items = random.binomial(sizes, random.beta(0.3, 0.7, number))
    published = random.binomial(items, random.beta(0.3, 0.7, number))
    costs = random.gamma(items + 1e-9, random.lognormal(0, 0.5, number))
    return [
        Group(tuple(map(int, row[:3])), (0.0, float(row[3])))
        for row in zip(sizes, items, published, costs, strict=True)
    ]


@pytest.mark.parametrize("number", [12, 40])
def test_a_few_hosts_that_decide_a_figure_are_few_however_many_there_are(number: int) -> None:
    random = np.random.default_rng(number)
    right = funnel_cost(stages_of(uneven_hosts(random, 200_000))).per_published
    covered = 0
    for _ in range(200):
        groups = uneven_hosts(random, number)
        stages, sources = stages_of(groups), by_source(groups)
        assert sources is not None
        here = funnel_cost(stages).per_published
        covered += interval(here, Draws.per_published, [by_chance(stages), sources]).covers(right)
    assert covered >= 182, "nominally 190 of 200"


def test_very_many_hosts_leave_little_in_doubt() -> None:
    groups = hosts(np.random.default_rng(3), 3_000)
    sources = by_source(groups)
    assert sources is not None
    found = interval(funnel_cost(stages_of(groups)).per_published, Draws.per_published, [sources])
    assert 0.8 * found.value < found.low < found.high < 1.25 * found.value


def test_where_nothing_was_published_yet_the_price_of_an_entry_has_a_lower_bound_alone() -> None:
    stages = [Stage("all", 2.0, 0.0, 50)]
    found = interval(math.inf, Draws.per_published, [by_chance(stages)])
    assert 2.0 < found.low < math.inf
    assert found.high == math.inf
    entries = interval(0.0, lambda drawn: drawn.entries_per_day(100, math.inf), [by_chance(stages)])
    assert entries.low == 0 < entries.high < 10


def test_given_figures_are_exact_and_so_is_what_follows_from_them() -> None:
    found = interval(5.0, lambda drawn: drawn.entries_per_day(100, math.inf), [by_chance([Stage("all", 2, 0.1)])])
    assert (found.low, found.value, found.high) == (pytest.approx(5),) * 3


def test_a_page_that_holds_several_items_passes_on_more_than_it_is() -> None:
    stage = Stage("extract", 1.0, 1.4, 200)
    found = interval(1.4, lambda drawn: drawn.rates[:, 0], [by_chance([stage])])
    assert 1.2 < found.low < 1.35 and 1.45 < found.high < 1.6


def test_one_host_says_nothing_of_others() -> None:
    assert by_source([Group((100, 40, 9), (0.0, 3.0))]) is None
    assert by_source([Group((0, 0, 0), (0.0, 0.0)), Group((100, 40, 9), (0.0, 3.0))]) is None

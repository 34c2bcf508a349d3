from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.equations.funnel import (
    Stage,
    cost_interval,
    entries_interval,
    entries_per_day,
    filter_order,
    funnel_cost,
    observed_pass_rate,
)
from lumbung.errors import ContractError

STAGES = st.builds(Stage, st.sampled_from("abcde"), st.floats(0, 10), st.floats(0, 1))


def test_the_costs_of_eq_3() -> None:
    cost = funnel_cost([Stage("gate", 1, 0.5), Stage("extract", 10, 0.2), Stage("decide", 100, 0.5)])
    assert cost.per_input == pytest.approx(1 + 5 + 10)
    assert cost.per_published == pytest.approx(16 / 0.05)
    assert cost.by_stage == pytest.approx((1, 5, 10))


def test_a_funnel_that_lets_nothing_through_costs_infinitely_much_an_entry() -> None:
    cost = funnel_cost([Stage("gate", 1, 0)])
    assert cost.per_published == math.inf
    assert entries_per_day(cost, 100) == 0


@settings(max_examples=150, derandomize=True)
@given(st.lists(STAGES, min_size=1, max_size=5))
def test_no_order_of_the_filters_is_cheaper_than_eq_4s(filters: list[Stage]) -> None:
    best = min(funnel_cost(order).per_input for order in permutations(filters))
    assert funnel_cost(filter_order(filters)).per_input == pytest.approx(best, abs=1e-9)


def test_a_filter_that_stops_nothing_comes_last_and_a_free_one_first() -> None:
    order = filter_order([Stage("idle", 1, 1), Stage("dear", 5, 0.5), Stage("free", 0, 1), Stage("cheap", 1, 0.5)])
    assert [each.name for each in order] == ["free", "cheap", "dear", "idle"]


def test_entries_a_day_are_bounded_by_money_and_by_pages() -> None:
    cost = funnel_cost([Stage("all", 2, 0.1)])
    assert entries_per_day(cost, 100) == pytest.approx(5)
    assert entries_per_day(cost, 100, inputs_per_day=10) == pytest.approx(1)
    assert entries_per_day(funnel_cost([Stage("free", 0, 0.1)]), 0, inputs_per_day=10) == pytest.approx(1)


def test_the_interval_of_the_cost_covers_the_true_cost() -> None:
    random = np.random.default_rng(5)
    truth = [Stage("a", 1.0, 0.3), Stage("b", 20.0, 0.2)]
    right, covered = funnel_cost(truth), 0
    for _ in range(400):
        measured = []
        for stage, seen in zip(truth, (3000, 900), strict=True):
            passed = int(random.binomial(seen, stage.pass_rate))
            costs = random.exponential(stage.cost, seen)
            measured.append(Stage(stage.name, costs.mean(), passed / seen, seen, costs.std()))
        covered += cost_interval(measured)[1].covers(right.per_published)
    assert covered >= 370


def test_three_failures_in_three_are_not_taken_for_never() -> None:
    assert 0 < observed_pass_rate(0, 3) < 0.2
    with pytest.raises(ContractError):
        observed_pass_rate(4, 3)


@pytest.mark.parametrize(("cost", "rate"), [(-1, 0.5), (math.nan, 0.5), (1, 1.1), (1, math.nan)])
def test_impossible_figures_are_refused(cost: float, rate: float) -> None:
    with pytest.raises(ContractError):
        Stage("x", cost, rate)


def measured_once(random: np.random.Generator, truth: list[Stage], seen: tuple[int, ...]) -> list[Stage]:
    measured = []
    for stage, number in zip(truth, seen, strict=True):
        costs = random.exponential(stage.cost, number)
        passed = int(random.binomial(number, stage.pass_rate))
        measured.append(Stage(stage.name, costs.mean(), passed / number, number, costs.std()))
    return measured


@pytest.mark.parametrize(("budget", "pages"), [(500.0, math.inf), (math.inf, 90.0), (500.0, 100.0), (500.0, 90.0)])
def test_the_interval_of_entries_a_day_covers_the_truth_whatever_binds(budget: float, pages: float) -> None:
    random = np.random.default_rng(7)
    truth = [Stage("a", 1.0, 0.2), Stage("b", 20.0, 0.3)]
    right = entries_per_day(funnel_cost(truth), budget, pages)
    intervals = [entries_interval(measured_once(random, truth, (3000, 600)), budget, pages) for _ in range(400)]
    assert sum(each.covers(right) for each in intervals) >= 370
    assert all(each.low < each.value < each.high for each in intervals)


def test_given_figures_are_exact_and_so_are_the_entries_they_give() -> None:
    found = entries_interval([Stage("all", 2, 0.1)], 100)
    assert (found.low, found.value, found.high) == (pytest.approx(5),) * 3
    assert entries_interval([Stage("all", 2, 0.0, 50)], 100).high == 0

from __future__ import annotations

import math
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.equations.funnel import (
    Stage,
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


def test_three_failures_in_three_are_not_taken_for_never() -> None:
    assert 0 < observed_pass_rate(0, 3) < 0.2
    with pytest.raises(ContractError):
        observed_pass_rate(4, 3)


@pytest.mark.parametrize(("cost", "rate"), [(-1, 0.5), (math.nan, 0.5), (1, -0.1), (1, math.nan)])
def test_impossible_figures_are_refused(cost: float, rate: float) -> None:
    with pytest.raises(ContractError):
        Stage("x", cost, rate)

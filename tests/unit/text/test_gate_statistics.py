from __future__ import annotations

import random
from itertools import permutations

import pytest

from lumbung.text.gate_statistics import GateStatistics

GUESSES = {"cheap": 1.0, "dear": 10.0, "sharp": 4.0}


def measured(pages: list[dict[str, bool]], costs: dict[str, float] = GUESSES) -> GateStatistics:
    statistics = GateStatistics(dict(GUESSES))
    for name, seconds in costs.items():
        statistics.observe(name, seconds, passed=True)
    for page in pages:
        statistics.observe_page(page)
    return statistics


def independent_pages(count: int) -> list[dict[str, bool]]:
    source = random.Random(7)
    rates = {"cheap": 0.7, "dear": 0.2, "sharp": 0.1}
    return [{name: source.random() < rate for name, rate in rates.items()} for _ in range(count)]


def test_before_anything_is_measured_the_guessed_costs_decide():
    assert GateStatistics(dict(GUESSES)).best_order() == ("cheap", "sharp", "dear")


def test_filters_come_by_cost_per_refusal():
    pages = independent_pages(500)
    assert measured(pages).best_order() == ("cheap", "sharp", "dear")
    assert measured(pages, {"cheap": 5.0, "sharp": 4.0, "dear": 10.0}).best_order() == ("sharp", "dear", "cheap")


def test_the_order_found_is_the_cheapest_of_all_for_independent_filters():
    statistics = measured(independent_pages(800))

    def expected_cost(order):
        """Refused pages spare the rest: Eq. (3) within the gate."""
        reach, total = 1.0, 0.0
        for index, name in enumerate(order):
            total += reach * statistics.records[name].cost(GUESSES[name])
            reach *= statistics.conditional_pass_rate(name, order[:index])
        return total

    best = min(permutations(GUESSES), key=expected_cost)
    assert expected_cost(statistics.best_order()) == pytest.approx(expected_cost(best), rel=0.01)


def test_a_filter_that_refuses_only_what_another_refuses_comes_last():
    pages = [{"cheap": bit, "sharp": bit, "dear": other} for bit in (True, False) for other in (True, False)] * 100
    statistics = measured(pages, {"cheap": 1.0, "sharp": 1.1, "dear": 10.0})
    assert statistics.best_order() == ("cheap", "dear", "sharp")
    assert statistics.conditional_pass_rate("sharp", ["cheap"]) > 0.98


def test_costs_are_means_of_what_was_measured():
    statistics = GateStatistics(dict(GUESSES))
    for seconds in (1.0, 3.0):
        statistics.observe("dear", seconds, passed=True)
    assert statistics.records["dear"].cost(guess=10.0) == 2.0


def test_no_filter_is_believed_to_pass_everything():
    statistics = GateStatistics(dict(GUESSES))
    for _ in range(10):
        statistics.observe("cheap", 1.0, passed=True, first=True)
    assert statistics.records["cheap"].pass_rate == pytest.approx(11 / 12)


def test_old_pages_are_forgotten():
    statistics = measured([{"cheap": False}] * 2000 + [{"cheap": True}] * 2000)
    assert statistics.conditional_pass_rate("cheap", []) > 0.99

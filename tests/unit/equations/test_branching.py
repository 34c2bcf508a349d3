from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.equations.branching import (
    Offspring,
    expected_pages_left,
    extinction_probability,
    extinction_time,
    forecast_dry,
    mean_interval,
    survival,
)
from lumbung.equations.intervals import Interval
from lumbung.errors import ContractError


def test_a_page_that_always_yields_one_link_never_dies_out_although_m_is_one() -> None:
    law = Offspring.of({1: 1.0})
    assert law.mean == 1
    assert extinction_probability(law) == 0.0
    assert extinction_time(law, 1, 0.5) is None


@settings(max_examples=150, derandomize=True)
@given(st.dictionaries(st.integers(0, 6), st.floats(0.01, 1), min_size=1, max_size=5))
def test_q_is_the_smallest_fixed_point_that_the_generations_approach(weights: dict[int, float]) -> None:
    law = Offspring.of(weights)
    q = extinction_probability(law)
    iterated = 0.0
    for _ in range(20_000):
        iterated = law.generating(iterated)
    assert law.generating(q) == pytest.approx(q, abs=1e-12)
    assert iterated <= q + 1e-9
    if abs(law.mean - 1) > 0.01:
        assert iterated == pytest.approx(q, abs=1e-6)


@pytest.mark.parametrize("excess", [1e-2, 1e-6, 1e-10, 1e-13])
def test_just_above_one_the_binary_law_has_its_known_root(excess: float) -> None:
    up = 0.5 + excess
    survives = 1 - extinction_probability(Offspring.of({0: 1 - up, 2: up}))
    assert survives == pytest.approx(1 - (1 - up) / up, rel=1e-2)


def test_at_one_and_just_below_it_dies() -> None:
    assert extinction_probability(Offspring.of({0: 0.5, 2: 0.5})) == 1.0
    assert extinction_probability(Offspring.of({0: 0.5 + 1e-13, 2: 0.5 - 1e-13})) == 1.0


def test_a_heavy_tail_is_weighed_to_its_end() -> None:
    law = Offspring.of({0: 0.9, **{k: 0.1 / k**1.5 for k in range(1, 200_000)}})
    q = extinction_probability(law)
    assert 0 < q < 1
    assert law.generating(q) == pytest.approx(q, abs=1e-12)


def test_the_poisson_law_has_its_published_extinction_probability() -> None:
    law = Offspring.of({k: math.exp(-2 + k * math.log(2) - math.lgamma(k + 1)) for k in range(80)})
    assert extinction_probability(law) == pytest.approx(0.2031878699, abs=1e-9)


def test_survival_agrees_with_simulation() -> None:
    law = Offspring.of({0: 0.5, 1: 0.2, 2: 0.3})
    random = np.random.default_rng(7)
    alive, sizes = [], np.full(20_000, 3)
    for _ in range(6):
        alive.append((sizes > 0).mean())
        draws = random.choice([0, 1, 2], p=[0.5, 0.2, 0.3], size=int(sizes.sum()))
        ends = np.concatenate([[0], np.cumsum(draws)])
        starts = np.concatenate([[0], np.cumsum(sizes)])
        sizes = ends[starts[1:]] - ends[starts[:-1]]
    assert survival(law, 3, 5) == pytest.approx(alive, abs=0.015)


def test_the_time_of_extinction_is_where_survival_falls_below_the_share() -> None:
    law = Offspring.of({0: 0.5, 1: 0.5})
    time = extinction_time(law, 100, 0.5)
    assert time is not None
    alive = survival(law, 100, time)
    assert alive[time] <= 0.5 < alive[time - 1]
    assert extinction_time(law, 0, 0.5) == 0


def test_pages_left_are_the_sum_of_all_generations() -> None:
    assert expected_pages_left(50, 0.9) == pytest.approx(sum(50 * 0.9**t for t in range(2000)))
    assert expected_pages_left(0, 5.0) == 0
    assert expected_pages_left(1, 1.0) == math.inf


def test_the_interval_of_the_mean_covers_it_for_skewed_counts() -> None:
    random = np.random.default_rng(11)
    covered = sum(mean_interval(random.geometric(0.55, 60).tolist()).covers(1 / 0.55) for _ in range(500))
    assert covered >= 460


def test_a_window_without_links_or_with_one_page_is_bounded_honestly() -> None:
    none = mean_interval([0] * 100)
    assert (none.value, none.low) == (0, 0)
    assert none.high == pytest.approx(0.03, abs=0.001)
    assert mean_interval([4]).high == math.inf
    assert mean_interval([]).high == math.inf


def test_the_forecast_is_infinite_where_m_may_be_one() -> None:
    forecast = forecast_dry(100, Interval(0.8, 0.6, 1.1), pages_per_second=2)
    assert forecast.pages.value == pytest.approx(500)
    assert forecast.pages.low == pytest.approx(250)
    assert forecast.seconds.high == math.inf
    assert forecast.seconds.value == pytest.approx(250)


@pytest.mark.parametrize("weights", [{}, {-1: 1.0}, {0: 0.0}, {1: -1.0, 2: 2.0}, {1: math.inf}])
def test_a_law_that_is_none_is_refused(weights: dict[int, float]) -> None:
    with pytest.raises(ContractError):
        Offspring.of(weights)


def test_pages_that_are_all_alike_by_luck_leave_m_in_doubt_on_both_sides() -> None:
    found = mean_interval([1] * 30)
    assert found.low < 0.95 < found.value <= found.high


def test_a_single_listing_among_few_pages_bounds_m_less_than_many_would() -> None:
    one, many = mean_interval([0] * 49 + [50]), mean_interval([0, 2] * 25)
    assert one.value == many.value
    assert one.high / one.low > 20 * many.high / many.low

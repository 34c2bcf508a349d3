"""Rates: a minute's worth at once, then one at a time, each caller by itself."""

from __future__ import annotations

from lumbung.errors import EngineUnavailable, RateLimited
from lumbung.web.api_access import MOST_CALLERS, Rate
from lumbung.web.app import wait_of


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_a_minute_s_worth_passes_at_once_and_the_next_is_told_how_long_to_wait():
    clock = Clock()
    rate = Rate(6, clock)
    assert [rate.wait_seconds("a") for _ in range(7)] == [0.0] * 6 + [10.0]
    assert rate.wait_seconds("b") == 0.0
    clock.now += 4
    assert rate.wait_seconds("a") == 6.0
    clock.now += 6
    assert [rate.wait_seconds("a") for _ in range(2)] == [0.0, 10.0]
    clock.now += 600
    assert [rate.wait_seconds("a") for _ in range(7)] == [0.0] * 6 + [10.0]


def test_no_limit_is_no_limit():
    rate = Rate(0, Clock())
    assert {rate.wait_seconds("a") for _ in range(1000)} == {0.0}


def test_callers_of_long_ago_are_forgotten():
    clock = Clock()
    rate = Rate(60, clock)
    for number in range(MOST_CALLERS):
        rate.wait_seconds(str(number))
    clock.now += 61
    rate.wait_seconds("new")
    assert len(rate._due) == 1


def test_what_is_away_for_a_while_says_when_to_ask_again():
    assert wait_of(EngineUnavailable("PostgreSQL does not answer.")) == {"Retry-After": "5"}
    assert wait_of(RateLimited("asks for less", 7.2)) == {"Retry-After": "8"}

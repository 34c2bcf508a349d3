from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.equations.budget import concurrency, may_reserve, room, spent_in_window
from lumbung.errors import ContractError


def test_the_window_is_open_at_its_old_end_and_closed_at_its_new() -> None:
    spends = [(0.0, 1), (0.1, 2), (60.0, 4), (60.1, 8)]
    assert spent_in_window(spends, now=60.0, width=60.0) == 6


@settings(max_examples=100, derandomize=True)
@given(st.lists(st.integers(1, 50), max_size=60), st.integers(0, 300))
def test_reservations_one_after_another_fill_the_cap_and_never_pass_it(wanted: list[int], cap: int) -> None:
    reserved = 0
    for amount in wanted:
        if may_reserve(amount, 0, reserved, cap):
            reserved += amount
        else:
            assert reserved + amount > cap
    assert reserved <= cap
    assert room(0, reserved, cap) == cap - reserved


def test_a_history_above_the_cap_leaves_no_room_but_no_debt() -> None:
    assert room(150, 0, 100) == 0
    assert room(0, 0, 100) == 100


def test_a_negative_reservation_is_refused() -> None:
    with pytest.raises(ContractError):
        may_reserve(-1, 0, 0, 10)


@pytest.mark.parametrize(("rate", "seconds", "workers"), [(0, 5, 1), (2, 3, 6), (2.1, 3, 7), (1e9, 10, 32)])
def test_littles_law_is_bounded(rate: float, seconds: float, workers: int) -> None:
    assert concurrency(rate, seconds, at_most=32) == workers

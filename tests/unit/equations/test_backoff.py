from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.equations.backoff import delay_seconds
from lumbung.errors import ContractError


@settings(max_examples=100, derandomize=True)
@given(st.integers(0, 60), st.floats(0.1, 10), st.floats(1.1, 4), st.floats(0.1, 5000))
def test_the_schedule_is_eq_21(attempt: int, first: float, factor: float, cap: float) -> None:
    assert delay_seconds(attempt, first, factor, cap) == pytest.approx(min(first * factor**attempt, cap), rel=1e-9)


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0, 1e6])
def test_a_millionth_attempt_has_a_delay(factor: float) -> None:
    assert 0 <= delay_seconds(10**6, 2, factor, 3600) <= 3600


def test_the_defaults_reach_the_cap_and_stay_there() -> None:
    assert [delay_seconds(n, 2, 2, 3600) for n in (0, 1, 10, 11, 10**6)] == pytest.approx([2, 4, 2048, 3600, 3600])


def test_nothing_to_wait_for_is_no_error() -> None:
    assert delay_seconds(10**6, 0, 2, 3600) == 0
    assert delay_seconds(3, 5, 2, 0) == 0


def test_nonsense_is_refused() -> None:
    with pytest.raises(ContractError):
        delay_seconds(-1, 2, 2, 3600)
    with pytest.raises(ContractError):
        delay_seconds(1, 2, 0, 3600)

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.equations.publication import may_publish


@settings(max_examples=300, derandomize=True)
@given(st.floats(0, 1), st.integers(0, 4))
def test_nothing_sensitive_passes_below_theta_s_or_with_one_source(p: float, sources: int) -> None:
    assert may_publish(p, 0.85, True, 0.97, sources).passes is (p >= 0.97 and sources >= 2)


def test_the_threshold_itself_passes_with_a_flag_and_well_above_it_without() -> None:
    assert may_publish(0.85, 0.85, False, 0.97, 1) == may_publish(0.85, 0.85, False, 0.97, 5)
    assert may_publish(0.85, 0.85, False, 0.97, 1).flagged
    assert may_publish(0.92, 0.85, False, 0.97, 1).flagged
    assert not may_publish(0.9201, 0.85, False, 0.97, 1).flagged
    assert may_publish(0.999, 0.85, True, 0.97, 2).flagged


def test_a_sensitive_threshold_set_too_low_does_not_undercut_the_ordinary_one() -> None:
    assert not may_publish(0.8, 0.85, True, 0.5, 3).passes


@pytest.mark.parametrize("sensitive", [True, False])
def test_a_probability_that_is_no_number_passes_nothing(sensitive: bool) -> None:
    assert not may_publish(math.nan, 0.85, sensitive, 0.97, 9).passes


def test_the_reason_says_what_is_missing() -> None:
    assert "1 independent source of 2" in may_publish(0.99, 0.85, True, 0.97, 1).reason
    assert "below theta 0.850" in may_publish(0.7, 0.85, False, 0.97, 1).reason


def test_guardians_may_ask_for_more_sources_of_the_sensitive_and_never_for_fewer_than_two() -> None:
    assert not may_publish(0.99, 0.85, True, 0.97, 2, needed=3).passes
    assert may_publish(0.99, 0.85, True, 0.97, 3, needed=3).passes
    assert not may_publish(0.99, 0.85, True, 0.97, 1, needed=1).passes
    assert may_publish(0.99, 0.85, False, 0.97, 1, needed=3).passes

from __future__ import annotations

from math import ceil

from lumbung.equations.queueing import DRAIN_SECONDS, StageLoad


def settled(load: StageLoad, served: int, seconds: float, waiting: int, rounds: int = 8) -> int:
    for _ in range(rounds):
        for _ in range(served):
            load.add(seconds)
        allowed = load.settle(5.0, waiting)
    return allowed


def test_as_many_are_in_hand_as_arrive_while_one_is_served():
    assert settled(StageLoad(1, 50), served=10, seconds=4.0, waiting=0) == 8  # two a second, four seconds each


def test_a_backlog_counts_as_if_it_arrived_within_the_time_to_drain_it():
    expected = ceil((1 / 5.0 + 100 / DRAIN_SECONDS) * 3.0)
    assert settled(StageLoad(1, 50), served=1, seconds=3.0, waiting=100) == expected


def test_the_bounds_hold_whatever_arrives_and_idleness_ends_at_the_lower():
    load = StageLoad(2, 6)
    assert settled(load, served=1, seconds=60.0, waiting=1_000_000) == 6
    assert settled(load, served=0, seconds=60.0, waiting=0) == 2


def test_a_service_that_slows_down_is_given_less():
    load = StageLoad(1, 32)
    assert settled(load, served=4, seconds=2.0, waiting=10_000) == 32
    assert settled(load, served=4, seconds=20.0, waiting=10_000, rounds=3) == 4
    assert settled(load, served=4, seconds=2.0, waiting=10_000) == 32


def test_before_anything_was_served_nothing_is_guessed():
    load = StageLoad(2, 6)
    assert load.settle(5.0, 1_000) == 2
    assert not load.is_fixed
    assert StageLoad(2, 1).is_fixed

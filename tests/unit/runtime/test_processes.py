"""How long `lumbung up` waits before it starts a process again."""

from __future__ import annotations

from lumbung.runtime.processes import LONGEST_PAUSE_SECONDS, SHORTEST_PAUSE_SECONDS, STEADY_SECONDS, next_pause


def test_a_process_that_cannot_stay_up_is_tried_less_and_less_often():
    pauses = [0.0]
    for _ in range(12):
        pauses.append(next_pause(pauses[-1], lived_seconds=0.5))
    assert pauses[1] == SHORTEST_PAUSE_SECONDS
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE_SECONDS


def test_a_process_that_ran_well_is_started_again_at_once():
    assert next_pause(LONGEST_PAUSE_SECONDS, lived_seconds=STEADY_SECONDS) == SHORTEST_PAUSE_SECONDS

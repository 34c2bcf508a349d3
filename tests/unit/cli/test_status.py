from __future__ import annotations

import pytest

from lumbung.cli.status import alarm_line, budget_line, index_line


def test_a_window_tells_what_was_spent_what_is_reserved_and_its_cap():
    window = {"window": "day", "stage": "*", "spent": 1.25, "reserved": 0.1, "cap": 2.0}
    assert budget_line(window) == "day: spent 1.25, reserved 0.10, cap 2.00"


def test_a_window_of_one_stage_names_it():
    window = {"window": "day", "stage": "extract", "spent": 0.0, "reserved": 0.0, "cap": None}
    assert budget_line(window) == "day of extract: spent 0.00, reserved 0.00, no cap"


def test_an_alarm_tells_its_number_and_what_was_paid_for_what():
    detail = {"spent_micros": 30, "reserved_micros": 20, "job": "p:1", "provider": "m.example/gemma"}
    alarm = {"id": 7, "subject": "extract", "detail": detail}
    assert alarm_line(alarm) == "7: extract paid 0.000030 where 0.000020 was reserved, job p:1, m.example/gemma"


HELD = {"version": 1, "state": "in force", "vectors": 50_000}


@pytest.mark.parametrize(
    ("versions", "told"),
    [
        ([], "empty"),
        ([HELD], "50,000 vectors, features 1"),
        (
            [HELD, {"version": 2, "state": "filling", "vectors": 12_300}],
            "50,000 vectors, features 1; re-encoding to 2: 12,300 of 50,000",
        ),
        ([{"version": 0, "state": "past", "vectors": 9}, HELD], "50,000 vectors, features 1; letting go of 0"),
    ],
)
def test_the_state_of_the_index_is_one_line(versions, told):
    assert index_line(versions) == told

from __future__ import annotations

from lumbung.cli.status import budget_line


def test_a_window_tells_what_was_spent_what_is_reserved_and_its_cap():
    window = {"window": "day", "stage": "*", "spent": 1.25, "reserved": 0.1, "cap": 2.0}
    assert budget_line(window) == "day: spent 1.25, reserved 0.10, cap 2.00"


def test_a_window_of_one_stage_names_it():
    window = {"window": "day", "stage": "extract", "spent": 0.0, "reserved": 0.0, "cap": None}
    assert budget_line(window) == "day of extract: spent 0.00, reserved 0.00, no cap"

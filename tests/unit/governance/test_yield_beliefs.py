"""What a seed is believed to give, cell by cell."""

from __future__ import annotations

import pytest

from lumbung.governance.reports.coverage import YieldBeliefs, first_guess
from lumbung.governance.steward.yields import as_named, credited

RICH, POOR, NEW = ("tarian", "ID-SB"), ("tarian", "ID-JI"), ("tarian", "ID-BA")
ELSEWHERE = ("ritual", "ID-BA")
PORTAL = ("", "-")


def test_without_any_outcome_every_cell_has_the_first_guess_that_people_set():
    assert YieldBeliefs([], {}).of(RICH).mean == pytest.approx(first_guess({}).mean) == 2.0
    assert YieldBeliefs([], {"coverage.first_guess_entries": 7.0}).of(RICH).mean == pytest.approx(7.0)


def test_a_cell_follows_its_own_outcomes_and_a_new_one_those_of_its_category():
    beliefs = YieldBeliefs([(RICH, 80.0, 10.0), (POOR, 0.0, 10.0), (ELSEWHERE, 100.0, 10.0)], {})
    assert beliefs.of(RICH).mean > beliefs.of(NEW).mean > beliefs.of(POOR).mean
    assert beliefs.of(("ritual", "ID-SB")).mean > beliefs.of(NEW).mean
    assert beliefs.of(("motif-kain", "ID-SB")).mean == pytest.approx(beliefs.of(("kuliner", "ID-JI")).mean)


def test_many_outcomes_of_a_cell_outweigh_all_others_and_make_sure():
    beliefs = YieldBeliefs([(RICH, 900.0, 300.0), (POOR, 0.0, 300.0)], {})
    assert beliefs.of(RICH).mean == pytest.approx(3.0, rel=0.02)
    assert beliefs.of(RICH).variance < beliefs.of(NEW).variance


def test_what_a_portal_gave_to_all_cells_says_nothing_of_a_seed_for_one():
    beliefs = YieldBeliefs([(PORTAL, 200.0, 4.0)], {})
    assert beliefs.of(RICH).mean == pytest.approx(first_guess({}).mean)
    assert beliefs.of(PORTAL).mean > 40


def test_an_entry_that_several_seeds_may_have_brought_is_shared_and_counted_once():
    found = [
        {"category": "tarian", "regions": ["ID-SB"], "entries": 8.0},
        {"category": "ritual", "regions": ["ID-SB"], "entries": 3.0},
        {"category": "ritual", "regions": [], "entries": 5.0},
    ]
    given = credited(found, {PORTAL: 3.0, RICH: 1.0, ("ritual", "ID-JI"): 2.0}, as_named)
    assert given == {PORTAL: 6.0 + 3.0 + 5.0, RICH: 2.0}
    assert sum(given.values()) == 16.0

"""What a seed is believed to give, cell by cell."""

from __future__ import annotations

import pytest

from lumbung.governance.reports.coverage import FIRST_GUESS, YieldBeliefs

RICH, POOR, NEW = ("tarian", "ID-SB"), ("tarian", "ID-JI"), ("tarian", "ID-BA")
ELSEWHERE = ("ritual", "ID-BA")


def test_without_any_outcome_every_cell_has_the_first_guess():
    assert YieldBeliefs([]).of(RICH).mean == pytest.approx(FIRST_GUESS.mean)


def test_a_cell_follows_its_own_outcomes_and_a_new_one_those_of_its_category():
    beliefs = YieldBeliefs([(RICH, 80.0, 10.0), (POOR, 0.0, 10.0), (ELSEWHERE, 100.0, 10.0)])
    assert beliefs.of(RICH).mean > beliefs.of(NEW).mean > beliefs.of(POOR).mean
    assert beliefs.of(("ritual", "ID-SB")).mean > beliefs.of(NEW).mean
    assert beliefs.of(("motif-kain", "ID-SB")).mean == pytest.approx(beliefs.of(("kuliner", "ID-JI")).mean)


def test_many_outcomes_of_a_cell_outweigh_all_others_and_make_sure():
    beliefs = YieldBeliefs([(RICH, 900.0, 300.0), (POOR, 0.0, 300.0)])
    assert beliefs.of(RICH).mean == pytest.approx(3.0, rel=0.02)
    assert beliefs.of(RICH).variance < beliefs.of(NEW).variance

"""Quality floors of fusion on made-up worlds with copiers; the long form is evaluation/fusion/score_fusion.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "evaluation" / "fusion"))

from claims_generator import World
from score_fusion import score

WORLDS = {
    "no copies, sparse": World(copiers=0, claims_an_object=1.5),
    "verbatim copies, dense": World(copiers=6, manner="verbatim", objects=200),
    "edited copies, sparse": World(copiers=10, manner="edited", claims_an_object=1.5),
    "translated copies, sparse": World(copiers=6, manner="translated", claims_an_object=1.5),
    "copies without texts, sparse": World(copiers=6, claims_an_object=1.5, texts=False),
    "copies with slips, sparse": World(copiers=10, manner="edited", claims_an_object=1.5, slips=0.08),
    "three values of its own an object": World(copiers=6, values=3, own_values=True),
    "typed sources, copies without texts": World(copiers=3, claims_an_object=1.5, texts=False, typed=True),
}


@pytest.mark.parametrize("name", WORLDS)
def test_the_right_value_wins_and_its_probability_can_be_believed(name: str) -> None:
    found = score(WORLDS[name], range(2))
    assert found.rightly_won >= 0.95
    assert found.calibration_error < 0.05


def test_majority_vote_fails_where_copies_abound() -> None:
    found = score(WORLDS["verbatim copies, dense"], range(2))
    assert found.majority < 0.85 < found.rightly_won

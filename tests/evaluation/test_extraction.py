"""Quality floors of the lexical extractor, pinned to the gold set by its hash."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "evaluation" / "extraction"))

from score import Report, corpus_hash, score_half

HASHES = {
    "development": "93b7e8cdfb678590",
    "held-out": "1c8e448a60028b31",
    "unseen": "81917e496d15fbb6",
    "second": "2d07ae52b595743e",
    "third": "faf50d528b060f82",
    "sixth": "97cced5ae00d73f9",
    "seventh": "e1981dab41415068",
    "eighth": "451b2a494071e939",
    "ninth": "fd48c94fdae3df6f",
}
FLOORS = {
    ("ind+zsm", "facts"): (0.95, 0.5),
    ("eng+nld", "facts"): (0.95, 0.3),
    ("ind+zsm", "categories"): (0.95, 0.5),
    ("eng+nld", "categories"): (0.95, 0.5),
    ("ind+zsm", "regions"): (0.95, 0.5),
    ("eng+nld", "regions"): (0.95, 0.5),
    ("ind+zsm", "candidates"): (0.95, 0.5),
    ("eng+nld", "candidates"): (0.95, 0.5),
}


@pytest.fixture(scope="module", params=list(HASHES))
def half(request: pytest.FixtureRequest) -> tuple[str, Report]:
    return request.param, score_half(request.param)


def test_the_gold_set_is_the_one_the_floors_were_set_for(half: tuple[str, Report]) -> None:
    assert corpus_hash(half[0])[:16] == HASHES[half[0]]


@pytest.mark.parametrize(("group", "what"), FLOORS)
def test_precision_and_recall_stay_above_their_floors(half: tuple[str, Report], group: str, what: str) -> None:
    tally = half[1].of(group, what)
    precision, recall = FLOORS[group, what]
    assert tally.given > 0
    assert tally.precision >= precision, tally.line()
    assert tally.recall >= recall, tally.line()


def test_no_fact_is_ungrounded(half: tuple[str, Report]) -> None:
    assert half[1].ungrounded == 0


def test_what_needs_a_translator_is_parked_without_facts(half: tuple[str, Report]) -> None:
    assert half[1].of("translated", "facts").given == 0

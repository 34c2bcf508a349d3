"""Quality floors of the lexical extractor, pinned to the gold set by its hash."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "evaluation" / "extraction"))

from score import Report, corpus_hash, score_half

HASHES = {
    "development": "fd127f38a36a1fa2",
    "held-out": "ace48b7052f37971",
    "unseen": "73ba3a3c40e8d665",
    "second": "68fccb2d37db5396",
    "third": "6d0f55f547abb063",
    "sixth": "1b877815429a1dd5",
    "seventh": "72a8262d43516047",
    "eighth": "451b2a494071e939",
    "ninth": "761476d9eac207cd",
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

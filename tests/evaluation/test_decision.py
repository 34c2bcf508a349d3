"""Quality floors of stage 4 on its gold cases, by rules alone."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from pathlib import Path

import pytest

EVALUATION = Path(__file__).parents[2] / "evaluation" / "decision"
sys.path.insert(0, str(EVALUATION))

import make_situations  # noqa: E402 - found through the path above
import score_gate  # noqa: E402
import score_situations  # noqa: E402

GATE_HASH = "d6d2badd21877179"


SITUATIONS_HASH = "7bea8df47f00bdea"
FRESH_GATE_HASH = "b9c2785e118e7502"
FRESH_SITUATIONS_HASH = "138cad0a0d3ab349"
SECOND_GATE_HASH = "834065c362ce4b65"
SECOND_SITUATIONS_HASH = "790a16b6aa2d34f7"
THIRD_GATE_HASH = "ba8395d44e7f846f"
THIRD_SITUATIONS_HASH = "4f7b63823eddad5c"
SEVENTH_GATE_HASH = "a7bb8dbe0373129e"
SEVENTH_SITUATIONS_HASH = "508dfdc7af474800"
SIXTH_SITUATIONS_HASH = "fc5c0c1de5d7c91c"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def test_the_gold_cases_are_those_the_floors_were_set_for() -> None:
    assert digest(score_gate.GOLD) == GATE_HASH
    assert digest(score_situations.GOLD) == SITUATIONS_HASH
    assert digest(score_gate.FRESH) == FRESH_GATE_HASH
    assert digest(score_situations.FRESH) == FRESH_SITUATIONS_HASH
    assert digest(score_gate.SECOND) == SECOND_GATE_HASH
    assert digest(score_situations.SECOND) == SECOND_SITUATIONS_HASH
    assert digest(score_gate.THIRD) == THIRD_GATE_HASH
    assert digest(score_situations.THIRD) == THIRD_SITUATIONS_HASH
    assert digest(score_gate.SEVENTH) == SEVENTH_GATE_HASH
    assert digest(score_situations.SIXTH) == SIXTH_SITUATIONS_HASH
    assert digest(score_situations.SEVENTH) == SEVENTH_SITUATIONS_HASH


@pytest.mark.parametrize("half", score_gate.HALVES)
def test_the_cultural_gate_lets_in_what_belongs_and_seldom_asks(half: str) -> None:
    cases = [each for each in score_gate.judged() if each[0]["half"] == half]
    found = score_gate.figures(cases)
    assert found["f1"] >= 0.95
    assert found["coverage"] >= 0.7


def test_every_kind_of_gate_case_is_there() -> None:
    kinds = Counter(row["kind"] for row, _ in score_gate.judged())
    assert sum(kinds.values()) >= 120
    told = {"clear", "grey", "diaspora", "commerce", "generic", "foreign", "event", "biography"}
    assert set(kinds) == told | {"headline", "place", "institution"}


@pytest.mark.parametrize("half", score_situations.HALVES)
def test_the_outcome_of_a_situation_is_the_one_a_curator_expects(half: str) -> None:
    found = score_situations.figures(
        [(e["expected"], score_situations.judged(e)) for e in score_situations.situations(half)]
    )
    assert found["accuracy"] >= 0.92
    assert found["coverage"] >= 0.7


def test_every_outcome_and_repair_is_there() -> None:
    found = score_situations.situations()
    assert len(found) >= 300
    assert {each["expected"] for each in found} == {"skip", "enrich", "supplement", "net-new", "review", "refused"}
    by_kind = {each["kind"] for each in found if each["half"] in {"development", "held-out"}}
    assert by_kind == set(make_situations.situations(make_situations.ITEMS[0]))
    fresh = [each for each in found if each["half"] == "fresh"]
    assert len(fresh) >= 150
    second = [each for each in found if each["half"] == "second"]
    assert {each["expected"] for each in second} == {each["expected"] for each in found}
    by_half = [{each["item"] for each in found if each["half"] == half} for half in ("fresh", "second", "third")]
    by_half.append({each["item"] for each in found if each["half"] in {"development", "held-out"}})
    assert len(set.union(*by_half)) == sum(map(len, by_half))

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

DIGESTS = """
d6d2badd21877179 gate_cases.csv
7bea8df47f00bdea situations.jsonl
b9c2785e118e7502 fresh_gate_cases.csv
138cad0a0d3ab349 fresh_situations.jsonl
834065c362ce4b65 second_gate_cases.csv
790a16b6aa2d34f7 second_situations.jsonl
ba8395d44e7f846f third_gate_cases.csv
4f7b63823eddad5c third_situations.jsonl
5ef1572e2f9a644d fourth_gate_cases.csv
f69799c69f5d9793 fourth_situations.jsonl
800aea161f8414de fifth_gate_cases.csv
fe9887aca144ffc6 fifth_situations.jsonl
42127a901d548789 sixth_gate_cases.csv
fc5c0c1de5d7c91c sixth_situations.jsonl
a7bb8dbe0373129e seventh_gate_cases.csv
508dfdc7af474800 seventh_situations.jsonl
472f2b44bdf9d5e9 eighth_gate_cases.csv
bb60aebf3390888a eighth_situations.jsonl
dc99267ea69a0b49 ninth_situations.jsonl
8675f971e524f314 tenth_situations.jsonl
662f3e86a758fb8e ninth_gate_cases.csv
db436d4151433ecb tenth_gate_cases.csv
9df32b735c82a4e8 eleventh_situations.jsonl
a8c884c9ec7fb0cf twelfth_situations.jsonl
"""


def test_the_gold_cases_are_those_the_floors_were_set_for() -> None:
    golds = [*score_gate.golds(), *score_situations.golds()]
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in golds}
    assert found == {name: digest for digest, name in map(str.split, DIGESTS.strip().splitlines())}


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
    assert set(kinds) == told | {"headline", "paper", "place", "institution"}


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

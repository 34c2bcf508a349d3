"""Quality floors of matching: our gold pairs, and a small made-up corpus; the long forms are in benchmarks/match."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

EVALUATION = Path(__file__).parents[2] / "evaluation" / "matching"
sys.path.insert(0, str(EVALUATION))

from culture_corpus import Errors, corpus  # noqa: E402 - found through the path above
from score_gold import GOLD, figures, verdicts  # noqa: E402

from lumbung.cli.csv_input import Table  # noqa: E402
from lumbung.cli.match_table import Roles, match_table, scored  # noqa: E402

GOLD_HASH = "615bc426bad89ce8"


def test_the_gold_pairs_are_those_the_floors_were_set_for() -> None:
    assert hashlib.sha256(GOLD.read_bytes()).hexdigest()[:16] == GOLD_HASH


@pytest.fixture(scope="module")
def judged() -> list[tuple[dict[str, str], str]]:
    return verdicts()


@pytest.mark.parametrize("half", ["development", "held-out"])
def test_same_is_said_rightly_and_often_enough(judged: list[tuple[dict[str, str], str]], half: str) -> None:
    found = figures([each for each in judged if each[0]["half"] == half])
    assert found["precision"] >= 0.97
    assert found["recall"] >= 0.9


def test_every_kind_of_pair_is_there(judged: list[tuple[dict[str, str], str]]) -> None:
    kinds = Counter(row["kind"] for row, _ in judged)
    assert sum(kinds.values()) >= 300
    assert set(kinds) == {"same", "spelling", "alias", "regional variant", "homonym", "part/whole"}


def test_a_made_up_corpus_is_matched_without_labels() -> None:
    rows = corpus(4000, 3, Errors())
    table = Table("corpus", {name: [row[name] for row in rows] for name in rows[0]}, len(rows))
    roles = Roles("id", ("name",), "category", "region", ("year", "maker", "material", "description"), ())
    result = scored(match_table([table], roles, "pdbi"), None, None)
    cluster = np.array([row["cluster"] for row in rows])
    truth = sum(n * (n - 1) // 2 for n in Counter(cluster.tolist()).values())
    right = cluster[result.judged.left] == cluster[result.judged.right]
    said = result.judged.beliefs >= result.threshold
    assert 2 * (right & said).sum() / (said.sum() + truth) >= 0.9
    assert right.sum() / truth >= 0.95

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

import portal_corpus  # noqa: E402 - found through the path above
from culture_corpus import Errors, corpus  # noqa: E402
from score_gold import HALVES, figures, golds, verdicts  # noqa: E402

from lumbung.cli.csv_input import Table  # noqa: E402
from lumbung.cli.match_table import Roles, match_table, scored  # noqa: E402

RECALL = 0.9
RECALL_SO_FAR = {"seventh": 0.77}
"""Of batches that are not mended yet."""
DIGESTS = {
    "gold_pairs.csv": "615bc426bad89ce8",
    "second_gold_pairs.csv": "f23b1835be59f518",
    "third_gold_pairs.csv": "4b5b8148ab2124d2",
    "fourth_gold_pairs.csv": "3acb168bcd0dcdc0",
    "fifth_gold_pairs.csv": "278e016601292584",
    "sixth_gold_pairs.csv": "ddffa35e234acf2b",
    "seventh_gold_pairs.csv": "d1f38ae2392bd508",
}


def test_the_gold_pairs_are_those_the_floors_were_set_for() -> None:
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in golds()} == DIGESTS


@pytest.fixture(scope="module")
def judged() -> list[tuple[dict[str, str], str]]:
    return verdicts()


@pytest.mark.parametrize("half", HALVES)
def test_same_is_said_rightly_and_often_enough(judged: list[tuple[dict[str, str], str]], half: str) -> None:
    found = figures([each for each in judged if each[0]["half"] == half])
    assert found["precision"] >= 0.97
    assert found["recall"] >= RECALL_SO_FAR.get(half, RECALL)


def test_every_kind_of_pair_is_there(judged: list[tuple[dict[str, str], str]]) -> None:
    kinds = Counter(row["kind"] for row, _ in judged)
    assert sum(kinds.values()) >= 300
    assert set(kinds) == {"same", "spelling", "alias", "regional variant", "homonym", "sibling", "part/whole"}


def matched(rows: list[dict[str, str]], attributes: tuple[str, ...]) -> tuple[float, float]:
    """F1 at its own threshold, and the share of the true pairs that were compared."""
    table = Table("corpus", {name: [row[name] for row in rows] for name in rows[0]}, len(rows))
    result = scored(
        match_table([table], Roles("id", ("name",), "category", "region", attributes, ()), "pdbi"), None, None
    )
    cluster = np.array([row["cluster"] for row in rows])
    truth = sum(n * (n - 1) // 2 for n in Counter(cluster.tolist()).values())
    right = cluster[result.judged.left] == cluster[result.judged.right]
    said = result.judged.beliefs >= result.threshold
    return 2 * (right & said).sum() / (said.sum() + truth), right.sum() / truth


def test_a_made_up_corpus_is_matched_without_labels() -> None:
    f1, compared = matched(corpus(4000, 3, Errors()), ("year", "maker", "material", "description"))
    assert f1 >= 0.95
    assert compared >= 0.95


@pytest.mark.parametrize(("columns", "floor"), [("rich", 0.92), ("poor", 0.78)])
def test_a_corpus_with_another_error_model_is_matched_too(columns: str, floor: float) -> None:
    """The more so the more columns there are: kind, place and a name of common words are at times all there is."""
    rows = portal_corpus.corpus(4000, 5, 1.0, columns)
    f1, compared = matched(rows, ("use", "stuff", "origin", "year") if columns == "rich" else ())
    assert f1 >= floor
    assert compared >= 0.95

"""Labels correct what was believed, whatever they were picked by, and only as far as others bear them out."""

from __future__ import annotations

import numpy as np
import pytest

from lumbung.equations.label_training import Sample, Verdicts, finds_as_much, parts_of, picked_by_belief, train
from lumbung.equations.matcher import Logistic, logistic

WEIGHT = 6.0


def pairs(count: int, seed: int) -> tuple[Sample, np.ndarray]:
    """Beliefs that leave out what one feature says; the other feature says nothing."""
    random = np.random.default_rng(seed)
    features = random.integers(0, 2, (count, 2)).astype(np.float64)
    offset = random.normal(-3, 3, count)
    same = random.random(count) < logistic(offset + WEIGHT * (features[:, 0] - 0.5))
    ranges = np.clip(np.ceil(offset) + 10, 0, 20).astype(np.intp)
    return Sample(features, offset, ranges, np.ones(count)), same


def picked(table: Sample, same: np.ndarray, matches: int, others: np.ndarray) -> tuple[Sample, np.ndarray]:
    rows = np.concatenate([np.flatnonzero(same)[:matches], others])
    found = Sample(table.features[rows], table.offset[rows], table.ranges[rows], np.ones(len(rows)))
    return found, same[rows]


def others_of(kind: str, table: Sample, same: np.ndarray) -> np.ndarray:
    none = np.flatnonzero(~same)
    if kind == "hard":
        none = none[table.offset[none] > -2]
    if kind == "far":
        none = none[table.offset[none] < -4]
    return none[:100]


@pytest.mark.parametrize("kind", ["any", "hard", "far"])
def test_what_labels_show_is_learned_at_the_level_of_the_table_however_the_others_were_picked(kind: str) -> None:
    table, same = pairs(6000, 3)
    labelled, labels = picked(table, same, 100, others_of(kind, table, same))
    model = train(labelled, labels, table, np.arange(len(labels)) % 5)
    assert model is not None
    assert model.weights[0] > 1.5 > abs(model.weights[1])
    believed = float(logistic(table.believed(model)).sum())
    assert believed == pytest.approx(same.sum(), rel=0.25)
    right_before = ((logistic(table.offset) >= 0.5) == same).mean()
    assert ((logistic(table.believed(model)) >= 0.5) == same).mean() > right_before + 0.03


def test_labels_that_nothing_explains_change_next_to_nothing() -> None:
    random = np.random.default_rng(14)
    table, _ = pairs(4000, 4)
    same = random.random(4000) < logistic(table.offset)
    labelled, labels = picked(table, same, 60, others_of("any", table, same)[:60])
    model = train(labelled, labels, table, np.arange(len(labels)) % 5)
    assert model is None or (np.abs(model.weights).max() < 0.3 and abs(model.intercept) < 0.7)


def test_a_handful_of_labels_changes_nothing() -> None:
    table, same = pairs(2000, 5)
    labelled, labels = picked(table, same, 4, others_of("any", table, same))
    assert train(labelled, labels, table, np.arange(len(labels)) % 5) is None


def test_labels_of_the_unsure_pairs_alone_are_known_as_such() -> None:
    table, same = pairs(6000, 6)
    assert picked_by_belief(table, table.offset[same & (np.abs(table.offset) < 0.2)])
    assert not picked_by_belief(table, table.offset[same])


def test_pairs_that_share_a_record_lie_in_one_part() -> None:
    parts = parts_of([(1, 2), (3, 4), (2, 5), (6, 7), (5, 8)])
    assert parts[0] == parts[2] == parts[4]
    assert len(set(parts.tolist())) == 3


def test_a_correction_that_calls_more_pairs_matches_without_finding_more_of_them_is_not_taken() -> None:
    table, same = pairs(6000, 6)
    matches, labels = table.only(np.flatnonzero(same)[:100]), np.ones(100, dtype=bool)
    knowing = Logistic(-WEIGHT / 2, np.array([WEIGHT, 0.0]))
    now, lenient = (Verdicts.of(table, Logistic(level, np.zeros(2)), matches.offset) for level in (0.0, 3.0))
    assert not finds_as_much(table, labels, now, lenient)
    assert finds_as_much(table, labels, now, Verdicts.of(table, knowing, matches.believed(knowing)))


def test_a_few_labels_of_which_some_are_wrong_change_nothing() -> None:
    """However far the model was from the wrong ones."""
    random = np.random.default_rng(8)
    table, _ = pairs(6000, 8)
    same = random.random(6000) < logistic(3 * table.offset)
    labelled, labels = picked(table, same, 40, others_of("any", table, same)[:40])
    labels = np.where(np.abs(labelled.offset) == np.abs(labelled.offset).max(), ~labels, labels)
    assert train(labelled, labels, table, np.arange(len(labels)) % 5) is None

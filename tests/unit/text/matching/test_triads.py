from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from lumbung.text.matching.levels import Indices, Levels
from lumbung.text.matching.records import records_of
from lumbung.text.matching.triads import LARGEST_GROUP, Numbers, completed, third_side


def unlikely(left: Indices, right: Indices, levels: Levels) -> Numbers:
    return np.full(len(levels), 0.001)


def by_hand(ab: float, bc: float, ac: float) -> float:
    """Over all states of the triangle but those in which exactly two sides hold."""
    weights = {
        state: np.prod([p if holds else 1 - p for p, holds in zip((ab, bc, ac), state, strict=True)])
        for state in product([0, 1], repeat=3)
        if sum(state) != 2
    }
    return float(sum(w for state, w in weights.items() if state[2]) / sum(weights.values()))


@pytest.mark.parametrize(
    ("ab", "bc", "ac"), [(0.98, 0.98, 0.05), (0.96, 0.97, 0.5), (0.95, 0.95, 0.001), (0.5, 0.9, 0.9)]
)
def test_the_third_side_is_the_sum_over_consistent_states(ab: float, bc: float, ac: float) -> None:
    assert third_side(np.array([ab]), np.array([bc]), np.array([ac]))[0] == pytest.approx(by_hand(ab, bc, ac))


def test_two_sure_sides_raise_the_third_and_name_the_record_between() -> None:
    records = records_of(["Saman", "Saman", "Samman", "Piring"], [], [], None)
    sides = np.array([[0, 1], [1, 2]], dtype=np.int32)
    levels = np.zeros((2, 1), dtype=np.int8)
    judged = completed(records, sides[:, 0], sides[:, 1], levels, np.array([0.99, 0.99]), unlikely)
    third = [row for row in range(len(judged.left)) if (judged.left[row], judged.right[row]) == (0, 2)]
    assert len(third) == 1
    assert judged.through[third[0]] == 1
    assert judged.beliefs[third[0]] > 0.01


def test_a_strong_no_is_not_overruled_by_two_likely_yeses() -> None:
    assert third_side(np.array([0.95]), np.array([0.95]), np.array([0.001]))[0] < 0.1


def test_between_two_files_there_are_no_triangles() -> None:
    records = records_of(["Saman", "Saman", "Samman"], [], [], 2)
    judged = completed(
        records,
        np.array([0, 1], np.int32),
        np.array([2, 2], np.int32),
        np.zeros((2, 1), np.int8),
        np.array([0.99, 0.99]),
        unlikely,
    )
    assert len(judged.left) == 2


def chained(size: int) -> tuple[int, float]:
    """Records of one thing, each compared with the next two only: how many pairs are there in the end, and how sure."""
    records = records_of([f"Saman {number % 7}" for number in range(size)], [], [], None)
    sides = np.array([(a, b) for a in range(size) for b in (a + 1, a + 2) if b < size], dtype=np.int32)
    levels = np.zeros((len(sides), 1), dtype=np.int8)
    judged = completed(
        records, sides[:, 0], sides[:, 1], levels, np.full(len(sides), 0.98), lambda a, b, new: np.full(len(new), 0.6)
    )
    return len(judged.left), float(judged.beliefs.min())


def test_a_group_comes_together_from_the_windows_in_which_it_was_looked_for() -> None:
    assert chained(60)[0] == 60 * 59 // 2
    assert chained(60)[1] >= 0.95


def test_what_hangs_together_beyond_all_measure_is_left_as_it_is() -> None:
    assert chained(LARGEST_GROUP + 1)[0] == 2 * (LARGEST_GROUP + 1) - 3

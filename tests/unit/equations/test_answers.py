from __future__ import annotations

import random

import pytest

from lumbung.equations.answers import alternatives


def divisions(wrong: int, accuracy: float, voices: int, questions: int) -> list[list[int]]:
    rng = random.Random(7)  # noqa: S311
    found = []
    for _ in range(questions):
        said = [0 if rng.random() < accuracy else rng.randint(1, wrong) for _ in range(voices)]
        found.append(sorted(said.count(value) for value in set(said)))
    return found


@pytest.mark.parametrize(("wrong", "low", "high"), [(1, 1.0, 1.6), (2, 1.5, 3.0), (12, 7.0, 20.0)])
def test_how_claims_divide_tells_among_how_many_errors_they_choose(wrong: int, low: float, high: float) -> None:
    """Every question has values of its own, so that coincidences between questions tell nothing."""
    found = divisions(wrong, 0.7, 4, 300)
    assert low <= alternatives([1] * sum(map(len, found)), found) <= high


def test_a_few_slips_of_the_pen_do_not_make_two_answers_many() -> None:
    found = divisions(1, 0.7, 4, 300)
    for slip in range(6):
        found[slip] = sorted([*found[slip], 1])
    assert alternatives([1] * sum(map(len, found)), found) < 2.5


def test_values_that_questions_share_are_counted_and_few_claims_leave_one_error() -> None:
    assert alternatives([100] * 6, []) == pytest.approx(1 + 4 * 600 / 630, rel=0.02)
    assert alternatives([1], [[1]]) < 1.7


def test_errors_that_are_made_together_are_fewer_than_the_values_there_are() -> None:
    """Six values that all questions share; on each question nearly all errors are the same one."""
    assert alternatives([200] * 6, divisions(1, 0.7, 4, 300)) < 2

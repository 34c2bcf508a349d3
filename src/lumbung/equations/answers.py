"""Among how many wrong answers an error falls, read off how the claims on one question divide.

With two possible errors wrong sources meet in the same one half the time, with twenty hardly ever: whoever takes the
one for the other believes two voices that agree too much or too little.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

_DIVERSITY_PRIOR = 30.0
_MOST = 20.0
_NUMBERS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, _MOST)
_ACCURACIES = tuple(cell / 20 + 0.025 for cell in range(8, 19))
_FIRMNESS, _USUAL = 8.0, 0.8
_WIDTH = 1.5
_STRAY = math.log(0.02)
"""Of a value beyond those that there are: a slip of the pen."""


def _likelihood(division: Sequence[int], wrong: float, accuracy: float) -> float:
    """Log-likelihood that so many voices name each value, whatever the values are called."""
    said, voices = len(division), sum(division)
    strays = max(0.0, said - 1 - wrong)
    wrong += strays
    odds = accuracy * wrong / (1 - accuracy)
    right = math.fsum([*(odds**count for count in division), wrong + 1 - said])
    named = math.fsum(math.log(wrong + 1 - place) for place in range(said))
    return math.log(right) + voices * math.log((1 - accuracy) / wrong) - math.log(wrong + 1) + named + strays * _STRAY


def _by_divisions(divisions: Sequence[Sequence[int]]) -> float:
    """The likeliest number, over all accuracies that sources may have on average; no divisions leave it at many."""
    counts = Counter(tuple(sorted(division)) for division in divisions)
    scores: dict[float, list[float]] = {}
    for wrong in _NUMBERS:
        start = -0.5 * (math.log(wrong / _MOST) / _WIDTH) ** 2
        scores[wrong] = [
            start
            + _FIRMNESS * (_USUAL * math.log(accuracy) + (1 - _USUAL) * math.log1p(-accuracy))
            + math.fsum(times * _likelihood(division, wrong, accuracy) for division, times in sorted(counts.items()))
            for accuracy in _ACCURACIES
        ]
    largest = max(max(found) for found in scores.values())
    shares = {wrong: math.fsum(math.exp(each - largest) for each in found) for wrong, found in scores.items()}
    return math.exp(math.fsum(s * math.log(w) for w, s in shares.items()) / math.fsum(shares.values()))


def alternatives(questions_by_value: Sequence[int], divisions: Sequence[Sequence[int]]) -> float:
    """The number of wrong answers of a domain; few claims leave it at one.

    Read off how seldom claims about *different* questions coincide in their value, and off how the claims on one question
    divide: fewer, where a question has a stock of its own, or errors that are made more often than others.
    """
    n = sum(questions_by_value)
    same = sum(count * (count - 1) for count in questions_by_value)
    wrong = min(_by_divisions(divisions), max(1.0, (n * (n - 1) / same if same else float(n)) - 1))
    return 1 + (wrong - 1) * n / (n + _DIVERSITY_PRIOR)

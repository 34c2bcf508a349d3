"""Words of names and values, and the profile's terms among them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lumbung.text.folding import fold

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*|\d+")


def words_of(text: str) -> list[str]:
    return _WORD.findall(fold(text))


class Phrases:
    """Terms of one or several words, found as whole words, longest first."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = {tuple(words_of(term)): weight for term, weight in weights.items() if words_of(term)}
        self._longest = max(map(len, self._weights), default=0)

    def found(self, words: list[str]) -> list[tuple[str, float]]:
        return [
            (" ".join(words[start:end]), self._weights[tuple(words[start:end])]) for start, end in self._spans(words)
        ]

    def without(self, words: list[str]) -> list[str]:
        taken = {place for start, end in self._spans(words) for place in range(start, end)}
        return [word for place, word in enumerate(words) if place not in taken]

    def start(self, words: list[str]) -> int | None:
        """Where the first of them begins."""
        return next((start for start, _ in self._spans(words)), None)

    def begins(self, words: list[str]) -> bool:
        return self.start(words) == 0

    def head(self, words: list[str]) -> tuple[str, ...]:
        """The words of the term that they begin with."""
        start, end = next(iter(self._spans(words)), (1, 1))
        return tuple(words[:end]) if start == 0 else ()

    def tail(self, words: list[str]) -> tuple[str, ...]:
        """The words of the term that they end with."""
        starts = range(max(0, len(words) - self._longest), len(words))
        return next((tuple(words[n:]) for n in starts if tuple(words[n:]) in self._weights), ())

    def weight(self, term: tuple[str, ...]) -> float:
        return self._weights.get(term, 0.0)

    def _spans(self, words: list[str]) -> list[tuple[int, int]]:
        spans, place = [], 0
        while place < len(words):
            lengths = range(min(self._longest, len(words) - place), 0, -1)
            length = next((n for n in lengths if tuple(words[place : place + n]) in self._weights), 0)
            if length:
                spans.append((place, place + length))
            place += max(1, length)
        return spans

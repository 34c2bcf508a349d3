"""Where a quote really stands: letter by letter, then but for spaces, case and signs, then nearly, above a floor."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from rapidfuzz import fuzz

FLOOR = 90.0
SHORTEST_FUZZY = 24
LONGEST_QUOTE = 1000
SIGNS = str.maketrans(
    {
        "“": '"',
        "”": '"',
        "„": '"',
        "«": '"',
        "»": '"',
        "‘": "'",
        "’": "'",
        "ʼ": "'",
        "–": "-",
        "—": "-",
        "‑": "-",
        "…": ".",
    }
)
INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")


@dataclass(frozen=True, slots=True)
class Aligned:
    """`text[start:end]` is what the page says; the score is 100 unless letters differ."""

    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Folded:
    text: str
    places: tuple[int, ...]
    """Of each folded letter: where it stood."""


def fold(text: str) -> Folded:
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        plain = letter.translate(SIGNS).casefold()
        if letter.isspace():
            if letters and letters[-1] == " ":
                continue
            plain = " "
        elif letter in INVISIBLE:
            continue
        letters.extend(plain)
        places.extend([place] * len(plain))
    return Folded("".join(letters), tuple(places))


class Ground:
    """A stretch of a page's text in which quotes are looked for."""

    def __init__(self, text: str, start: int = 0, end: int | None = None) -> None:
        self._text = text
        self._start = start
        self._end = len(text) if end is None else end
        self._folded = fold(text[self._start : self._end])

    def align(self, quote: str) -> Aligned | None:
        quote = unicodedata.normalize("NFC", quote).strip().strip("\"“”'…").strip()
        if not quote or len(quote) > LONGEST_QUOTE:
            return None
        exact = self._text.find(quote, self._start, self._end)
        if exact >= 0:
            return Aligned(exact, exact + len(quote), 100.0)
        wanted = fold(quote).text.strip()
        if not wanted:
            return None
        alike = self._folded.text.find(wanted)
        if alike >= 0:
            return self._placed(alike, alike + len(wanted), 100.0)
        return self._nearly(wanted)

    def names(self, name: str, barred: Callable[[int, int], bool] | None = None) -> Aligned | None:
        """Where a name stands as words of its own; but for spaces, case and signs it must be there as it is."""
        wanted = fold(unicodedata.normalize("NFC", name)).text.strip()
        letters = self._folded.text
        at = letters.find(wanted) if wanted else -1
        while at >= 0:
            end = at + len(wanted)
            alone = not (at > 0 and letters[at - 1].isalnum()) and not (end < len(letters) and letters[end].isalnum())
            found = self._placed(at, end, 100.0)
            if alone and not (barred and barred(found.start, found.end)):
                return found
            at = letters.find(wanted, at + 1)
        return None

    def _nearly(self, wanted: str) -> Aligned | None:
        """Only for quotes long enough that a likeness means something; the span found is whole words."""
        if not SHORTEST_FUZZY <= len(wanted) <= len(self._folded.text):
            return None
        found = fuzz.partial_ratio_alignment(wanted, self._folded.text, score_cutoff=FLOOR)
        if found is None:
            return None
        start, end = self._whole_words(found.dest_start, found.dest_end)
        score = fuzz.ratio(wanted, self._folded.text[start:end], score_cutoff=FLOOR)
        return self._placed(start, end, score) if score else None

    def _whole_words(self, start: int, end: int) -> tuple[int, int]:
        letters = self._folded.text
        while start > 0 and letters[start - 1].isalnum() and letters[start].isalnum():
            start -= 1
        while end < len(letters) and letters[end].isalnum() and letters[end - 1].isalnum():
            end += 1
        span = letters[start:end]
        return start + len(span) - len(span.lstrip()), end - (len(span) - len(span.rstrip()))

    def _placed(self, start: int, end: int, score: float) -> Aligned:
        places = self._folded.places
        return Aligned(self._start + places[start], self._start + places[end - 1] + 1, score)

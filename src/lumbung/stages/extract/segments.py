"""A page in pieces a model can read: cut at headings and blocks, each overlapping the one before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from lumbung.model.candidate import PageText

LONGEST = 6000
SHORTEST_BEFORE_HEADING = 1500
OVERLAP = 300


@dataclass(frozen=True, slots=True)
class Segment:
    """`text[start:end]` of the page; what stands before `fresh` was already in the segment before."""

    number: int
    start: int
    fresh: int
    end: int


def segments(page: PageText) -> list[Segment]:
    cuts = [0, *_cuts(page), len(page.text)]
    made: list[Segment] = []
    for fresh, end in pairwise(cuts):
        if page.text[fresh:end].strip():
            start = _word_start(page.text, max(0, fresh - OVERLAP)) if made else fresh
            made.append(Segment(len(made), start, fresh, end))
    return made


def _cuts(page: PageText) -> Iterator[int]:
    """Before a heading once enough stands before it, at the last block that fits, and anywhere if no block does."""
    last = 0
    fitting = 0
    for start, heads in _places(page):
        while start - last > LONGEST:
            last = fitting if fitting > last else _word_start(page.text, last + LONGEST)
            yield last
        if heads and start - last >= SHORTEST_BEFORE_HEADING:
            last = start
            yield last
        fitting = start


def _places(page: PageText) -> Iterator[tuple[int, bool]]:
    for block in page.blocks:
        if block.kind == "row" and block.label:
            continue  # a row's label stands before its span
        yield block.start, block.kind == "heading"
    yield len(page.text), False


def _word_start(text: str, place: int) -> int:
    """Back to the beginning of the word that stands there, at most a line's length."""
    for at in range(place, max(0, place - 200), -1):
        if at == 0 or text[at - 1].isspace():
            return at
    return place

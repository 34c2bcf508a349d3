"""What is shown of a page, in pieces a model can read: cut before headings, else between blocks with an overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lumbung.model.candidate import PageText

LONGEST = 10_000
"""With the answer it fits into a context of 8,192 tokens, the least that is common."""
SHORTEST = LONGEST // 2
"""A heading is the better place to cut, but not for the price of more questions."""
OVERLAP = 200

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Segment:
    """The spans of the page's text that are asked about in one question."""

    number: int
    spans: tuple[Span, ...]

    def text(self, page: PageText) -> str:
        return "\n".join(page.text[start:end].strip("\n") for start, end in self.spans)


@dataclass(frozen=True, slots=True)
class _Part:
    """What is never cut."""

    start: int
    end: int
    heads: bool

    @property
    def size(self) -> int:
        return self.end - self.start


def segments(page: PageText, spans: Sequence[Span]) -> list[Segment]:
    pieces = (tuple(_joined(piece)) for piece in _packed(page.text, _parts(page, spans)))
    shown = (piece for piece in pieces if any(page.text[start:end].strip() for start, end in piece))
    return [Segment(number, piece) for number, piece in enumerate(shown)]


def _packed(text: str, parts: Iterable[_Part]) -> Iterator[list[_Part]]:
    piece: list[_Part] = []
    for part in parts:
        while piece and _size(piece) + part.size > LONGEST:
            cut = _heading_in(piece) if not part.heads else len(piece)
            yield piece[:cut]
            rest = piece[cut:]
            piece = rest if rest or part.heads else [_overlap(text, piece[-1])]
            if not rest:
                break
        piece.append(part)
    if piece:
        yield piece


def _heading_in(piece: Sequence[_Part]) -> int:
    """Before the last heading that has enough before it; without one, behind the whole piece."""
    places = (place for place in range(len(piece) - 1, 0, -1) if piece[place].heads)
    return next((place for place in places if _size(piece[:place]) >= SHORTEST), len(piece))


def _overlap(text: str, part: _Part) -> _Part:
    return _Part(_word_start(text, max(part.start, part.end - OVERLAP)), part.end, heads=False)


def _size(piece: Iterable[_Part]) -> int:
    return sum(part.size for part in piece)


def _parts(page: PageText, spans: Sequence[Span]) -> Iterator[_Part]:
    """Blocks as far as they are shown; one that is too long is cut between words."""
    places = _places(page)
    for start, end in spans:
        cuts = [start, *(place for place in sorted(places) if start < place < end), end]
        for first, last in pairwise(cuts):
            at = first
            while last - at > LONGEST:
                cut = _word_start(page.text, at + LONGEST)
                yield _Part(at, cut, heads=at == first and places.get(at, False))
                at = cut
            yield _Part(at, last, heads=at == first and places.get(at, False))


def _places(page: PageText) -> dict[int, bool]:
    """Where a block's line begins, and whether it is a heading's: what stands before a span is its row's label."""
    places: dict[int, bool] = {}
    last = 0
    for block in sorted(page.blocks, key=lambda block: (block.start, -block.end)):
        if block.kind != "data" and block.end > last:
            if last == 0 or page.text[last : last + 1].isspace():
                places[last] = block.kind == "heading"
            last = block.end
    return places


def _word_start(text: str, place: int) -> int:
    """Back to the beginning of the word that stands there, at most a line's length."""
    for at in range(place, max(0, place - 200), -1):
        if at == 0 or text[at - 1].isspace():
            return at
    return place


def _joined(piece: Iterable[_Part]) -> Iterator[Span]:
    start = end = -1
    for part in piece:
        if part.start != end:
            if end > start:
                yield start, end
            start = part.start
        end = part.end
    if end > start:
        yield start, end

"""Cuts a page into segments by its headings, with overlap, so that a killed job resumes at the segment it was at."""

from __future__ import annotations

from dataclasses import dataclass

from lumbung.model.candidate import Block, PageText

SEGMENT_CHARACTERS = 4_000
OVERLAP_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Segment:
    """`text[start:end]` of the page; `headings` are those it stands under, the highest first."""

    number: int
    start: int
    end: int
    headings: tuple[str, ...]


def segments(page: PageText, size: int = SEGMENT_CHARACTERS, overlap: int = OVERLAP_CHARACTERS) -> tuple[Segment, ...]:
    """Whole blocks up to `size` characters; a heading begins a new segment once half of that is full.

    Each but the first begins up to `overlap` characters earlier, at a block, so that a sentence's subject is at hand.
    A block longer than `size` is cut at a blank.
    """
    pieces = _pieces(page, size)
    found: list[Segment] = []
    at = 0
    while at < len(pieces):
        last = _last(pieces, at, size)
        first = _overlapped(pieces, at, overlap) if at else at
        headings = _headings_above(page, pieces[at].start)
        found.append(Segment(len(found), pieces[first].start, pieces[last].end, headings))
        at = last + 1
    return tuple(found)


def _pieces(page: PageText, size: int) -> list[Block]:
    """The blocks of the page that do not lie in one another, none longer than `size`."""
    pieces: list[Block] = []
    shown = (block for block in page.blocks if block.kind != "data")
    for block in sorted(shown, key=lambda block: (block.start, -block.end)):
        start = max(block.start, pieces[-1].end if pieces else 0)
        while block.end - start > size:
            cut = page.text.rfind(" ", start + size // 2, start + size)
            cut = cut if cut > start else start + size
            pieces.append(Block(block.kind, start, cut, block.level))
            start = cut
        if start < block.end:
            pieces.append(Block(block.kind, start, block.end, block.level))
    return pieces


def _last(pieces: list[Block], first: int, size: int) -> int:
    start = pieces[first].start
    last = first
    while last + 1 < len(pieces) and pieces[last + 1].end - start <= size:
        if pieces[last + 1].kind == "heading" and pieces[last].end - start > size // 2:
            break
        last += 1
    return last


def _overlapped(pieces: list[Block], first: int, overlap: int) -> int:
    place = first
    while place > 0 and pieces[first].start - pieces[place - 1].start <= overlap:
        place -= 1
    return place


def _headings_above(page: PageText, start: int) -> tuple[str, ...]:
    above: list[Block] = []
    for block in page.blocks:
        if block.kind == "heading" and block.start <= start:
            above = [heading for heading in above if heading.level < block.level]
            above.append(block)
    return tuple(page.text[block.start : block.end] for block in above)

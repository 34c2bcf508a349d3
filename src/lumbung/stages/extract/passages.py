"""A page in passages: a heading, a list, or some lines of prose, each in the section of its heading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lumbung.model.candidate import Block, PageText

LEAST_PROSE = 240
"""Shorter paragraphs are judged together: lines of plain text are no paragraphs."""
LISTED = frozenset({"list-item", "row", "caption"})


@dataclass(frozen=True, slots=True)
class Passage:
    """`text[start:end]` of the page, with what stands between it and the passage before."""

    start: int
    end: int
    is_list: bool = False
    is_apart: bool = False
    """A line that leads elsewhere; it is judged alone."""

    def takes(self, other: Passage) -> bool:
        """Whether the next one is judged together with it."""
        if self.is_apart or other.is_apart or self.is_list != other.is_list:
            return False
        return self.is_list or max(self.end - self.start, other.end - other.start) < LEAST_PROSE


@dataclass(slots=True)
class Section:
    heading: Passage | None
    level: int = 0
    passages: list[Passage] = field(default_factory=list)


def sections(page: PageText, leads_elsewhere: Callable[[str], bool]) -> list[Section]:
    """In the order of the page; together they are its whole text."""
    found = [Section(None)]
    for block, passage in _placed(page, leads_elsewhere):
        held = found[-1].passages
        if block.kind == "heading":
            found.append(Section(passage, block.level))
        elif held and held[-1].takes(passage):
            held[-1] = Passage(held[-1].start, passage.end, passage.is_list)
        else:
            held.append(passage)
    return [section for section in found if section.heading or section.passages]


def _placed(page: PageText, leads_elsewhere: Callable[[str], bool]) -> Iterator[tuple[Block, Passage]]:
    """Each block from the end of the one before it: a row's label stands before its span."""
    at = 0
    for block in (*sorted(page.blocks, key=lambda block: (block.start, -block.end)), *_rest(page)):
        if block.kind != "data" and block.end > at:
            is_list = block.kind in LISTED
            yield block, Passage(at, block.end, is_list, not is_list and leads_elsewhere(page.text[at : block.end]))
            at = block.end


def _rest(page: PageText) -> Iterator[Block]:
    """Lines that stand behind the last block, or in a page without any."""
    at = max((block.end for block in page.blocks), default=0)
    for line in page.text[at:].splitlines(keepends=True):
        at += len(line)
        if line.strip():
            yield Block("paragraph", at - len(line), at)

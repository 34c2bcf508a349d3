"""Writes the chosen blocks as one text whose offsets are exact by construction."""

from __future__ import annotations

from dataclasses import dataclass, field

from lumbung.model.candidate import Block
from lumbung.text.markup.blocks import RawBlock
from lumbung.text.markup.linkeddata import LinkedItem

# What a page says of itself, not of the thing it shows.
_UNTOLD = frozenset(
    {"name", "headline", "description", "articleBody", "text", "url", "image", "author", "publisher", "datePublished",
     "dateModified", "license", "breadcrumb", "mainEntityOfPage", "logo", "sameAs", "position", "item", "caption"}
)  # fmt: skip
_MOST_VALUES, _MOST_BLOCKS = 60, 120
_SHORTEST_VALUE, _LONGEST_VALUE = 3, 200


@dataclass(slots=True)
class Composition:
    """Text under construction; a block's span is known the moment it is written."""

    pieces: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    length: int = 0

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def write(self, text: str) -> tuple[int, int]:
        start = self.length
        self.pieces.append(text)
        self.length += len(text)
        return start, self.length

    def add(self, block: RawBlock, record: int = 0) -> None:
        """One block on its own line; a label stands before its value."""
        if self.length:
            self.write("\n")
        if block.cells:
            self._add_cells(block, record)
            return
        if block.label:
            self.write(f"{block.label}: ")
        start, end = self.write(block.text)
        self.blocks.append(Block(block.kind, start, end, block.level, block.label))

    def _add_cells(self, block: RawBlock, record: int) -> None:
        for place, (label, text) in enumerate(block.cells):
            if place:
                self.write(" | ")
            start, end = self.write(text)
            self.blocks.append(Block("row", start, end, record, label))


def compose(blocks: list[RawBlock]) -> tuple[str, tuple[Block, ...]]:
    """The main text and its blocks; the cells of one table row share a level above zero."""
    composition = Composition()
    record = 0
    for block in blocks:
        record += bool(block.cells)
        composition.add(block, record)
    return composition.text, tuple(composition.blocks)


def data_blocks(text: str, items: list[LinkedItem]) -> tuple[Block, ...]:
    """The values of linked data that the text shows: a block where each stands, with its property as label."""
    found: dict[tuple[int, int], Block] = {}
    for item in items:
        for name, values in item.values.items():
            if name in _UNTOLD:
                continue
            for value in values[:_MOST_VALUES]:
                at = text.find(value) if _SHORTEST_VALUE <= len(value) <= _LONGEST_VALUE else -1
                if at >= 0:
                    found.setdefault((at, at + len(value)), Block("data", at, at + len(value), 0, name))
    return tuple(found.values())[:_MOST_BLOCKS]

"""Chooses the main text among a page's blocks: trafilatura says which, the blocks keep their structure."""

from __future__ import annotations

import logging

import trafilatura
from turbohtml import Document

from lumbung.text.markup.blocks import Container, RawBlock
from lumbung.text.markup.invisible import squeezed

logging.getLogger("trafilatura").setLevel(logging.CRITICAL)

# Trafilatura drops these too, only later and slower.
_NEVER_MAIN = "nav, footer, aside, figure, menu, button, head > link, head > meta"
_SHORT_PAGE = 1_200
_MOST_BLOCKS = 10_000
_FEWEST_CHARACTERS = 200
_SHORT_BLOCK = 25
_PROSE = 60
_NEAR = 3


def main_blocks(blocks: list[RawBlock], document: Document) -> list[RawBlock]:
    """The blocks of the main text, in page order; the document is used up."""
    plain = [block for block in blocks if _is_prose(block)]
    if sum(len(block.text) for block in plain) < _SHORT_PAGE or len(blocks) > _MOST_BLOCKS:
        return _trimmed(plain)
    document.remove(_NEVER_MAIN)
    document.strip_tags("form")
    chosen = _matched(blocks, _trafilatura_text(document.serialize()))
    size = sum(len(block.text) for block in blocks if id(block) in chosen)
    if size < _FEWEST_CHARACTERS or size * 4 < sum(len(block.text) for block in plain):
        return _trimmed(plain)
    chosen |= _belonging(blocks, chosen)
    return [block for block in blocks if id(block) in chosen]


def _trafilatura_text(markup: str) -> str:
    try:
        document = trafilatura.bare_extraction(
            markup,
            fast=True,
            favor_precision=True,
            include_comments=False,
            include_tables=True,
        )
    except (ValueError, TypeError, AttributeError, RecursionError, UnicodeError):
        return ""
    body = getattr(document, "body", None)
    if body is None:
        return ""
    return "\n".join("".join(child.itertext()) for child in body)


def _is_prose(block: RawBlock) -> bool:
    """Not in a navigation, a footer or the like, and not mostly links."""
    if block.container.apart and not block.container.infobox:
        return False
    return block.kind in {"heading", "row"} or block.linked * 10 < len(block.text) * 8


def _trimmed(blocks: list[RawBlock]) -> list[RawBlock]:
    """Without headings that have nothing under them at the end."""
    end = len(blocks)
    while end > 1 and blocks[end - 1].kind == "heading":
        end -= 1
    return blocks[:end]


def _matched(blocks: list[RawBlock], main: str) -> set[int]:
    """The blocks whose words stand in the main text, in its order; short ones only as a whole line."""
    stream = squeezed(main)
    lines = {squeezed(line) for line in main.split("\n")}
    chosen: set[int] = set()
    at = 0
    for block in blocks:
        words = squeezed(block.text)
        if not words:
            continue
        if len(words) < _SHORT_BLOCK and words not in lines and block.kind != "row":
            continue
        found = stream.find(words, at)
        if found < 0 and len(words) >= _SHORT_BLOCK:
            found = stream.find(words)
        if found < 0:
            continue
        chosen.add(id(block))
        at = max(at, found + len(words)) if found - at < 4_000 else at
    return chosen


def _belonging(blocks: list[RawBlock], chosen: set[int]) -> set[int]:
    """What trafilatura leaves out of the same container: the title, rows, captions, short headings and items."""
    home = _home([block for block in blocks if id(block) in chosen])
    places = [place for place, block in enumerate(blocks) if id(block) in chosen]
    first, last = _first_heading(blocks, places[0]), places[-1]
    added: set[int] = set()
    for place, block in enumerate(blocks):
        if id(block) in chosen or (block.container.apart and not block.container.infobox):
            continue
        inside = _is_inside(block.container, home)
        if block.kind == "heading" and block.level == 1:
            if place < first or inside:
                added.add(id(block))
        elif inside and (block.kind in {"row", "caption"} or block.container.infobox):
            added.add(id(block))
        elif inside and first <= place and block.linked * 2 < len(block.text) and (place < last or _goes_on(block)):
            added.add(id(block))
            last = max(last, place) if place - last <= _NEAR else last
    return added


def _first_heading(blocks: list[RawBlock], first: int) -> int:
    """The place of the first of the headings right above the first chosen block."""
    while first > 0 and blocks[first - 1].kind == "heading":
        first -= 1
    return first


def _goes_on(block: RawBlock) -> bool:
    """Whether a block after the last chosen one is still prose, or a heading above it."""
    return block.kind == "heading" or len(block.text) >= _PROSE


def _home(chosen: list[RawBlock]) -> Container:
    """The smallest container that holds nine tenths of the chosen text."""
    weight: dict[int, int] = {}
    containers: dict[int, Container] = {}
    whole = 0
    for block in chosen:
        whole += len(block.text)
        place: Container | None = block.container
        while place is not None:
            weight[id(place)] = weight.get(id(place), 0) + len(block.text)
            containers[id(place)] = place
            place = place.parent
    fitting = [containers[key] for key, size in weight.items() if size * 10 >= whole * 9]
    return max(fitting, key=lambda container: container.depth)


def _is_inside(container: Container, home: Container) -> bool:
    place: Container | None = container
    while place is not None and place.depth >= home.depth:
        if place is home:
            return True
        place = place.parent
    return False

"""A long page without its middle: where only the beginning and the end are read, the rest need not be laid out."""

from __future__ import annotations

from collections.abc import Iterable

from turbohtml import Element

_FEW_PARTS = 8
_DEEPEST = 8
_WRAPPERS = frozenset({"div", "section", "article", "main"})


def leave_out_middle(main: Element, longest: int, beginning: int, end: int) -> int:
    """Takes whole blocks out of a part with more than `longest` characters, so that its beginning and its end stay,
    each with at least so many; returns how many characters went.
    """
    size = len(main.text)
    if size <= longest:
        return 0
    blocks = _blocks_of(main, size)
    first, last = _reaching(blocks, beginning), _reaching(reversed(blocks), end)
    for block in blocks[first : len(blocks) - last]:
        block.decompose()
    return size - len(main.text)


def _blocks_of(main: Element, size: int) -> list[Element]:
    """Its children, or those of the one wrapper among them that holds nearly everything."""
    place = main
    for _ in range(_DEEPEST):
        blocks = [child for child in place.children if isinstance(child, Element)]
        wrappers = (block for block in blocks[:_FEW_PARTS] if block.tag in _WRAPPERS and len(block.text) > 0.9 * size)
        wrapper = next(wrappers, None)
        if wrapper is None:
            break
        place = wrapper
    return blocks


def _reaching(blocks: Iterable[Element], characters: int) -> int:
    """How many of them, from the first on, hold so many characters."""
    number = held = 0
    for block in blocks:
        if held >= characters:
            break
        held += len(block.text)
        number += 1
    return number

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
    blocks, sizes = _blocks_of(main)
    if sum(sizes) <= longest:
        return 0
    middle = slice(_reaching(sizes, beginning), len(blocks) - _reaching(reversed(sizes), end))
    for block in blocks[middle]:
        block.decompose()
    return sum(sizes[middle])


def _blocks_of(main: Element) -> tuple[list[Element], list[int]]:
    """Its children, or those of the one wrapper among them that holds nearly everything, and their lengths."""
    place = main
    for _ in range(_DEEPEST):
        blocks = [child for child in place.children if isinstance(child, Element)]
        sizes = [len(block.text) for block in blocks]
        most = 0.9 * sum(sizes)
        few = zip(blocks[:_FEW_PARTS], sizes, strict=False)
        wrapper = next((block for block, size in few if size > most and block.tag in _WRAPPERS), None)
        if wrapper is None:
            break
        place = wrapper
    return blocks, sizes


def _reaching(sizes: Iterable[int], characters: int) -> int:
    """How many of them, from the first on, come to so many characters."""
    number = held = 0
    for size in sizes:
        if held >= characters:
            break
        held += size
        number += 1
    return number

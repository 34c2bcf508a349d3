"""Slips of spelling in the name of an item: `Tangkrep` in the text of `Tangkreb`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lumbung.model.candidate import Block
from lumbung.text.extraction.category import Vocabulary, folded_words

_CAPITALISED = re.compile(r"\b[A-Z][a-z]{5,}\b")
_SHORTEST = 6
_SEARCHED = 4_000


def misspelt(name: str, blocks: Iterable[Block], text: str, vocabulary: Vocabulary) -> frozenset[str]:
    """Names of the text that differ in one letter from the last word of this one, and in no other word."""
    words = folded_words(name)[vocabulary.generic_length(name) :]
    if not words or len(words[-1]) < _SHORTEST or not words[-1].isalpha():
        return frozenset()
    *first, last = words
    found = {
        written.casefold()
        for block in blocks
        for written in _CAPITALISED.findall(text, block.start, min(block.end, block.start + _SEARCHED))
    }
    return frozenset(" ".join([*first, word]) for word in found if differ_in_one(word, last))


def differ_in_one(left: str, right: str) -> bool:
    """Whether one letter is another, missing or too many; the first is the same, and no ending makes another word of it."""
    if left == right or left[0] != right[0] or abs(len(left) - len(right)) > 1:
        return False
    if left.startswith(right) or right.startswith(left):
        return False
    at = next(place for place, (one, other) in enumerate(zip(left, right, strict=False)) if one != other)
    return left[at + 1 :] == right[at + 1 :] or left[at + 1 :] == right[at:] or left[at:] == right[at + 1 :]

"""One letter for one letter: text made comparable without moving any offset."""

from __future__ import annotations

import sys
import unicodedata


def _single(char: str) -> str:
    """The bare small letter of a Latin letter, a space for spaces and hyphens, and itself for all else."""
    if char.isspace() or char in "-‐‑‒–—_":
        return " "
    if char in "’‘ʼ`´ʻ":
        return "'"
    base = unicodedata.normalize("NFKD", char)[:1] if "LATIN" in unicodedata.name(char, "") else char
    small = base.lower()
    return small if len(small) == 1 else char


class _Table(dict[int, str]):
    """Filled as letters are met, so that start-up costs nothing."""

    def __missing__(self, code: int) -> str:
        folded = _single(chr(code)) if code <= sys.maxunicode else chr(code)
        self[code] = folded
        return folded


_TABLE = _Table()


def fold(text: str) -> str:
    """Small letters without accents; hyphens and all white space become spaces. `len` never changes."""
    folded = text.translate(_TABLE)
    # Most words of a lexicon are folded as they stand: to keep each twice takes megabytes.
    return text if folded == text else folded


_FIRST_COMBINING = "\u0300"


def is_word_char(char: str) -> bool:
    return char.isalnum() or (char >= _FIRST_COMBINING and unicodedata.combining(char) != 0)


def stands_alone(folded: str, start: int, end: int) -> bool:
    """Whether `folded[start:end]` begins and ends at word boundaries."""
    if start > 0 and is_word_char(folded[start - 1]) and is_word_char(folded[start]):
        return False
    return end == len(folded) or not is_word_char(folded[end]) or not is_word_char(folded[end - 1])

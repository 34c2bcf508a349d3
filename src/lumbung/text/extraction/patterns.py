"""Patterns from the lists of a language's file, in any letter case."""

from __future__ import annotations

import re
from collections.abc import Iterable


def pattern_of(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


def whole(expression: str) -> re.Pattern[str]:
    return pattern_of(rf"(?<!\w)(?:{expression})(?!\w)")


def either(words: Iterable[str]) -> str:
    """One of the words, the longest that fits; none at all matches nothing."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or r"(?!)"


def any_of(words: Iterable[str]) -> re.Pattern[str]:
    return whole(either(words))


def head_of(words: Iterable[str], *, first: bool) -> re.Pattern[str]:
    """The words where the head of a phrase stands: first, or last."""
    return pattern_of(rf"^(?:{either(words)})(?!\w)" if first else rf"(?<!\w)(?:{either(words)})$")

"""Parts of a page that are not about its subject: comments, further reading, tickets, its author."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from functools import cache
from importlib import resources
from typing import Literal

from lumbung.text.extraction.category import folded_words

LONGEST_LINE = 200
LONGEST_PHRASE = 5
SIGNS = (
    re.compile(r"(?:Rp|IDR|RM|US\$|\$|€|£)\s?\d"),
    re.compile(r"\b[0-2]?\d[.:][0-5]\d\b"),
    re.compile(r"[\w.]+@\w+\.\w|https?://|www\."),
    re.compile(r"\+?\d{3,4}[ -]?\d{3,4}[ -]?\d{3,4}"),
)
"""Prices, hours, addresses of the net and telephone numbers, in whatever language."""

Words = tuple[str, ...]
Aside = Literal["links", "parts"]


def aside_headed(heading: str) -> Aside | None:
    """A word alone must be all of the heading, figures aside (`3 Komentar`); several may be its beginning."""
    words = tuple(word for word in folded_words(heading) if not word.isdigit())
    begins = [words, *(words[:size] for size in range(2, LONGEST_PHRASE + 1))]
    if any(begin in _phrases("links") for begin in begins):
        return "links"
    return "parts" if any(begin in _phrases("parts") for begin in begins) else None


def leads_elsewhere(line: str) -> bool:
    """Whether a line such as `Baca juga: ...` stands in the text without belonging to it."""
    lead, colon, _ = line.strip().partition(":")
    return bool(colon) and len(line) <= LONGEST_LINE and tuple(folded_words(lead)) in _phrases("links")


def practical_words(text: str, others: Collection[Words] = ()) -> int:
    """How many different words and signs of travel, trade and the site itself, or of those others."""
    words = folded_words(text)
    known = _phrases("words")
    phrases = {tuple(words[place : place + size]) for place in range(len(words)) for size in (1, 2, 3)}
    found = {phrase for phrase in phrases if phrase in known or phrase in others}
    return len(found) + sum(sign.search(text) is not None for sign in SIGNS)


@cache
def _phrases(kind: str) -> frozenset[Words]:
    data = tomllib.loads((resources.files(__package__) / "asides.toml").read_text(encoding="utf-8"))
    return frozenset(tuple(folded_words(phrase)) for language in data.values() for phrase in language[kind])

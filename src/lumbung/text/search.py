"""Words by which people find entries: stemmed, in modern spelling, whatever script or spelling they were written in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from lumbung.text.names import canonical_name
from lumbung.text.stemming import stem

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
LONGEST_WORD = 64
MOST_TERMS = 2000
LIKE_FROM = 75
"""How alike, of a hundred, a name must be to what somebody typed before it is offered in its place."""


def name_terms(names: Iterable[str]) -> set[str]:
    """A name's own words under their canonical spelling, and its key as a whole."""
    terms: set[str] = set()
    for name in names:
        canonical = canonical_name(name)
        terms |= set(word_terms(canonical.canonical))
        terms.add(f"={canonical.key}")
    return {term for term in terms if len(term) > 1}


def word_terms(text: str) -> list[str]:
    """Stems of a text's words in their order, without doubles."""
    found: dict[str, None] = {}
    for match in _WORD.finditer(text):
        word = match.group().casefold()
        if len(word) <= LONGEST_WORD:
            found[stem(word)] = None
        if len(found) >= MOST_TERMS:
            break
    return list(found)


def query_terms(query: str) -> list[str]:
    """What a query asks for: every term must be found."""
    return word_terms(canonical_name(query).canonical)[:16] if query.strip() else []


def beginnings(terms: Iterable[str], letters: int) -> list[str]:
    """How the words begin that somebody may have mistyped: fingers slip later more often than at once."""
    return list(dict.fromkeys(term[:letters] for term in terms if len(term) > 3))


def most_like(query: str, titles: Sequence[str], limit: int) -> list[int]:
    """Places of the titles that are spelled nearly as the query is, the nearest first; a part of a title does too."""
    asked, *known = (canonical_name(each).canonical.casefold() for each in (query, *titles))
    found = process.extract(asked, known, scorer=likeness, limit=None) if asked else []
    return [place for _, alike, place in found if alike >= LIKE_FROM][:limit]


def likeness(asked: str, title: str, **_: object) -> float:
    """Of a hundred. Letters that changed places are one slip; of a longer word, a part of the title is enough."""
    whole = 100 * OSA.normalized_similarity(asked, title)
    return whole if len(asked) < 5 else max(whole, 0.95 * fuzz.partial_ratio(asked, title))

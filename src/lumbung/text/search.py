"""Words by which people find entries: stemmed, in modern spelling, whatever script or spelling they were written in."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lumbung.text.names import canonical_name
from lumbung.text.stemming import stem

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
LONGEST_WORD = 64
MOST_TERMS = 2000


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

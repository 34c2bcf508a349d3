"""What the words of a genus say of a thing in a language that puts them before it: `a spicy soup`, `a war dance`."""

from __future__ import annotations

import re

from lumbung.text.extraction.evidence import Evidence, Kind
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.values import Span


def read_qualities(item: Item, reading: Reading, category: str, evidence: Evidence) -> None:
    """The values that the language's file gives to words of the genus, the longest first."""
    definition = item.definition
    if definition is None or not reading.translates:
        return
    sentence, genus = definition.sentence, definition.genus.casefold()
    for code, terms in reading.wording.qualities.items():
        attribute = reading.profile.attributes.get(code)
        if attribute is None or not attribute.belongs_to(category):
            continue
        found = _terms_in(genus, terms)
        for term in found[:1] if attribute.single else found:
            at = sentence.text.casefold().find(term, definition.tail)
            if at >= 0:
                span: Span = (sentence.start + at, sentence.start + at + len(term))
                evidence.add(code, terms[term], (sentence.start, sentence.end), span, Kind.GENUS)


def _terms_in(genus: str, terms: dict[str, str]) -> list[str]:
    """The terms that stand in the genus, without those that a longer one covers."""
    found: list[str] = []
    for term in sorted(terms, key=len, reverse=True):
        if term in genus and re.search(rf"(?<![\w-]){re.escape(term)}(?![\w-])", genus):
            found.append(term)
            genus = genus.replace(term, " ")
    return found

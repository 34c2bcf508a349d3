"""What a name means, where a sentence explains one word and no more."""

from __future__ import annotations

import re

from lumbung.text.extraction.values import Span

_OF_A_PART = re.compile(
    r"\b(?:dan|serta|and|en) (?:kata|akhiran|awalan|imbuhan|the word|het woord|[\"“'‘])|\bberasal dari (?:kata|bahasa)\b",
    re.IGNORECASE,
)
"""The name has a second part whose meaning follows."""
_MEANS = re.compile(
    r"\b(?:berarti|artinya|bermakna|bermaksud|diartikan|dimaknai|(?:memiliki|mempunyai|mengandung) (?:arti|makna)|means?|meaning|"
    r"betekent|betekenis)\b",
    re.IGNORECASE,
)
_OF_WORDS = re.compile(r"\b(?:dua|tiga|beberapa) (?:suku )?kata\b", re.IGNORECASE)


def one_meaning(text: str, span: Span) -> Span | None:
    """What a name means, where the sentence explains no more than one word: of several, none is the name's."""
    if len(_MEANS.findall(text)) > 1 or _OF_A_PART.search(text, *span) or _OF_WORDS.search(text, 0, span[0]):
        return None
    return span

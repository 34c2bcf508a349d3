"""Facts from sentences about an item: a cue of the language, then the value."""

from __future__ import annotations

import re

from lumbung.model.profile import Profile
from lumbung.text.extraction import values
from lumbung.text.extraction.evidence import Evidence
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.wording import Relation, Wording

_DENIAL_REACH = 24
_DEFINITION_BONUS = 0.02


def read_relations(
    sentence: Sentence, wording: Wording, profile: Profile, category: str | None, evidence: Evidence
) -> None:
    """Every relation whose cue stands in the sentence and whose attribute the category has."""
    if wording.hearsay.search(sentence.text):
        return
    for relation in wording.relations:
        attribute = profile.attributes.get(relation.attribute)
        if attribute is None or not attribute.belongs_to(category):
            continue
        if relation.categories and category not in relation.categories:
            continue
        for cue in relation.cue.finditer(sentence.text):
            if not wording.denial.search(sentence.text[max(0, cue.start() - _DENIAL_REACH) : cue.end()]):
                _read(relation, cue, sentence, wording, evidence)


def _read(relation: Relation, cue: re.Match[str], sentence: Sentence, wording: Wording, evidence: Evidence) -> None:
    text, after, end = sentence.text, cue.end(), len(sentence.text)
    spans: list[values.Span] = []
    if relation.take == "list":
        spans = list(values.members(text, after, end, wording))
    else:
        span = _single(relation, cue, text, after, end)
        spans = [span] if span else []
    for start, stop in spans:
        value = text[start:stop]
        if relation.take in {"list", "phrase", "phrase-with-cue-tail"} and not wording.is_canonical:
            translated = wording.translations.get(value.casefold())
            if translated is None:
                evidence.needs_translation = True
                continue
            value = translated
        around = (sentence.start, sentence.end)
        evidence.add(
            relation.attribute, value, around, (sentence.start + start, sentence.start + stop), relation.confidence
        )


def _single(relation: Relation, cue: re.Match[str], text: str, after: int, end: int) -> values.Span | None:
    if relation.take == "phrase":
        return values.phrase(text, after, end)
    if relation.take == "phrase-with-cue-tail":
        tail = re.search(r"\s", cue[0])
        return values.phrase(text, cue.start() + (tail.end() if tail else 0), end)
    if relation.take == "person":
        return values.person(text, after, end)
    if relation.take == "date":
        return values.date(text, cue.start(), end)
    if relation.take == "number":
        return values.number(text, after, end, relation.unit)
    return None

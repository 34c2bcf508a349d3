"""Facts from sentences about an item: a cue of the language, then the value."""

from __future__ import annotations

import re

from lumbung.text.extraction import values
from lumbung.text.extraction.evidence import Evidence
from lumbung.text.extraction.origins import add_region
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.wording import Relation

_DENIAL_REACH = 24
_PLACE_REACH = 90


def read_relations(
    sentence: Sentence, reading: Reading, category: str, evidence: Evidence, *, of_part: bool = False
) -> None:
    """Every relation whose cue stands in the sentence and whose attribute the category has."""
    wording = reading.wording
    if wording.hearsay.search(sentence.text):
        return
    for relation in wording.relations:
        if not _applies(relation, reading, category) or (of_part and not relation.of_parts):
            continue
        for cue in relation.cue.finditer(sentence.text):
            if not wording.denial.search(sentence.text[max(0, cue.start() - _DENIAL_REACH) : cue.end()]):
                _read(relation, cue, sentence, reading, evidence)


def opens_with_cue(sentence: Sentence, reading: Reading, category: str) -> bool:
    """Whether the sentence leaves its subject out and begins with what is said of it."""
    return any(
        relation.may_open and _applies(relation, reading, category) and relation.cue.match(sentence.text)
        for relation in reading.wording.relations
    )


def _applies(relation: Relation, reading: Reading, category: str) -> bool:
    attribute = reading.profile.attributes.get(relation.attribute)
    if attribute is None or not attribute.belongs_to(category):
        return False
    return not relation.categories or category in relation.categories


def _read(relation: Relation, cue: re.Match[str], sentence: Sentence, reading: Reading, evidence: Evidence) -> None:
    text = sentence.text
    if relation.take == "place":
        _read_place(relation, cue, sentence, reading, evidence)
        return
    for start, end in _spans(relation, cue, text, reading):
        at = (sentence.start + start, sentence.start + end)
        value: str | None = text[start:end]
        if relation.take in {"list", "phrase", "meaning", "phrase-with-cue-tail", "measure"}:
            value = reading.in_canonical_language(text[start:end])
        elif relation.take == "number":
            value = reading.count(text[start:end])
        if value is None:
            evidence.needs_translation = True
        else:
            evidence.add(relation.attribute, value, (sentence.start, sentence.end), at, relation.confidence)


def _read_place(
    relation: Relation, cue: re.Match[str], sentence: Sentence, reading: Reading, evidence: Evidence
) -> None:
    """The places that stand right after the cue; a name the gazetteer does not know stays as it is written."""
    start, quote = sentence.start + cue.end(), (sentence.start, sentence.end)
    known = reading.regions_in(start, min(sentence.end, start + _PLACE_REACH))
    for found in known:
        if not reading.wording.place_end.search(reading.text, start, found.start):
            add_region(found, relation.attribute, quote, relation.confidence, reading, evidence)
    span = values.place(sentence.text, cue.end())
    if span and not known:
        at = (sentence.start + span[0], sentence.start + span[1])
        evidence.add(relation.attribute, sentence.text[span[0] : span[1]], quote, at, relation.confidence - 0.05)


def _spans(relation: Relation, cue: re.Match[str], text: str, reading: Reading) -> list[values.Span]:
    after, end = cue.end(), len(text)
    if relation.take == "list":
        return list(values.members(text, after, end, reading.wording))
    span = None
    if relation.take in {"phrase", "meaning"}:
        span = values.phrase(text, after, end)
    elif relation.take == "phrase-with-cue-tail":
        tail = re.search(r"\s", cue[0])
        span = values.phrase(text, cue.start() + (tail.end() if tail else 0), end)
    elif relation.take == "person":
        span = values.person(text, after, end)
    elif relation.take == "date":
        span = values.date(text, cue.start(), end)
    elif relation.take == "number":
        span = values.number(text, after, end, relation.unit, reading.wording)
    elif relation.take == "measure":
        span = values.measure(text, cue.start(), end)
    return [span] if span else []

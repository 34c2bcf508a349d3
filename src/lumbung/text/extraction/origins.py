"""Where an item comes from: regions named by its rows and, with a word of origin, by its definition."""

from __future__ import annotations

import re

from lumbung.model.profile import ValueKind
from lumbung.text.extraction.category import folded_words
from lumbung.text.extraction.definitions import Definition
from lumbung.text.extraction.evidence import Evidence
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.labels import attribute_of
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.values import Span
from lumbung.text.region import FoundRegion

ORIGIN = "asal-daerah"
PEOPLE = "suku"
_REACH = 40
_LOOSE_CLAUSE = re.compile(r",\s+(?:yang|which|who|die|dat)\b", re.IGNORECASE)
"""After a comma, what is said besides; a relation reads it if it speaks of origin."""
_OF_A_TIME = re.compile(r"\b(?:abad|zaman|masa|era|century|eeuw)\b", re.IGNORECASE)
"""A realm of some century is no region of today."""
_HISTORY = "sejarah"
_DEFINITION_CONFIDENCE = 0.92
_HEADING_CONFIDENCE = 0.9
_LEAD_CONFIDENCE = 0.88
_LEADING_PLACE = re.compile(
    r"(?:di|dari|in|from|uit) (?:(?:daerah|wilayah|provinsi|kabupaten|pulau|the) )?", re.IGNORECASE
)


def read_origins(item: Item, reading: Reading, category: str | None, evidence: Evidence) -> None:
    """Regions of origin by rows and by the definition; each found one is a fact."""
    for row in item.rows:
        attribute = attribute_of(row.label, reading.profile, category)
        if attribute is not None and attribute.code == _HISTORY and reading.is_places(*row.value):
            attribute = reading.profile.attributes.get(ORIGIN)
        if attribute is None or (attribute.kind is not ValueKind.PLACE and attribute.code != PEOPLE):
            continue
        if _OF_A_TIME.search(reading.text, *row.value):
            continue
        for found in reading.regions_in(*row.value):
            named_as_people = bool(reading.wording.people.search(reading.text, row.value[0], found.start))
            as_place = attribute.kind is ValueKind.PLACE and not named_as_people
            add_region(found, attribute.code, row.quote, row.confidence, reading, evidence, as_place=as_place)
    for definition in dict.fromkeys((item.definition, item.titled)):
        if definition is not None:
            read_definition_origins(definition, reading, evidence)
    for span in item.origins:
        for found in reading.regions_in(*span):
            line = _line_of(span, reading)
            as_place = reading.is_also_land(found)
            add_region(found, ORIGIN, line, _HEADING_CONFIDENCE, reading, evidence, as_place=as_place)


def _line_of(span: Span, reading: Reading) -> Span:
    """The whole heading in which a region stands."""
    start = reading.text.rfind("\n", 0, span[0]) + 1
    end = reading.text.find("\n", span[1])
    return start, end if end >= 0 else len(reading.text)


def add_region(
    found: FoundRegion,
    attribute: str,
    quote: Span,
    confidence: float,
    reading: Reading,
    evidence: Evidence,
    *,
    as_place: bool = False,
) -> None:
    """A people is whose it is; a place is where it is from. Under a label for places a name is a place's."""
    if attribute in {ORIGIN, PEOPLE}:
        evidence.regions[found.code] = None
    people = found.level == "people" and not as_place and not reading.is_land(found)
    if attribute == ORIGIN and people and PEOPLE in reading.profile.attributes:
        attribute = PEOPLE
    place = found.code if found.via != "open" else reading.name_of(found)
    if not evidence.is_new_place(attribute, place):
        return
    evidence.add(attribute, reading.name_of(found), quote, (found.start, found.end), confidence)


def _is_after_kind(before: str, reading: Reading) -> bool:
    """`naskah Sunda kuno`: a region right behind the word of kind is where the thing is from."""
    words = folded_words(before[-_REACH:])
    return reading.wording.genus_comes_first and bool(words) and reading.vocabulary.ends_with_kind(tuple(words[-1:]))


def read_definition_origins(definition: Definition, reading: Reading, evidence: Evidence) -> None:
    sentence = definition.sentence
    if (lead := _LEADING_PLACE.match(sentence.text)) and definition.is_culture:
        span = (sentence.start + lead.end(), sentence.start + sentence.text.find(", ", lead.end()))
        if span[0] < span[1] and reading.is_places(*span):
            for found in reading.regions_in(*span):
                add_region(found, ORIGIN, (sentence.start, sentence.end), _LEAD_CONFIDENCE, reading, evidence)
    start, end = sentence.start + definition.since, sentence.start + definition.until
    contrast = reading.wording.contrast.search(reading.text, start, end)
    end = contrast.start() if contrast else end
    reached = -1
    for found in reading.regions_in(start, end):
        before = reading.text[start : found.start]
        if _LOOSE_CLAUSE.search(before) or (found.level == "people" and before.count("(") > before.count(")")):
            continue
        joined = reached >= 0 and reading.is_joint(reached, found.start)
        adjective = not reading.wording.genus_comes_first and found.end <= sentence.start + definition.kind_until
        if not reading.wording.other_clause.search(before) and (
            joined
            or adjective
            or reading.is_land(found)
            or _is_after_kind(before, reading)
            or reading.wording.owner.match(reading.text, found.end)
            or reading.wording.origin.search(before[-_REACH:])
        ):
            reached = found.end
            quote = (sentence.start, sentence.end)
            as_place = adjective and reading.is_also_land(found)
            add_region(found, ORIGIN, quote, _DEFINITION_CONFIDENCE, reading, evidence, as_place=as_place)

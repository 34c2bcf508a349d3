"""Where an item comes from: regions named by its rows and, with a word of origin, by its definition."""

from __future__ import annotations

import re

from lumbung.model.profile import ValueKind
from lumbung.text.extraction.category import folded_words
from lumbung.text.extraction.definitions import Definition
from lumbung.text.extraction.evidence import Evidence, Kind
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.labels import attribute_of
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.values import Span
from lumbung.text.region import FoundRegion

ORIGIN = "asal-daerah"
PEOPLE = "suku"
_REACH = 40
_PEOPLE_REACH = 60
_NAMES_ONLY = re.compile(r"(?:\s*(?:[A-Z][\w'’-]*|dan|serta|atau|maupun|bangsa|adat|and|en|,))*\s*")
_LOOSE_CLAUSE = re.compile(r",\s+(?:yang|which|who|die|dat)\b", re.IGNORECASE)
"""After a comma, what is said besides; a relation reads it if it speaks of origin."""
_OF_A_TIME = re.compile(r"\b(?:abad|zaman|masa|era|century|eeuw)\b", re.IGNORECASE)
"""A realm of some century is no region of today."""
_HISTORY = "sejarah"
_BESIDES = re.compile(
    r"\b(?:yang|dengan|populer|terkenal|terbesar|sebagai|kepada|terhadap|untuk|bagi|agar|supaya|ketika|saat|sehingga|karena)\b",
    re.IGNORECASE,
)
_TOLD_OF = re.compile(
    r"\W*(?:sejarah|asal[- ]usul|perkembangan|mengenal|keberadaan|history|the history)\b", re.IGNORECASE
)
"""A heading that says where the story of a thing takes place."""
_FROM = re.compile(r"(?:^|\s)(?:dari|daripada|di|asal)\s")
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_LIES_IN = re.compile(r",\s+(?:di|in|te)\s+(?:(?:provinsi|kabupaten|the|de)\s+)?", re.IGNORECASE)
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
        contrast = reading.wording.contrast.search(reading.text, *row.value)
        for found in reading.regions_in(row.value[0], contrast.start() if contrast else row.value[1]):
            named_as_people = bool(reading.wording.people.search(reading.text, row.value[0], found.start))
            as_place = attribute.kind is ValueKind.PLACE and not named_as_people
            add_region(found, attribute.code, row.quote, row.kind, reading, evidence, as_place=as_place)
    for definition in dict.fromkeys((item.definition, item.titled)):
        if definition is not None:
            read_definition_origins(definition, reading, evidence)
    # What the item's own text says of its origin counts more than a heading further up.
    for span in [*item.origins, *(item.inherited if not evidence.regions else [])]:
        for found in reading.regions_in(*span):
            line = _line_of(span, reading)
            if _TOLD_OF.match(reading.text, *line):
                continue
            as_place = reading.is_also_land(found, as_district=False)
            if found.level == "people" and not as_place and reading.is_also_land(found) and not reading.is_land(found):
                # `Upacara Adat Banjar`: of the people or of the district, the heading does not say.
                continue
            add_region(found, ORIGIN, line, Kind.HEADING, reading, evidence, as_place=as_place)


def _line_of(span: Span, reading: Reading) -> Span:
    """The whole heading in which a region stands."""
    start = reading.text.rfind("\n", 0, span[0]) + 1
    end = reading.text.find("\n", span[1])
    return start, end if end >= 0 else len(reading.text)


def add_region(
    found: FoundRegion,
    attribute: str,
    quote: Span,
    kind: Kind,
    reading: Reading,
    evidence: Evidence,
    *,
    as_place: bool = False,
) -> None:
    """A people is whose it is; a place is where it is from. Under a label for places a name is a place's."""
    if attribute in {ORIGIN, PEOPLE}:
        evidence.regions[found.code] = None
    as_place = as_place or (
        attribute == ORIGIN and not is_named_as_people(found, reading) and reading.is_also_land(found)
    )
    people = found.level == "people" and not as_place and not reading.is_land(found)
    if attribute == ORIGIN and people and PEOPLE in reading.profile.attributes:
        attribute = PEOPLE
    place = found.code if found.via != "open" else reading.name_of(found)
    if kind is Kind.HEADING and attribute == PEOPLE and evidence.has_place(ORIGIN, place):
        # `Celurit from Madura`, whose text calls that a land: the heading says no people.
        return
    if not evidence.is_new_place(attribute, place):
        return
    evidence.add(attribute, reading.name_of(found), quote, (found.start, found.end), kind)


def is_named_as_people(found: FoundRegion, reading: Reading) -> bool:
    """Whether `suku`, `orang` and the like stand right before it; without them a name that a land has too is the land's."""
    beside = reading.regions_in(max(0, found.start - _PEOPLE_REACH), found.start)
    if beside and beside[-1].level == "people" and not reading.text[beside[-1].end : found.start].strip(" -–"):
        return True
    before = reading.text[max(0, found.start - _PEOPLE_REACH) : found.start]
    if (
        before.endswith(", ")
        and reading.is_also_land(found)
        and not reading.wording.joint.match(reading.text, found.end)
    ):
        # `suku Gayo, Aceh`: the land of the people before the comma.
        return False
    words = list(reading.wording.people.finditer(before))
    return bool(words) and _NAMES_ONLY.fullmatch(before, words[-1].end()) is not None


def _is_after_kind(before: str, reading: Reading) -> bool:
    """`naskah Sunda kuno`: a region right behind the word of kind is where the thing is from."""
    words = folded_words(before[-_REACH:])
    return reading.wording.genus_comes_first and bool(words) and reading.vocabulary.ends_with_kind(tuple(words[-1:]))


def _is_chained(before: str, reading: Reading) -> bool:
    """Whether the kind leads on to the region: no clause, and nobody who is told of besides, stands between."""
    if not reading.wording.genus_comes_first:
        return True
    return _BESIDES.search(before) is None


def _is_sign_of(definition: Definition, before: str, reading: Reading) -> bool:
    """`X merupakan lambang dari masyarakat` Y: what it stands for, where the words do not say of what kind it is."""
    unknown = not definition.categories and not definition.is_broad and reading.wording.genus_comes_first
    return unknown and reading.wording.culture.search(before) is None


def _is_address(between: str, reading: Reading) -> bool:
    """`dari Kecamatan X, Kabupaten` Y: a smaller place that no list knows stands before the region."""
    last = next(iter(reversed(list(_FROM.finditer(between)))), None)
    if last is None or not reading.wording.genus_comes_first:
        return False
    words = _WORD.findall(between[last.end() :])
    return bool(words) and all(word[0].isupper() or word in reading.wording.checks.place_words for word in words)


def _is_wider(last: FoundRegion | None, found: FoundRegion, between: str, reading: Reading) -> bool:
    """`Rote, in East Nusa Tenggara`: where the place before the comma lies."""
    within = last is not None and reading.gazetteer.related(last.code, found.code)
    return within and _LIES_IN.fullmatch(between) is not None


def read_definition_origins(definition: Definition, reading: Reading, evidence: Evidence) -> None:
    sentence = definition.sentence
    if (lead := _LEADING_PLACE.match(sentence.text)) and definition.is_culture:
        span = (sentence.start + lead.end(), sentence.start + sentence.text.find(", ", lead.end()))
        if span[0] < span[1] and reading.is_places(*span):
            for found in reading.regions_in(*span):
                add_region(found, ORIGIN, (sentence.start, sentence.end), Kind.DEFINITION, reading, evidence)
    start, end = sentence.start + definition.since, sentence.start + definition.until
    contrast = reading.wording.contrast.search(reading.text, start, end)
    end = contrast.start() if contrast else end
    reached, last = -1, None
    for found in reading.regions_in(start, end):
        before = reading.text[start : found.start]
        if _LOOSE_CLAUSE.search(before) or (found.level == "people" and before.count("(") > before.count(")")):
            continue
        joined = reached >= 0 and (
            reading.is_joint(reached, found.start)
            or _is_wider(last, found, reading.text[reached : found.start], reading)
        )
        between = reading.text[max(start, reached) : found.start]
        joined = joined or _is_address(between, reading)
        if not joined and "," in between and not reading.wording.mention.fullmatch(between.rpartition(",")[2].lstrip()):
            # What is said behind a comma is said besides, unless it is where the thing is from.
            break
        if _is_sign_of(definition, before, reading):
            break
        adjective = not reading.wording.genus_comes_first and found.end <= sentence.start + definition.kind_until
        if (
            not reading.wording.other_clause.search(before)
            and _is_chained(before, reading)
            and (
                joined
                or adjective
                or reading.is_land(found)
                or _is_after_kind(before, reading)
                or reading.wording.owner.match(reading.text, found.end)
                or reading.wording.origin.search(before[-_REACH:])
            )
        ):
            reached, last = found.end, found
            quote = (sentence.start, sentence.end)
            as_place = adjective and reading.is_also_land(found)
            add_region(found, ORIGIN, quote, Kind.DEFINITION, reading, evidence, as_place=as_place)

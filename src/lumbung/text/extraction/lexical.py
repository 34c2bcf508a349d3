"""The lexical extractor: candidates from definitions, rows, lists and headings, without any model."""

from __future__ import annotations

from lumbung.model.candidate import Candidate, ExtractedFact, PageKind, PageText
from lumbung.model.profile import Profile, ValueKind
from lumbung.text.extraction.category import decide
from lumbung.text.extraction.evidence import Evidence
from lumbung.text.extraction.items import Item, items_of
from lumbung.text.extraction.labels import attribute_of
from lumbung.text.extraction.origins import read_origins
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.relations import opens_with_cue, read_relations
from lumbung.text.extraction.rows import read_rows, read_section
from lumbung.text.extraction.sentences import sentences
from lumbung.text.extraction.subjects import Subject
from lumbung.text.extraction.wording import wording_for, wording_of
from lumbung.text.region import Gazetteer

ENGINE = "lexical"
EXTRACTOR_VERSION = "lexical-1"
ALIAS = "nama-lain"
_ALIAS_CONFIDENCE = 0.92


def extract(page: PageText, profile: Profile, gazetteer: Gazetteer) -> list[Candidate]:
    """The candidates of a page; an encyclopaedia, a listing and noise have none."""
    wording = wording_of(page.text, page.language)
    if page.kind is not PageKind.ITEM or wording is None or not page.text:
        return []
    reading = Reading.of(page, profile, gazetteer, wording)
    found = [_candidate(item, reading) for item in items_of(reading)]
    return [candidate for candidate in found if candidate is not None]


def _candidate(item: Item, reading: Reading) -> Candidate | None:
    words = " ".join(reading.text[block.start : block.end] for block in item.blocks)
    genus = item.definition.categories if item.definition else frozenset()
    head = reading.vocabulary.head_of(item.name) or reading.vocabulary.head_of(item.heading)
    if item.definition is not None and not genus and not head:
        return None
    category, is_open = decide((head, genus), reading.vocabulary.scores(words))
    if category is None and not is_open:
        return None
    evidence = Evidence(reading.text, _language(reading))
    if category is not None:
        read_rows(reading, item.rows, category, evidence)
        _read_sections(item, reading, category, evidence)
        _read_sentences(item, reading, category, evidence)
        _read_aliases(item, reading, evidence)
    read_origins(item, reading, category, evidence)
    facts = tuple(sorted(evidence.facts.values(), key=lambda fact: (fact.start, fact.end, fact.attribute, fact.value)))
    if not facts and not item.definition:
        return None
    return Candidate(
        name=item.name,
        aliases=_aliases(item, facts),
        category=category,
        regions=tuple(evidence.regions),
        facts=facts,
        media=reading.page.media,
        engine=ENGINE,
        parked=_parked(category, facts, evidence),
    )


def _language(reading: Reading) -> str:
    """Of the quotes: the page's, unless it was read as another that it is mostly written in."""
    return reading.page.language if wording_for(reading.page.language) else reading.wording.language


def _aliases(item: Item, facts: tuple[ExtractedFact, ...]) -> tuple[str, ...]:
    defined = item.definition.aliases if item.definition else ()
    return tuple(dict.fromkeys([*defined, *(fact.value for fact in facts if fact.attribute == ALIAS)]))


def _parked(category: str | None, facts: tuple[ExtractedFact, ...], evidence: Evidence) -> str | None:
    if category is None:
        return "category-open"
    return "needs-translation" if evidence.needs_translation and not facts else None


def _read_sections(item: Item, reading: Reading, category: str, evidence: Evidence) -> None:
    """Sections under a heading that names an attribute."""
    blocks = item.blocks
    for place, block in enumerate(blocks):
        if block.kind != "heading":
            continue
        attribute = attribute_of(reading.text[block.start : block.end], reading.profile, category)
        if attribute is None or attribute.kind is ValueKind.PLACE:
            continue
        end = next((at for at in range(place + 1, len(blocks)) if blocks[at].kind == "heading"), len(blocks))
        read_section(reading, attribute, blocks[place + 1 : end], evidence)


def _read_sentences(item: Item, reading: Reading, category: str, evidence: Evidence) -> None:
    """Relations of the sentences whose subject is the item, or a part of it right after the item."""
    subject = Subject.of(item, category, reading.vocabulary, reading.wording)
    for block in item.blocks:
        if block.kind not in {"paragraph", "list-item"}:
            continue
        spoken_of = True
        for sentence in sentences(reading.text, block.start, block.end):
            if subject.is_of(sentence) or (spoken_of and opens_with_cue(sentence, reading, category)):
                spoken_of = True
                read_relations(sentence, reading, category, evidence)
            elif spoken_of and subject.is_part(sentence):
                read_relations(sentence, reading, category, evidence, of_part=True)
            else:
                spoken_of = False


def _read_aliases(item: Item, reading: Reading, evidence: Evidence) -> None:
    definition = item.definition
    if definition is None or ALIAS not in reading.profile.attributes:
        return
    sentence = definition.sentence
    for alias in definition.aliases:
        at = sentence.text.casefold().find(alias.casefold())
        if at >= 0:
            span = (sentence.start + at, sentence.start + at + len(alias))
            evidence.add(ALIAS, alias, (sentence.start, sentence.end), span, _ALIAS_CONFIDENCE)

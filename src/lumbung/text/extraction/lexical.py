"""The lexical extractor: candidates from definitions, rows, lists and headings, without any model."""

from __future__ import annotations

from lumbung.model.candidate import Candidate, PageKind, PageText
from lumbung.model.profile import Profile, ValueKind
from lumbung.text.extraction.category import Vocabulary, decide, vocabulary_of
from lumbung.text.extraction.evidence import Evidence
from lumbung.text.extraction.items import Item, items_of
from lumbung.text.extraction.labels import attribute_of
from lumbung.text.extraction.origins import read_origins
from lumbung.text.extraction.relations import read_relations
from lumbung.text.extraction.rows import read_rows, read_section
from lumbung.text.extraction.sentences import sentences
from lumbung.text.extraction.subjects import Subject
from lumbung.text.extraction.wording import Wording, wording_for
from lumbung.text.region import Gazetteer

ENGINE = "lexical"
EXTRACTOR_VERSION = "lexical-1"


def extract(page: PageText, profile: Profile, gazetteer: Gazetteer) -> list[Candidate]:
    """The candidates of a page; an encyclopaedia, a listing and noise have none."""
    wording = wording_for(page.language)
    if page.kind is not PageKind.ITEM or wording is None or not page.text:
        return []
    vocabulary = vocabulary_of(profile)
    found = [
        _candidate(item, page, profile, gazetteer, vocabulary, wording)
        for item in items_of(page, profile, vocabulary, wording)
    ]
    return [candidate for candidate in found if candidate is not None]


def _candidate(
    item: Item, page: PageText, profile: Profile, gazetteer: Gazetteer, vocabulary: Vocabulary, wording: Wording
) -> Candidate | None:
    words = " ".join(page.text[block.start : block.end] for block in item.blocks)
    genus = item.definition.categories if item.definition else frozenset()
    category, is_open = decide((vocabulary.head_of(item.name), genus), vocabulary.scores(words))
    if category is None and not is_open:
        return None
    evidence = Evidence(page.text, page.language)
    if category is not None:
        read_rows(page.text, item.blocks, wording, profile, category, evidence)
        _read_sections(item, page, profile, category, wording, evidence)
        _read_sentences(item, page, profile, category, vocabulary, wording, evidence)
    regions = read_origins(item, page, profile, gazetteer, wording, category, evidence)
    aliases = tuple(
        dict.fromkeys(
            [*(item.definition.aliases if item.definition else ())]
            + [fact.value for fact in evidence.facts.values() if fact.attribute == "nama-lain"],
        ),
    )
    facts = tuple(sorted(evidence.facts.values(), key=lambda fact: (fact.start, fact.end, fact.attribute, fact.value)))
    if not facts and not item.definition:
        return None
    return Candidate(
        name=item.name,
        aliases=aliases,
        category=category,
        regions=regions,
        facts=facts,
        media=page.media,
        engine=ENGINE,
        parked=_parked(category, facts, evidence),
    )


def _parked(category: str | None, facts: tuple[object, ...], evidence: Evidence) -> str | None:
    if category is None:
        return "category-open"
    return "needs-translation" if evidence.needs_translation and not facts else None


def _read_sections(
    item: Item, page: PageText, profile: Profile, category: str, wording: Wording, evidence: Evidence
) -> None:
    """Sections under a heading that names an attribute."""
    blocks = item.blocks
    for place, block in enumerate(blocks):
        if block.kind != "heading":
            continue
        attribute = attribute_of(page.text[block.start : block.end], profile, category)
        if attribute is None or attribute.kind is ValueKind.PLACE:
            continue
        end = next((at for at in range(place + 1, len(blocks)) if blocks[at].kind == "heading"), len(blocks))
        read_section(page.text, attribute, blocks[place + 1 : end], wording, evidence)


def _read_sentences(
    item: Item,
    page: PageText,
    profile: Profile,
    category: str,
    vocabulary: Vocabulary,
    wording: Wording,
    evidence: Evidence,
) -> None:
    """Relations of the sentences whose subject is the item."""
    subject = Subject.of(item, profile.categories[category], vocabulary, wording)
    for block in item.blocks:
        if block.kind in {"paragraph", "list-item"}:
            for sentence in sentences(page.text, block.start, block.end):
                if subject.is_of(sentence):
                    read_relations(sentence, wording, profile, category, evidence)

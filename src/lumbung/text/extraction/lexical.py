"""The lexical extractor: candidates from definitions, rows, lists and headings, without any model."""

from __future__ import annotations

import re

from lumbung.model.candidate import Candidate, ExtractedFact, PageKind, PageText
from lumbung.model.profile import Profile, ValueKind
from lumbung.text.extraction.category import decide, folded_words, vocabulary_of
from lumbung.text.extraction.evidence import Evidence, Kind
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.items import items_of, kind_by_row
from lumbung.text.extraction.kinds import is_of_culture, is_region
from lumbung.text.extraction.linked import kinds_of, read_linked
from lumbung.text.extraction.names_of_items import (
    is_name_of_one,
    is_phrase,
    is_supported,
    whole_title,
)
from lumbung.text.extraction.origins import read_origins
from lumbung.text.extraction.others import (
    opens_within_another,
)
from lumbung.text.extraction.prose import read_prose
from lumbung.text.extraction.qualities import read_qualities
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.rows import read_ingredients, read_rows, read_section
from lumbung.text.extraction.soundness import is_sound
from lumbung.text.extraction.telling import read_sentences, subject_of
from lumbung.text.extraction.titles import clean_title, is_listing
from lumbung.text.extraction.topics import heads_a_part, topic_of
from lumbung.text.extraction.wording import Wording, wording_for, wording_of
from lumbung.text.region import Gazetteer

ENGINE = "lexical"
ALIAS = "nama-lain"
_MATERIAL = "bahan"
_LONGEST_ACRONYM = 3
_FEWEST_WITH_KIND = 2
_LONGEST_TITLE = 5
_SCORED_CHARACTERS = 8_000
_OPENING = 600
_SENTENCE_ENDS = ".!?"
_AROUND_A_NAME = re.compile(
    r"^(?:der|die|das|le|la|les|el|los|las|o|os|as|il)\s+(?=\w)|\s(?:de|du|des|von|aus|da|do)\s.*$", re.IGNORECASE
)
"""Articles and what a thing is of, in languages whose sentences we do not read."""
_BRACKETED = re.compile(r"\s*\([^()]*\)\s*$")
_ONE_OF = re.compile(r"\s(?:sejenis|semacam|berupa|berjenis)\s")


def extract(page: PageText, profile: Profile, gazetteer: Gazetteer) -> list[Candidate]:
    """The candidates of a page; an encyclopaedia, a listing and noise have none."""
    return [candidate for candidate, _ in extract_with_kinds(page, profile, gazetteer)]


def extract_with_kinds(
    page: PageText, profile: Profile, gazetteer: Gazetteer
) -> list[tuple[Candidate, dict[ExtractedFact, Kind]]]:
    """The same, with the kind of evidence of each fact."""
    wording = wording_of(page.text, page.language)
    if page.kind is not PageKind.ITEM or not page.text:
        return []
    if wording is None:
        return [(candidate, {}) for candidate in waiting(page, profile)]
    reading = Reading.of(page, profile, gazetteer, wording)
    return [found for item in items_of(reading) if (found := _candidate(item, reading)) is not None]


def waiting(page: PageText, profile: Profile) -> list[Candidate]:
    """A page in a language whose sentences we do not read: its title waits for a translator, if it names a thing we know."""
    vocabulary, native = vocabulary_of(profile), wording_for(profile.language)
    name = _AROUND_A_NAME.sub("", clean_title(page.title))
    words = [word for word in folded_words(name) if native is None or word not in native.common]
    kinds = vocabulary.generic_length(name)
    if page.language == "und" or is_listing(page.title) or not kinds < len(words) <= _LONGEST_TITLE:
        return []
    if page.title.rstrip()[-1:] in _SENTENCE_ENDS:
        return []
    head = vocabulary.head_of(name)
    category, _ = decide((head,), lambda: vocabulary.scores(page.text[:_SCORED_CHARACTERS]))
    if category is None or not (head or _takes_up(page, name)):
        return []
    return [Candidate(_cased(name), (), category, (), (), page.media, ENGINE, "needs-translation")]


def _takes_up(page: PageText, name: str) -> bool:
    """Whether a part of the text begins with the title as the thing it speaks of; before it a byline may stand."""
    words = folded_words(name)
    return any(
        folded_words(page.text[block.start : block.end])[: len(words)] == words
        for block in page.blocks
        if block.kind in {"paragraph", "list-item"}
    )


def _category(item: Item, reading: Reading) -> tuple[str | None, bool]:
    """The category, and whether it is open; neither for what is no item of culture."""
    definition = item.definition
    genus = definition.categories if definition else frozenset()
    names = (item.name, item.heading, definition.name if definition else "")
    head = next((found for name in names if (found := reading.vocabulary.head_of(name))), frozenset[str]())
    head = head & item.context or head
    if not head and not genus and not reading.wording.genus_comes_first:
        head = reading.vocabulary.of_kind_at_end(item.name)
    of_its_own = bool(head)
    if not genus and not head:
        head = item.context or kinds_of(item.blocks, reading.profile) or kind_by_row(item, reading)
    if definition is not None:
        known = is_of_culture(definition, reading) if genus else definition.is_culture
        if definition.is_other or not (head or known):
            return None, False
        if not genus and not known and not of_its_own:
            # What the text calls it is no thing of the list's kind, but perhaps a part of one.
            return None, False
        if not genus and not known and not _has_a_home(item, reading):
            # `Upacara bendera adalah kegiatan`: of its kind by name alone.
            return None, False
    elif not (head or _speaks_of_culture(item, reading)) or (
        not of_its_own and opens_within_another(item, head, reading)
    ):
        return None, False
    votes = (head,) if head and definition and definition.is_broad else (head, genus)
    if genus and head.isdisjoint(genus) and not reading.vocabulary.generic_length(item.name):
        # A song may be called after a dish; what the text says it is counts.
        votes = (genus,)
    category, is_open = decide(votes, lambda: reading.vocabulary.scores(_words_of(item, reading)))
    return category, definition is not None and (is_open or not (genus or head))


def _has_a_home(item: Item, reading: Reading) -> bool:
    """Whether its text or the title above it names a land or a people, or calls it a tradition."""
    placed = any(reading.regions_in(block.start, block.end) for block in item.blocks)
    return placed or bool(item.origins or item.inherited) or _speaks_of_culture(item, reading)


def _speaks_of_culture(item: Item, reading: Reading) -> bool:
    """Whether an item that nothing defines is at least spoken of as a tradition, or has a row that says its origin."""
    if reading.wording.culture.search(item.heading + " " + _words_of(item, reading)[:_OPENING]):
        return True
    return any(reading.regions_in(*row.value) for row in item.rows)


def _is_kind_of_a_region(name: str, reading: Reading) -> bool:
    """`Rumah Toraja` names no one thing, unless the page says of what kind it is."""
    rest = name.split()[reading.vocabulary.generic_length(name) :]
    return len(rest) < len(name.split()) and is_region(" ".join(rest), reading)


def _candidate(item: Item, reading: Reading) -> tuple[Candidate, dict[ExtractedFact, Kind]] | None:
    category, is_open = _category(item, reading)
    if (category is None and not is_open) or not is_supported(item, category, reading):
        return None
    if not is_name_of_one(item.name, reading) or (category and is_phrase(item.name, category, reading)):
        return None
    if category is None and _is_kind_of_a_region(item.name, reading):
        return None
    item.name = whole_title(item, category, reading)
    evidence = Evidence(reading.text, _language(reading))
    if category is not None:
        read_rows(reading, item.rows, category, evidence)
        _read_sections(item, reading, category, evidence)
        read_linked(item.blocks, reading, category, evidence)
        subject = subject_of(item, category, reading)
        read_sentences(item, subject, reading, category, evidence)
        read_prose(item, subject, reading, category, evidence)
        _read_aliases(item, reading, evidence)
        _read_kind(item, reading, category, evidence)
        _read_material(item, reading, category, evidence)
        read_qualities(item, reading, category, evidence)
    read_origins(item, reading, category, evidence)
    evidence.forget_name(item.name)
    evidence.forget_within({code for code, each in reading.profile.attributes.items() if each.kind is ValueKind.TEXT})
    told_in = wording_for(reading.profile.language) or reading.wording
    evidence.keep(lambda fact: _is_sound(fact, evidence, reading, told_in))
    evidence.keep(lambda fact: fact.attribute != ALIAS or not is_region(fact.value, reading))
    facts = tuple(sorted(evidence.facts.values(), key=lambda fact: (fact.start, fact.end, fact.attribute, fact.value)))
    parked = _parked(category, facts, item, reading)
    if not facts and parked is None:
        return None
    candidate = Candidate(
        name=_cased(item.name),
        aliases=_aliases(item, facts),
        category=category,
        regions=tuple(evidence.regions),
        facts=facts,
        media=reading.page.media,
        engine=ENGINE,
        parked=parked,
    )
    return candidate, {fact: evidence.kind_of(fact) for fact in facts}


def _is_sound(fact: ExtractedFact, evidence: Evidence, reading: Reading, told_in: Wording) -> bool:
    attribute = reading.profile.attributes[fact.attribute]
    whole = attribute.kind is ValueKind.TEXT and evidence.kind_of(fact) is Kind.SECTION
    return is_sound(attribute, fact.value, told_in, whole=whole)


def _words_of(item: Item, reading: Reading) -> str:
    return " ".join(reading.text[block.start : block.end] for block in item.blocks)[:_SCORED_CHARACTERS]


def _language(reading: Reading) -> str:
    """Of the quotes: the page's, unless it was read as another that it is mostly written in."""
    return reading.page.language if wording_for(reading.page.language) else reading.wording.language


def _cased(name: str) -> str:
    """Headings shout, and put what a thing is in brackets; names do not."""
    name = _BRACKETED.sub("", name) or name
    return name.title() if name.isupper() and len(name) > _LONGEST_ACRONYM else name


def _aliases(item: Item, facts: tuple[ExtractedFact, ...]) -> tuple[str, ...]:
    defined = item.definition.aliases if item.definition else ()
    named = [*defined, *(fact.value for fact in facts if fact.attribute == ALIAS)]
    return tuple(dict.fromkeys(name for name in named if name.casefold() != item.name.casefold()))


def _parked(category: str | None, facts: tuple[ExtractedFact, ...], item: Item, reading: Reading) -> str | None:
    """What is open: the category, or everything that was said of the item in a language we cannot put into the library's."""
    if category is None:
        return "category-open"
    foreign = not reading.wording.is_canonical_for(reading.profile.language)
    return "needs-translation" if foreign and not facts and item.definition is not None else None


def _read_sections(item: Item, reading: Reading, category: str, evidence: Evidence) -> None:
    """Sections under a heading that names an attribute."""
    blocks = item.blocks
    heads = [heads_a_part(block, item.name, category, reading) for block in blocks]
    for place, block in enumerate(blocks):
        if not heads[place]:
            continue
        attribute = topic_of(reading.text[block.start : block.end], item.name, category, reading)
        if attribute is None or attribute.kind is ValueKind.PLACE:
            continue
        end = next((at for at in range(place + 1, len(blocks)) if heads[at]), len(blocks))
        read_section(reading, attribute, blocks[place + 1 : end], evidence)
    material = reading.profile.attributes.get(_MATERIAL)
    if material is not None and material.belongs_to(category):
        read_ingredients(reading, blocks, material, evidence)


def _read_kind(item: Item, reading: Reading, category: str, evidence: Evidence) -> None:
    """What the genus itself says of the thing, where its word is of a closed list: `alat musik petik`."""
    _read_kind_of_name(item, reading, category, evidence)
    if item.definition is None:
        return
    sentence, genus = item.definition.sentence, item.definition.genus
    for kind in reading.wording.kinds:
        known = category in kind.categories and kind.attribute in reading.profile.attributes
        if known and kind.word.search(genus):
            at = sentence.text.find(genus.split()[0], item.definition.tail)
            span = (sentence.start + max(at, 0), sentence.start + max(at, 0) + len(genus))
            until = max(found.end() for found in kind.word.finditer(genus))
            if not _is_over(genus[until:], reading) or reading.wording.joint.search(genus[:until]):
                continue
            value = _without_neutral(genus[:until], reading)
            evidence.add(kind.attribute, value, (sentence.start, sentence.end), span, Kind.GENUS)


def _read_kind_of_name(item: Item, reading: Reading, category: str, evidence: Evidence) -> None:
    """What the name itself says of the thing: `Legenda Danau Toba` is a legend; quoted is the first sentence that has it."""
    first = next(iter(item.name.split()), "")
    told = [block for block in item.blocks if block.kind in {"paragraph", "list-item"}]
    for kind in reading.wording.kinds:
        known = category in kind.categories and kind.attribute in reading.profile.attributes
        if (
            not known
            or not kind.of_names
            or not kind.word.fullmatch(first)
            or len(item.name.split()) < _FEWEST_WITH_KIND
        ):
            continue
        if not reading.vocabulary.genus_in(first, first=True) & {category}:
            continue
        for sentence in (each for block in told for each in reading.sentences_of(block)):
            at = sentence.text.casefold().find(item.name.casefold())
            if at >= 0:
                span = (sentence.start + at, sentence.start + at + len(first))
                value = sentence.text[at : at + len(first)].lower()
                evidence.add(kind.attribute, value, (sentence.start, sentence.end), span, Kind.GENUS)
                return


def _is_over(words: str, reading: Reading) -> bool:
    """Whether what follows the words of kind says no more of the kind: a land, a people, `tradisional`."""
    rest = [word for word in words.split() if word.casefold() not in reading.wording.common]
    return not rest or not reading.wording.genus_comes_first or is_region(" ".join(rest), reading)


def _read_material(item: Item, reading: Reading, category: str, evidence: Evidence) -> None:
    """What the genus says a thing is made of: `seruling bambu`, `a wooden drum`."""
    attribute = reading.profile.attributes.get(_MATERIAL)
    canonical = reading.wording.is_canonical_for(reading.profile.language) or reading.profile.language == "ind"
    if item.definition is None or attribute is None or not attribute.belongs_to(category) or not canonical:
        return
    sentence = item.definition.sentence
    for word in folded_words(item.definition.genus):
        if word in reading.wording.materials:
            at = sentence.text.casefold().find(word, item.definition.tail)
            span = (sentence.start + at, sentence.start + at + len(word))
            value = reading.wording.materials[word]
            evidence.add(_MATERIAL, value, (sentence.start, sentence.end), span, Kind.GENUS)


def _without_neutral(genus: str, reading: Reading) -> str:
    """`tari rakyat` of `kesenian tari rakyat`: what is left must still begin with a kind of thing."""
    words = _ONE_OF.split(genus)[-1].split()
    genus = " ".join(words)
    shorter = " ".join(words[1:])
    is_kind = reading.vocabulary.genus_in(shorter, first=reading.wording.genus_comes_first)
    return shorter if len(words) > 1 and words[0].casefold() in reading.wording.neutral and is_kind else genus


def _read_aliases(item: Item, reading: Reading, evidence: Evidence) -> None:
    definition = item.definition
    if definition is None or ALIAS not in reading.profile.attributes:
        return
    sentence = definition.sentence
    for alias in definition.aliases:
        if alias.casefold() == item.name.casefold():
            continue
        at = sentence.text.casefold().find(alias.casefold())
        if at >= 0:
            span = (sentence.start + at, sentence.start + at + len(alias))
            evidence.add(ALIAS, alias, (sentence.start, sentence.end), span, Kind.ALIAS)

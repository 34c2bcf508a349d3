"""What the sentences of an item's text say of it: which of them speak of it, and by what."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile

from lumbung.model.candidate import Block
from lumbung.text.extraction.clauses import About, aside_from
from lumbung.text.extraction.definitions import read_definition
from lumbung.text.extraction.evidence import Evidence, Kind
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.kinds import same_name, without_region
from lumbung.text.extraction.mentions import is_shown_elsewhere, read_mentions
from lumbung.text.extraction.misspellings import misspelt
from lumbung.text.extraction.origins import read_definition_origins
from lumbung.text.extraction.others import (
    calls_another,
    defines_another,
    defines_variant,
    heads_a_variant,
    heads_another,
    is_of_another_entry,
    leaves_for_another,
    opens_with_another,
)
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.relations import opens_with_cue, read_listed, read_relations
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.speech import said_by_somebody
from lumbung.text.extraction.subjects import Subject
from lumbung.text.extraction.titles import clean_title
from lumbung.text.extraction.topics import topic_of

_LONGEST_LINE = 60
_COMPARED = re.compile(r"\b(?:sejenis|semacam|mirip|serupa)\b", re.IGNORECASE)
"""What is like another thing is not from where that is."""
_PART_REACH = 2
"""How many sentences of something else may stand between the item and its parts."""


def read_sentences(item: Item, subject: Subject, reading: Reading, category: str, evidence: Evidence) -> None:
    """Relations of the sentences whose subject is the item, or a part of it right after the item."""
    untitled = item.definition is not None and not same_name(clean_title(item.heading), item.name, reading.vocabulary)
    of_another, of_variant, topic = untitled, False, ""
    plain = About(category, Kind.BESIDES, names=subject.names)
    for place, block in enumerate(item.blocks):
        of_variant = block.kind != "heading" and (of_variant or heads_a_variant(item, place, reading))
        if of_variant:
            continue
        if block.kind == "heading" or _stands_as_heading(block, reading):
            own = reading.text[block.start : block.end].strip() == item.heading.strip()
            of_another = untitled if own else heads_another(block, subject, reading)
            told = topic_of(reading.text[block.start : block.end], item.name, category, reading)
            topic = told.code if told else ""
            continue
        if block.kind not in {"paragraph", "list-item"} or is_of_another_entry(block, subject, category, reading):
            continue
        reach = 0 if of_another else _PART_REACH
        for whole in reading.sentences_of(block):
            defined = item.definition is not None and item.definition.covers(whole)
            sentence = whole if defined else said_by_somebody(whole, reading.wording)
            named = defined or subject.is_named_in(sentence)
            of_another = (of_another and not named) or (
                not defined and _turns_to_another(sentence, item, subject, category, reading, named=named)
            )
            if of_another:
                reach = 0
                continue
            # What leaves its subject out, or has a pronoun for it, speaks of what the sentence before it spoke of.
            held = reach == _PART_REACH
            opened = held and opens_with_cue(sentence, reading, category)
            since = 0 if defined else subject.since(sentence)
            since = None if not held and subject.is_pronoun(sentence) else since
            explained = item.definition.tail if defined and item.definition else 0
            said = _kind(defined=defined, named=named, shown=since is not None)
            aside = _is_aside_of(subject, sentence, reading)
            begin = 0 if opened else since or 0
            about = replace(plain, kind=said, named=named, since=begin, own_aside=aside, explained=explained)
            if since is not None or opened:
                reach = _PART_REACH
                read_relations(sentence, reading, about, evidence)
                _read_further_definition(item, sentence, reading, category, evidence)
            elif subject.is_aspect(sentence) or (
                reach and (subject.is_part(sentence) or subject.is_shown_aspect(sentence))
            ):
                read_relations(sentence, reading, replace(about, kind=Kind.PART, of_part=True), evidence)
            else:
                reach = reach if named else max(0, reach - 1)
                read_relations(
                    sentence, reading, replace(about, kind=Kind.BESIDES, of_item=False, topic=topic), evidence
                )
            if sentence.text.endswith(":"):
                of_item = since is not None or reach > 0
                entries = _entries_after(item.blocks, place)
                read_listed(sentence, entries, reading, replace(about, of_item=of_item), evidence)
            read_mentions(sentence, reading, category, evidence)


def _turns_to_another(
    sentence: Sentence, item: Item, subject: Subject, category: str, reading: Reading, *, named: bool
) -> bool:
    """Whether the sentence speaks of another thing than the item, and so does what follows it."""
    if defines_variant(sentence, item.name, reading) or _is_left(sentence, subject):
        return True
    if named:
        return False
    if (
        defines_another(sentence, item.name, reading)
        or opens_with_another(sentence, category, reading)
        or is_shown_elsewhere(sentence, item, category, reading)
    ):
        return True
    return calls_another(sentence, category, reading) and subject.since(sentence) is None


def _is_left(sentence: Sentence, subject: Subject) -> bool:
    """Whether the sentence goes over to another thing or to one sort of the item."""
    return leaves_for_another(sentence, subject) or subject.is_of_one_sort(sentence)


def _is_aside_of(subject: Subject, sentence: Sentence, reading: Reading) -> bool:
    """Whether words that explain the one before them explain the item: `..., adalah X, sebuah perayaan`."""
    return subject.is_last_in(sentence.text[: aside_from(sentence.text, reading.wording)])


def subject_of(item: Item, category: str, reading: Reading) -> Subject:
    """The item as the subject of sentences, by its name, without its land, and as the page misspells it."""
    slips = misspelt(item.name, item.blocks, reading.text, reading.vocabulary)
    others = {without_region(item.name, reading), *slips}
    return Subject.of(item, category, reading.vocabulary, reading.wording, others)


def _kind(*, defined: bool, named: bool, shown: bool) -> Kind:
    if defined:
        return Kind.DEFINITION
    if named:
        return Kind.NAMED
    return Kind.SHOWN if shown else Kind.UNSAID


def _entries_after(blocks: list[Block], place: int) -> list[Block]:
    """The list that follows a block at once."""
    return list(takewhile(lambda block: block.kind == "list-item", blocks[place + 1 :]))


def _read_further_definition(
    item: Item, sentence: Sentence, reading: Reading, category: str, evidence: Evidence
) -> None:
    """Origins in a later sentence that says once more what the item is: `Tarian ini merupakan tarian suku X`."""
    own = item.definition is not None and item.definition.covers(sentence)
    if own or _COMPARED.search(sentence.text) or not reading.wording.copula.search(sentence.text):
        return
    found = read_definition(sentence, reading.wording, reading.vocabulary, item.name, known_only=True)
    if found is not None and category in found.categories and same_name(found.name, item.name, reading.vocabulary):
        read_definition_origins(found, reading, evidence)


def _stands_as_heading(block: Block, reading: Reading) -> bool:
    """A short line without an end, as `2. Pesta Laut - Jawa Barat` in a paragraph of its own."""
    text = reading.text[block.start : block.end].strip()
    return block.kind == "paragraph" and 0 < len(text) <= _LONGEST_LINE and text[-1] not in ".!?:;,…"

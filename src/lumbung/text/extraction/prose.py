"""Sections of running text below a heading that names an attribute: their first sentences, where no value in them was told apart."""

from __future__ import annotations

import re
from itertools import takewhile

from lumbung.model.candidate import Block
from lumbung.model.profile import Attribute
from lumbung.text.extraction.evidence import Evidence, Kind
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.others import defines_another
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.soundness import states
from lumbung.text.extraction.subjects import Subject
from lumbung.text.extraction.topics import heads_a_part, topic_of
from lumbung.text.extraction.wording import Prose

_SHORTEST, _LONGEST = 25, 400
_MOST_STEPS = 900
_SENTENCES_LOOKED_AT = 2
_CUT_OFF = re.compile(r"\.\.\.|…|:$")


def read_prose(item: Item, subject: Subject, reading: Reading, category: str, evidence: Evidence) -> None:
    """Every section whose heading names an attribute that the language knows how to tell in sentences."""
    blocks = item.blocks
    heads = [heads_a_part(block, item.name, category, reading) for block in blocks]
    for place, block in enumerate(blocks):
        topic = topic_of(reading.text[block.start : block.end], item.name, category, reading) if heads[place] else None
        prose = reading.wording.prose.get(topic.code) if topic else None
        if topic is None or prose is None:
            continue
        end = next((at for at in range(place + 1, len(blocks)) if heads[at]), len(blocks))
        section = list(takewhile(lambda each: each.kind == "paragraph", blocks[place + 1 : end]))
        if section and not evidence.has(topic.code, (section[0].start, blocks[end - 1].end)):
            _read_section(section, item, subject, topic, prose, reading, evidence)


def _read_section(
    section: list[Block],
    item: Item,
    subject: Subject,
    topic: Attribute,
    prose: Prose,
    reading: Reading,
    evidence: Evidence,
) -> None:
    told = [sentence for block in section for sentence in reading.sentences_of(block)]
    for place, sentence in enumerate(told[:_SENTENCES_LOOKED_AT]):
        if not _tells(sentence, item, subject, prose, reading):
            continue
        last = _last_step(told[place:], item, subject, prose, reading) if prose.goes_on else sentence
        span = (sentence.start, last.end)
        value = reading.in_canonical_language(reading.text[slice(*span)].rstrip(" ."), topic.code)
        if value is not None:
            evidence.add(topic.code, value, span, span, Kind.SECTION)
        return


def _last_step(told: list[Sentence], item: Item, subject: Subject, prose: Prose, reading: Reading) -> Sentence:
    """The last of the sentences that go on without a break to tell the same, as the steps of making a thing do."""
    until = told[0].start + _MOST_STEPS
    *_, last = takewhile(lambda each: each.end <= until and _is_plain(each, item, subject, prose, reading), told)
    return last


def _tells(sentence: Sentence, item: Item, subject: Subject, prose: Prose, reading: Reading) -> bool:
    """Whether the sentence says plainly what the heading announces, of this thing and of no other."""
    return prose.needs.search(sentence.text) is not None and _is_plain(sentence, item, subject, prose, reading)


def _is_plain(sentence: Sentence, item: Item, subject: Subject, prose: Prose, reading: Reading) -> bool:
    """Whether it states something, to nobody in particular, that is neither hearsay nor about another thing."""
    text, wording = sentence.text, reading.wording
    if not _SHORTEST <= len(text) <= _LONGEST or _CUT_OFF.search(text) or not states(text, wording):
        return False
    if wording.hearsay.search(text) or prose.refuses.search(text):
        return False
    if item.definition is not None and item.definition.covers(sentence):
        return False
    return subject.since(sentence) is not None or not defines_another(sentence, item.name, reading)

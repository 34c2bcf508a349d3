"""Things that the text below the heading of a kind calls by a name: `Senjata ini disebut kalawai`, and goes on to use it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lumbung.model.candidate import Block
from lumbung.text.extraction.category import folded_words
from lumbung.text.extraction.definitions import Definition
from lumbung.text.extraction.headings import Heading
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.kinds import is_class, is_of_culture, is_region
from lumbung.text.extraction.labels import is_label
from lumbung.text.extraction.namings import read_naming
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.sentences import Sentence

_LONGEST_NAME_WORDS = 4
_FEWEST_USES = 2
_MOST_SENTENCES = 40
_NAME_OVER = re.compile(r"[.,;:()!?]|\s(?:yang|dan|atau|serta|ini|itu|adalah|merupakan)\s")
_AROUND = "\"'“”‘’ "


def items_called(heading: Heading, blocks: list[Block], reading: Reading) -> list[Item]:
    """The things, each with the blocks from where it is named to where the next is; none below the heading of one thing."""
    if not reading.wording.genus_comes_first or not _is_of_a_kind(heading, reading):
        return []
    if not any(block.kind == "paragraph" for block in blocks):
        return []
    uses = " ".join(folded_words(" ".join(reading.text[block.start : block.end] for block in blocks)))
    items: list[Item] = []
    for block in blocks:
        for sentence in reading.sentences_of(block)[:_MOST_SENTENCES] if block.kind == "paragraph" else ():
            for name, definition in _named_in(sentence, uses, reading):
                if all(folded_words(name) != folded_words(item.name) for item in items):
                    items.append(Item(name, name, [], definition))
        if items and block.kind != "heading":
            items[-1].blocks.append(block)
    return [item for item in items if item.blocks]


def _is_of_a_kind(heading: Heading, reading: Reading) -> bool:
    words = folded_words(heading.name)
    if not words or is_label(heading.text, reading.profile):
        return False
    whole_kind = reading.vocabulary.generic_length(heading.name) == len(words)
    return whole_kind or heading.land is not None or is_class(heading.name, reading)


def _named_in(sentence: Sentence, uses: str, reading: Reading) -> Iterator[tuple[str, Definition]]:
    """What the sentence says a kind of thing is called, where the text uses that name again."""
    for cue in reading.wording.checks.called.finditer(sentence.text):
        rest = sentence.text[cue.end() :].strip(_AROUND)
        over = _NAME_OVER.search(rest)
        words = rest[: over.start()].split() if over else rest.split()
        for size in range(min(len(words), _LONGEST_NAME_WORDS), 0, -1):
            name = " ".join(words[:size]).strip(_AROUND)
            used = f" {uses} ".count(f" {' '.join(folded_words(name))} ")
            if used >= _FEWEST_USES and _may_be_called(name, reading):
                found = read_naming(_clause(sentence, cue.start()), name, reading.wording, reading.vocabulary)
                if found is not None and is_of_culture(found, reading):
                    yield found.name, found
                break


def _clause(sentence: Sentence, cue: int) -> Sentence:
    """The clause in which the cue stands: what is cited before it is no kind of thing."""
    start = sentence.text.rfind(", ", 0, cue) + len(", ") if ", " in sentence.text[:cue] else 0
    return Sentence(sentence.text[start:], sentence.start + start)


def _may_be_called(name: str, reading: Reading) -> bool:
    words = folded_words(name)
    wording = reading.wording
    if not words or words[0] in wording.never_first | wording.sections | wording.checks.pointers:
        return False
    if not wording.grammar.isdisjoint(words) or wording.breaks.search(name) or len("".join(words)) < len("abcd"):
        return False
    return not is_class(name, reading) and not is_region(name, reading) and not reading.vocabulary.is_kind(tuple(words))

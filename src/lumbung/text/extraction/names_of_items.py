"""Whether the name of an item may stand: what a page calls it, and that the page speaks of it by that name."""

from __future__ import annotations

import re

from lumbung.text.extraction.category import folded_words
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.kinds import is_region, same_name
from lumbung.text.extraction.reading import Reading
from lumbung.text.stemming import stem

_ABSTRACT = re.compile(r"(?:pe|ke)[a-z]{4,}an")
"""Nouns of doing and being, as `pembuatan` or `keindahan`: what is told of a thing, not the thing."""
_JOINED = re.compile(r"\s(?:dan|serta|and|en|&)\s+(?=[A-Z])")
_WORKS = ("tokoh", "lirik", "isi")
"""Attributes of works, whose titles may join two names."""
_FEWEST_MENTIONS = 2


def is_name_of_one(name: str, reading: Reading) -> bool:
    """No number of things, no place, no event or house, no noun of doing."""
    words = folded_words(name)
    wording = reading.wording
    if not words or words[0] in wording.numbers or words[0].isdigit() or wording.checks.no_item.search(name):
        return False
    if is_region(name, reading, or_people=False) or (not wording.genus_comes_first and wording.breaks.search(name)):
        return False
    doing = _ABSTRACT.fullmatch(words[0]) is not None and wording.language == "ind" and stem(words[0]) != words[0]
    return not doing or reading.vocabulary.generic_length(name) > 0


def is_phrase(name: str, category: str, reading: Reading) -> bool:
    """`Sedekah Bumi dan Sedekah Laut` are two, and `Batik dengan Motif X` is told of; a tale may be called so."""
    if _JOINED.search(name) is None and reading.wording.grammar.isdisjoint(folded_words(name)):
        return False
    attributes = reading.profile.attributes
    return not any(code in attributes and attributes[code].belongs_to(category) for code in _WORKS)


def is_spoken_of(item: Item, reading: Reading) -> bool:
    """Whether a name that stands in no heading, and only in the midst of a sentence, is used once more."""
    if item.rows or item.definition is None or len(item.blocks) <= 1 or reading.vocabulary.generic_length(item.name):
        return True
    own = _spaced(_bare(item.name, reading))
    if any(own in _spaced(folded_words(text)) for text in (item.heading, item.definition.sentence.text[: len(own)])):
        return True
    if _is_called_so(item.name, item.definition.sentence.text, reading):
        return True
    told = _spaced([word for block in item.blocks for word in folded_words(reading.text[block.start : block.end])])
    names = {item.name, item.definition.name, *item.definition.aliases}
    return sum(told.count(name) for name in {_spaced(_bare(name, reading)) for name in names}) >= _FEWEST_MENTIONS


def _is_called_so(name: str, sentence: str, reading: Reading) -> bool:
    """`makanan bernama konro`: the sentence itself says that it is a name."""
    called = (sentence[cue.end() :].casefold() for cue in reading.wording.naming.finditer(sentence))
    return any(words.startswith(name.casefold()) for words in called)


def _bare(name: str, reading: Reading) -> list[str]:
    words = folded_words(name)
    return words[reading.vocabulary.generic_length(name) :] or words


def _spaced(words: list[str]) -> str:
    """Words with a blank on both sides of each, so that neighbours are counted one by one."""
    return "".join(f" {word} " for word in words)


def merged(items: list[Item], reading: Reading) -> list[Item]:
    """Two parts of a page that tell of one thing make one item."""
    kept: list[Item] = []
    for item in items:
        same = next((each for each in kept if same_name(each.name, item.name, reading.vocabulary)), None)
        if same is None or item.rows or same.rows:
            kept.append(item)
            continue
        if same.definition is None:
            same.definition, same.heading = item.definition, item.heading
        same.blocks = sorted([*same.blocks, *item.blocks], key=lambda block: (block.start, block.end))
        same.origins = [*same.origins, *item.origins]
        same.context = same.context or item.context
    return kept

"""Origins in passing: `minuman khas Jawa Barat ini`, `this dish from Padang`."""

from __future__ import annotations

from lumbung.text.extraction.category import folded_words
from lumbung.text.extraction.evidence import Evidence, Kind
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.origins import ORIGIN, add_region
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.region import FoundRegion

_REACH = 80
_WORDS_BETWEEN = 6
_LONGEST_KIND = 3


def read_mentions(sentence: Sentence, reading: Reading, category: str, evidence: Evidence) -> None:
    """Regions inside a phrase that shows the item by its kind, right after a word of origin or another of them."""
    if not reading.wording.genus_comes_first:
        return
    reached = -1
    for region in reading.regions_in(sentence.start, sentence.end):
        joined = reached >= 0 and not reading.text[reached : region.start].strip(" ,")
        if joined or _is_shown_as(region, sentence, reading, category):
            add_region(region, ORIGIN, (sentence.start, sentence.end), Kind.MENTION, reading, evidence)
            reached = region.end


def is_shown_elsewhere(sentence: Sentence, item: Item, category: str, reading: Reading) -> bool:
    """Whether `rumah adat Sulawesi Tengah ini` is of another land than the definition says: then it is another house."""
    if item.definition is None or not reading.wording.genus_comes_first:
        return False
    told = item.definition.sentence
    known = [region.code for region in reading.regions_in(told.start, told.end)]
    shown = [
        region.code
        for region in reading.regions_in(sentence.start, sentence.end)
        if _is_shown_as(region, sentence, reading, category)
    ]
    related = (reading.gazetteer.related(one, other) for one in shown for other in known)
    return bool(known and shown) and not any(related)


def _is_shown_as(region: FoundRegion, sentence: Sentence, reading: Reading, category: str) -> bool:
    text, wording = reading.text, reading.wording
    before = text[max(sentence.start, region.start - _REACH) : region.start]
    after = folded_words(text[region.end : min(sentence.end, region.end + _REACH)])[:_WORDS_BETWEEN]
    # `Siapa yang tidak kenal` is no contrast.
    contrasts = (found[0] for found in wording.contrast.finditer(before))
    beside = _is_kind_beside(before, reading, category)
    if not (beside or wording.mention.search(before)) or not all(map(wording.denial.fullmatch, contrasts)):
        return False
    shown = next((place for place, word in enumerate(after) if word in wording.demonstratives), None)
    if shown is None or any(word in wording.grammar - {"satu", "yang"} for word in after[:shown]):
        return False
    words = folded_words(before)[-_WORDS_BETWEEN:]
    return any(_is_kind(words[place:], reading, category) for place in range(len(words)))


def _is_kind_beside(before: str, reading: Reading, category: str) -> bool:
    """`Motif batik Jambi ini`: the words right before the land are of the item's kind."""
    words = folded_words(before)[-_LONGEST_KIND:]
    sizes = range(1, len(words) + 1)
    return before.endswith(" ") and any(
        reading.vocabulary.is_kind(tuple(words[-size:]))
        and category in reading.vocabulary.genus_in(" ".join(words[-size:]), first=True)
        for size in sizes
    )


def _is_kind(words: list[str], reading: Reading, category: str) -> bool:
    return category in reading.vocabulary.genus_in(" ".join(words), first=True)

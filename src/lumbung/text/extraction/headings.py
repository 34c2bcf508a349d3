"""What a heading says: a name, what the thing is, and the region it puts beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from lumbung.model.candidate import Block, PageText
from lumbung.text.extraction.calling import name_in
from lumbung.text.extraction.category import folded_words
from lumbung.text.extraction.definitions import Definition
from lumbung.text.extraction.kinds import is_class
from lumbung.text.extraction.namings import read_apposed
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.titles import (
    clean_title,
    is_headline,
    is_listing,
    title_end,
    title_lead,
    without_listing_words,
)
from lumbung.text.extraction.values import Span

_BESIDE = re.compile(
    r"\s+(?:dari|asal|khas|di|from|in|uit)\s+(?:(?:provinsi|daerah|suku|masyarakat|the)\s+)?|\s*[–—|,:]\s+|\s?-\s?(?=\w{3})|\s*\(",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\s*[:|–—»]\s+|\s-\s")
_PARTED = re.compile(r"\s*[:–—]\s+|\s-\s|\s*\(")
_TOPICS = re.compile(
    r"\s*[:,–—|-]\s+(?=(?:sejarah|asal|ciri|makna|fungsi|gerak|pengertian|keunikan|filosofi|cara|bahan|resep|properti|jenis|history)\b)",
    re.IGNORECASE,
)
"""Where a title goes on with what the text tells of the thing."""
_DASH = re.compile(r"\s*[–—]\s+|\s-\s")
_ROOM = " \t)."
_GOES_ON = re.compile(
    r"[,:;|(–—-]|(?:yang|lengkap|beserta|dan|paling|terpopuler|terkenal|terbaik|that|which|to|you)\b", re.IGNORECASE
)
"""What a title says besides, behind the land of its list."""
_DESCRIBED = re.compile(r"([^()]{3,60}\b)\s*\(([^()]{3,30})\)")
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    name: str = ""
    origins: tuple[Span, ...] = ()
    """Where it names the region of the thing, as in `Saluang – Sumatera Barat`."""
    land: Span | None = None
    """Where it names a region alone, or with a kind of thing: what stands below is from there."""
    definition: Definition | None = None
    kinds: frozenset[str] = frozenset()
    """Categories that the rest of a title names."""


def read_heading(span: Span, reading: Reading) -> Heading:
    text = reading.text[span[0] : span[1]]
    found = read_apposed(Sentence(text, span[0]), reading.wording, reading.vocabulary)
    name, origins = _beside(span, reading)
    if not name:
        name, origins = _after_region(span, reading)
    name = name or _after_kind(text, reading)
    name = name_in(reading.wording.determiner.sub("", name or clean_title(text)), reading.wording, reading.vocabulary)
    return Heading(text, name, origins, _land(span, reading), found)


def _beside(span: Span, reading: Reading) -> tuple[str, tuple[Span, ...]]:
    """The name before a region that ends the heading; empty without one."""
    text = reading.text[span[0] : span[1]]
    start, whole = title_lead(text), len(text[: title_end(text)].rstrip(_ROOM))
    topics = _TOPICS.search(text, start + 1, whole)
    for end in (whole, topics.start()) if topics else (whole,):
        for mark in _BESIDE.finditer(text, start + 1, end):
            if mark[0] == "-" and " " not in text[start : mark.start()].strip():
                # `Jali-Jali` is one word.
                continue
            if reading.is_places(span[0] + mark.end(), span[0] + end):
                return clean_title(text[start : mark.start()]), ((span[0] + mark.end(), span[0] + end),)
    return "", ()


def _after_kind(text: str, reading: Reading) -> str:
    """The name after a kind and a dash, as in `1. Alat Musik Tiup – Suling`; empty without such."""
    bare = text[title_lead(text) :]
    mark = _DASH.search(bare)
    if mark is None or not is_class(bare[: mark.start()], reading):
        return ""
    rest = bare[mark.end() :].strip(_ROOM)
    return clean_title(rest) if rest[:1].isupper() and not is_class(rest, reading) else ""


def _after_region(span: Span, reading: Reading) -> tuple[str, tuple[Span, ...]]:
    """The name after a region, as in `Papua Tengah (Koteka)`, `Bali: Tari Kecak` or `Cerita Rakyat Bali: Kebo Iwa`."""
    text = reading.text[span[0] : span[1]]
    start = title_lead(text)
    mark = _PARTED.search(text, start)
    if mark is None:
        return "", ()
    kind = _kind_end(text, start, reading)
    at = (span[0] + kind, span[0] + mark.start())
    if not reading.is_places(*at):
        return "", ()
    rest = text[mark.end() :].rstrip(_ROOM)
    rest = rest.partition(")")[0] if mark[0].endswith("(") else rest
    if mark[0].endswith("(") and _tells(rest, reading):
        return "", ()
    # Where a kind was said, the name may be that of a place: a lake has its legend.
    name = clean_title(rest)
    return (rest if kind > start and reading.is_places(*_found(name, rest, span[0] + mark.end())) else name), (at,)


def _tells(words: str, reading: Reading) -> bool:
    """Whether words in brackets say something of what stands before them: `Danau Toba (dihuni naga)`."""
    return not reading.wording.grammar.isdisjoint(folded_words(words)) or is_headline(f"- {words}", reading.wording)


def _found(name: str, rest: str, start: int) -> Span:
    return start + rest.find(name), start + rest.find(name) + len(name)


def _kind_end(text: str, start: int, reading: Reading) -> int:
    """Where the words of kind end with which the text begins there."""
    words = list(_WORD.finditer(text, start))
    size = reading.vocabulary.generic_length(text[start:])
    return words[size].start() if 0 < size < len(words) else start


def _land(span: Span, reading: Reading) -> Span | None:
    """The region of a heading such as `Provinsi Aceh`, `Tari daerah Bali` or `5 Tarian Bali, Ada yang Sakral`."""
    text = reading.text[span[0] : span[1]]
    regions = reading.regions_in(*span)
    if len(regions) != 1:
        return None
    told = text[title_lead(text) : regions[0].start - span[0]]
    before = folded_words(told)
    rest = before[reading.vocabulary.generic_length(" ".join(before)) :]
    after = text[regions[0].end - span[0] :].strip(_ROOM + ":")
    plain = all(word in reading.wording.common or word in {"provinsi", "propinsi"} for word in rest)
    listed = (
        is_listing(text) and _is_kind_of_several(told, reading) and (not after or _GOES_ON.match(after) is not None)
    )
    return (regions[0].start, regions[0].end) if (not after and plain) or listed else None


def _is_kind_of_several(told: str, reading: Reading) -> bool:
    """Whether words before a land are those of a list and of the kind of its members: `8 Makanan Khas`."""
    words, kinds = folded_words(without_listing_words(told)), 0
    while words:
        size = reading.vocabulary.generic_length(" ".join(words)) or int(reading.vocabulary.is_kind((words[0],)))
        if not size and words[0] not in reading.wording.common:
            return False
        kinds += size
        words = words[size or 1 :]
    return kinds > 0


def _local_name(page: PageText, reading: Reading) -> str:
    """The name in brackets of a title such as `Ceremonial hanging (palepai)`, where it is this that the text goes on to use."""
    found = _DESCRIBED.match(page.title) if not reading.wording.genus_comes_first else None
    if found is None or found[1] != found[1].capitalize() or not found[2].replace(" ", "").replace("-", "").isalpha():
        return ""
    text = page.text.casefold()
    own, told = text.count(found[2].casefold()), text.count(found[1].strip().casefold())
    return found[2][:1].upper() + found[2][1:] if own > told else ""


def _is_of_a_province(name: str, reading: Reading) -> bool:
    """`Dongeng Jawa Timur`: a whole province has many of them."""
    size = reading.vocabulary.generic_length(name)
    rest = " ".join(name.split()[size:])
    found = reading.gazetteer.find(rest) if size and rest else []
    return any(each.level == "province" and each.end - each.start == len(rest) for each in found)


def _is_only(heading: Block | None, page: PageText) -> bool:
    """Whether no other heading stands as high."""
    levels = [block.level for block in page.blocks if block.kind == "heading"]
    return heading is not None and min(levels) == heading.level and levels.count(heading.level) == 1


def _kinds_apposed(title: str, name: str, reading: Reading) -> frozenset[str]:
    """What a title that the page does not show says its name is: `Batimung, tradisi perawatan tubuh`."""
    found = read_apposed(Sentence(title, 0), reading.wording, reading.vocabulary)
    same = found is not None and folded_words(found.name) == folded_words(name)
    return found.categories if found is not None and same and not found.is_other else frozenset()


def title_of(page: PageText, reading: Reading) -> Heading:
    """The page's title; where a heading repeats one of its later parts, that is the name and the rest its surroundings."""
    first = next((block for block in page.blocks if block.kind == "heading"), None)
    shown = read_heading((first.start, first.end), reading) if first else Heading("")
    name = _local_name(page, reading) or clean_title(page.title)
    repeated = bool(shown.name) and shown.text.strip() == page.title.strip()
    if repeated and shown.origins and (is_class(name, reading) or _is_of_a_province(name, reading)):
        return replace(shown, definition=None, kinds=reading.vocabulary.head_of(name))
    if is_class(name, reading) and shown.name and _is_only(first, page) and not is_class(shown.name, reading):
        return replace(shown, kinds=reading.vocabulary.head_of(name))
    if repeated and shown.origins and name.casefold().startswith(shown.name.casefold()):
        name = shown.name
    parts = [part.strip().casefold() for part in _PARTS.split(page.title)]
    if shown.name and shown.text.strip().casefold() in parts[1:]:
        return Heading(
            page.title, shown.name, shown.origins, None, shown.definition, reading.vocabulary.kind_in(parts[0])
        )
    same = bool(shown.name) and folded_words(shown.name) == folded_words(name)
    of_title = shown.definition is not None and folded_words(shown.definition.name) == folded_words(name)
    kinds = frozenset() if of_title else _kinds_apposed(page.title, name, reading)
    return Heading(page.title, name, shown.origins if same else (), None, shown.definition if of_title else None, kinds)

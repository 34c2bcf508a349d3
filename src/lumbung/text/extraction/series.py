"""Things that a page puts side by side: sections, rows and paragraphs of one form, each with a name and what is told of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple

from lumbung.model.candidate import Block
from lumbung.text.extraction.category import folded_words
from lumbung.text.extraction.definitions import Definition, defined
from lumbung.text.extraction.glossary import is_term
from lumbung.text.extraction.headings import Heading, read_heading
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.kinds import is_region, same_name
from lumbung.text.extraction.listings import naming_in
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.sections import NOT_A_NAME, definitions_in, is_bare_kind, is_misspelt
from lumbung.text.extraction.titles import is_headline
from lumbung.text.extraction.values import Span

_LED = re.compile(r"[^\w\n]{0,6}(?:\d{1,3}[.)]\s*)?([^\W\d_][^:–—\n.]{2,50}?)(?::\s+|\s+[–—-]\s+)(?=\S)")
_TOLD = frozenset({"paragraph", "list-item"})
_FEWEST = 3
_MOST = 120
"""A longer row of things is an index, and reading it all would cost more than it tells."""
_FEWEST_TOLD = 2
_SHARE_NAMED = 0.6
_SHARE_OF_KIND = 0.75
_SHARE_TOLD = 0.3
_SENTENCES_READ = 2
_BLOCKS_READ = 3
_SHOWN_WITHIN = 14
_SHORTEST_TOLD = 30
_LONGEST_NAME = 60


@dataclass(slots=True)
class Entry:
    heading: Heading
    start: int
    blocks: list[Block]
    """What is told of it."""
    definition: Definition | None = None
    kinds: frozenset[str] = frozenset()
    """Categories of the word by which its own text calls it."""
    origins: list[Span] = field(default_factory=list)
    """Regions beside its name, and lines of its own that name a region and nothing else."""
    is_led: bool = False
    """Whether the name stands on the line of what is told, before a mark, or in the cell before it."""


class Part(NamedTuple):
    """What may be an entry, before anything of it is read: most rows of a page are too short or too long to be read."""

    name: Span
    start: int
    blocks: list[Block]
    is_led: bool = False


def series_of(reading: Reading, kinds: frozenset[str]) -> list[list[Entry]]:
    """The rows of things of the page, without what is no name; `kinds` is what its title says they are."""
    found: list[list[Entry]] = []
    for run in (*_sections(reading), *_records(reading), *_paragraphs(reading)):
        if not _FEWEST <= len(run) <= _MOST:
            continue
        entries = (_entry(part, reading) for part in run)
        named = [_told(entry, reading) for entry in entries if _is_name(entry, reading)]
        if len(named) >= max(_FEWEST_TOLD, _SHARE_NAMED * len(run)) and (kept := _of_one_kind(named, kinds)):
            found.append(kept)
    return found


def item_of(entry: Entry) -> Item:
    heading = entry.heading
    return Item(heading.name, heading.text, entry.blocks, entry.definition, context=entry.kinds, origins=entry.origins)


def _of_one_kind(entries: list[Entry], kinds: frozenset[str]) -> list[Entry]:
    """Those of which a kind is known: by their own words, or by those of most others, or by the title's."""
    told = [entry for entry in entries if entry.kinds]
    if len(told) < _FEWEST_TOLD:
        return []
    votes = Counter(kind for entry in told for kind in entry.kinds)
    most, count = max(votes.items(), key=lambda each: (each[1], each[0]))
    shared = frozenset({most}) if count >= _SHARE_OF_KIND * len(told) else frozenset()
    if kinds:
        shared &= kinds
    if len(told) < _SHARE_TOLD * len(entries):
        shared = frozenset()
    return [entry if entry.kinds else replace(entry, kinds=shared) for entry in entries if entry.kinds or shared]


def _sections(reading: Reading) -> Iterator[list[Part]]:
    """Headings of one level below the same heading, each with all that stands below it."""
    blocks = reading.blocks
    headings = [place for place, block in enumerate(blocks) if block.kind == "heading"]
    for level in sorted({blocks[place].level for place in headings}):
        run: list[Part] = []
        for place in headings:
            block = blocks[place]
            if block.level < level:
                yield run
                run = []
            elif block.level == level:
                end = next((at for at in headings if at > place and blocks[at].level <= level), len(blocks))
                below = [each for each in blocks[place + 1 : end] if each.kind != "data"]
                run.append(Part((block.start, block.end), block.start, [block, *below]))
        yield run


def _records(reading: Reading) -> Iterator[list[Part]]:
    """Rows of a table without headers, the first cell of each its name."""
    rows = [block for block in reading.blocks if block.kind == "row" and block.level and not block.label]
    run: list[Part] = []
    for _, cells in groupby(rows, key=lambda cell: cell.level):
        first, *rest = cells
        told = [Block("paragraph", cell.start, cell.end) for cell in rest]
        run.append(Part((first.start, first.end), first.start, told, is_led=True))
    yield run


def _paragraphs(reading: Reading) -> Iterator[list[Part]]:
    """Paragraphs or entries in a row that each begin with a name and a mark: `Sate Rembiga — daging cincang`."""
    run: list[Part] = []
    for block in reading.blocks:
        led = _LED.match(reading.text, block.start, block.end) if block.kind in _TOLD else None
        if led is None:
            yield run
            run = []
            continue
        told = [Block("paragraph", led.end(), block.end)]
        run.append(Part(led.span(1), block.start, told, is_led=True))
    yield run


def _entry(part: Part, reading: Reading) -> Entry:
    """With the lines that name a region and nothing else put beside its name."""
    heading = read_heading(part.name, reading)
    placed = [each for each in part.blocks if each.kind in _TOLD and reading.is_places(each.start, each.end)]
    told = [each for each in part.blocks if each not in placed]
    origins = [*heading.origins, *((each.start, each.end) for each in placed)]
    return Entry(heading, part.start, told, origins=origins, is_led=part.is_led)


def _is_name(entry: Entry, reading: Reading) -> bool:
    """Whether the words at its head can be the name of a thing, and something is told of it."""
    name, text = entry.heading.name, entry.heading.text
    if not name[:1].isupper() or len(name) > _LONGEST_NAME or NOT_A_NAME.search(text) or is_region(name, reading):
        return False
    if not is_term(name, reading) or is_headline(f"- {name}", reading.wording):
        return False
    return sum(block.end - block.start for block in entry.blocks if block.kind != "heading") >= _SHORTEST_TOLD


def _told(entry: Entry, reading: Reading) -> Entry:
    """With what its own text says it is."""
    name = entry.heading.name
    found = entry.heading.definition or _definition_of(name, entry, reading)
    if found is not None and found.categories and not found.is_other:
        return replace(entry, definition=found, kinds=found.categories)
    own = reading.vocabulary.head_of(name) if reading.vocabulary.generic_length(name) else frozenset()
    return replace(entry, kinds=own or _shown_kind(entry, reading))


def _definition_of(name: str, entry: Entry, reading: Reading) -> Definition | None:
    """Of what its first sentences define, or name, or say without naming it."""
    for block in _opening(entry):
        for found in definitions_in([block], reading, _SENTENCES_READ, name):
            if same_name(found.name, name, reading.vocabulary) or is_misspelt(name, found.name, reading.vocabulary):
                return found
        if naming := naming_in([block], name, reading):
            return naming
    first = next(iter(_opening(entry)), None)
    sentence = next(iter(reading.sentences_of(first)), None) if first else None
    if sentence is None or reading.wording.hearsay.search(sentence.text):
        return None
    if reading.wording.genus_comes_first:
        bare = is_bare_kind(sentence, name, reading)
    else:
        bare = entry.is_led and reading.wording.copula.search(sentence.text) is None
    return defined(sentence, (name,), (0, len(sentence.text)), reading.wording, reading.vocabulary) if bare else None


def _shown_kind(entry: Entry, reading: Reading) -> frozenset[str]:
    """The kind that its first sentences point at: `Kue ini terbuat dari`."""
    for sentence in (each for block in _opening(entry) for each in reading.sentences_of(block)[:_SENTENCES_READ]):
        words = folded_words(sentence.text)[:_SHOWN_WITHIN]
        for shown, word in enumerate(words):
            if word not in reading.wording.demonstratives:
                continue
            starts = range(max(0, shown - reading.vocabulary.longest), shown)
            kinds = (reading.vocabulary.genus_in(" ".join(words[start:shown]), first=True) for start in starts)
            if kind := next((each for each in kinds if each), None):
                return kind
    return frozenset()


def _opening(entry: Entry) -> list[Block]:
    """The first paragraphs of what is told; before the one that says what it is its words or its lines may stand."""
    return [block for block in entry.blocks if block.kind in _TOLD][:_BLOCKS_READ]

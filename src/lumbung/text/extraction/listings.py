"""The members of a list: paragraphs and entries that each open with a name, and rows of a table."""

from __future__ import annotations

import re
from dataclasses import replace

from lumbung.model.candidate import Block
from lumbung.text.extraction.category import folded_words
from lumbung.text.extraction.definitions import Definition, names_in, read_definition
from lumbung.text.extraction.glossary import led_name
from lumbung.text.extraction.headings import read_heading
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.kinds import is_class, is_of_culture, is_region, same_name
from lumbung.text.extraction.labels import is_label
from lumbung.text.extraction.namings import read_apposed_to, read_introduced, read_naming
from lumbung.text.extraction.passing import names_another
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.rows import record_values
from lumbung.text.extraction.titles import is_numbered, without_listing_words

_NAME_COLUMNS = frozenset(
    {
        *("nama", "nama karya", "nama karya budaya", "nama koleksi", "nama objek", "nama benda", "nama warisan budaya"),
        *("nama mata budaya", "nama budaya", "karya", "karya budaya", "objek", "judul", "judul naskah", "judul lagu"),
        *("name", "object name", "name of object", "item name", "naam", "objectnaam", "naam object", "naam voorwerp"),
    }
)
_NAME_WORD = re.compile(r"^(?:nama|name of|name|naam van|naam)\s+")
_SITE = re.compile(r"\w\.(?:com|id|net|co|org)\b", re.IGNORECASE)
_LONGEST_NAME_WORDS = 5
_PEOPLE = re.compile(r"^(?:suku|masyarakat|orang|etnis|daerah|khas)\s+", re.IGNORECASE)
_LONGEST_LINE = 60
_NUMBERING_REACH = 12
_SENTENCES_NAMING = 6
_REGION_REACH = 120
"""How far after a definition the region may stand that makes it one of culture."""


def items_listed(main: Item, context: frozenset[str], reading: Reading) -> list[Item]:
    """What a page that describes no thing of its own lists; `context` is what its title says the members are."""
    return [*_by_blocks(main, context, reading), *_by_records(main, reading)]


def items_answered(main: Item, reading: Reading) -> list[Item]:
    """What the values of rows define, whatever their labels ask: `What is X?`, and `X is a dance of Y`."""
    rows = (block for block in main.blocks if block.kind == "row" and block.label and block.level == 0)
    return [item for block in rows if (item := _defined(block, reading)) is not None]


def _by_blocks(main: Item, context: frozenset[str], reading: Reading) -> list[Item]:
    """Paragraphs and list items that each open with a definition, or in a list of a known kind with a name."""
    items: list[Item] = []
    for block in main.blocks:
        if block.kind in {"paragraph", "list-item"}:
            found = _defined(block, reading) or _come_from(block, reading) or introduced_in([block], reading)
            found = found or _led(block, reading) or (_named(block, context, reading) if context else None)
            if found is not None:
                items.append(found)
                continue
        if _begins_another(block, items, reading):
            # What follows is of something else, whether we can name that or not.
            items.append(Item("", ""))
        elif items:
            items[-1].blocks.append(block)
    return [item for item in items if item.name]


def _begins_another(block: Block, items: list[Item], reading: Reading) -> bool:
    """A heading, a number, the next entry after one that was an item, or words that tell of another by name."""
    if block.kind == "heading" or is_numbered(reading.text[block.start : block.start + _NUMBERING_REACH]):
        return True
    held = items[-1].blocks if items else []
    if items and items[-1].name and names_another(block, items[-1].name, reading):
        return True
    return block.kind == "list-item" and bool(held) and held[0].kind == "list-item"


def _defined(block: Block, reading: Reading) -> Item | None:
    definition = _opening_definition(block, reading)
    if definition is None or definition.is_other or is_class(definition.name, reading):
        return None
    nearby = reading.regions_in(block.start, min(block.end, definition.sentence.end + _REGION_REACH))
    if not is_of_culture(definition, reading) and not nearby and not _is_member(definition, reading):
        return None
    return Item(definition.name, "", [block], definition)


def _is_member(definition: Definition, reading: Reading) -> bool:
    """Whether the title announces things of this kind as a tradition: `Permainan tradisional Indonesia`."""
    title = reading.page.title
    announced = reading.wording.culture.search(title) is not None or reading.vocabulary.names_the_land(title)
    return announced and not definition.categories.isdisjoint(reading.vocabulary.kind_in(title))


def _come_from(block: Block, reading: Reading) -> Item | None:
    """An entry that opens with a kind, a name and where that comes from: `Tari Gambyong berasal dari Surakarta`."""
    first = next(iter(reading.sentences_of(block)), None)
    found = reading.wording.comes_from.search(first.text, 0, _LONGEST_LINE) if first else None
    if first is None or found is None or reading.wording.hearsay.search(first.text):
        return None
    name, _ = names_in(first.text[: found.start()], reading.wording, reading.vocabulary)
    words = folded_words(name)
    kind = reading.vocabulary.head_of(name)
    placed = reading.regions_in(first.start + found.end(), first.end)
    if not kind or not placed or not 1 < len(words) <= _LONGEST_NAME_WORDS or is_class(name, reading):
        return None
    return Item(name, name, [block]) if reading.wording.grammar.isdisjoint(words) else None


def introduced_in(blocks: list[Block], reading: Reading) -> Item | None:
    """What the first sentence says a kind of thing is called, where that kind is a class or one of several."""
    first = next((block for block in blocks if block.kind in {"paragraph", "list-item"}), None)
    opening = reading.sentences_of(first)[:1] if first else []
    told = read_introduced(opening[0], reading.wording, reading.vocabulary) if opening else None
    if told is None or (told[1] and not is_class(told[1], reading)):
        return None
    name = told[0].name
    if is_class(name, reading) or is_region(name, reading) or reading.wording.neutral & {folded_words(name)[0]}:
        return None
    return Item(name, name, blocks if len(blocks) == 1 else [], told[0])


def _led(block: Block, reading: Reading) -> Item | None:
    """An entry whose first sentence is a kind and a name and no more, which the second takes up: `Motif X. Motif ini ...`."""
    name = led_name(block, reading)
    rest = name.split(maxsplit=reading.vocabulary.generic_length(name))[-1] if name else ""
    if not name or is_class(name, reading) or is_region(_PEOPLE.sub("", rest), reading):
        return None
    return Item(name, name, [block], context=reading.vocabulary.head_of(name))


def _named(block: Block, context: frozenset[str], reading: Reading) -> Item | None:
    """An entry whose first line is a name, that goes on after it as in `X dari Y, masakan daging`, or is no more than `X (Y)`."""
    first = next(iter(reading.sentences_of(block)), None)
    if first is None:
        return None
    alone = len(first.text) <= _LONGEST_LINE and first.text[-1] not in ".!?,;"
    comma = first.text.find(", ")
    if not alone and not 0 < comma <= _LONGEST_LINE:
        return None
    span = (first.start, first.end if alone else first.start + comma)
    heading = read_heading(span, reading)
    name = heading.name.rstrip(":")
    words = folded_words(name)
    if not 0 < len(words) <= _LONGEST_NAME_WORDS or not name[:1].isupper() or is_label(name, reading.profile):
        return None
    if words[0] in reading.wording.sections | reading.wording.never_first or is_class(name, reading):
        return None
    if not reading.wording.grammar.isdisjoint(words) or is_region(name, reading, or_people=False):
        return None
    if _SITE.search(name):
        return None
    if not heading.origins and (not alone or first.end == block.end):
        # Without more words, and without a land, it may be anything.
        return None
    definition = naming_in([block], name, reading)
    return Item(name, heading.text, [block], definition, context=context, origins=list(heading.origins))


def naming_in(blocks: list[Block], name: str, reading: Reading) -> Definition | None:
    """The first sentence that calls a thing of a known kind by this name."""
    if is_class(name, reading):
        return None
    read = 0
    for block in blocks:
        if block.kind in {"paragraph", "list-item"}:
            for sentence in reading.sentences_of(block):
                for read_named in (read_naming, read_apposed_to):
                    if found := read_named(sentence, name, reading.wording, reading.vocabulary):
                        return found
                read += 1
                if read >= _SENTENCES_NAMING:
                    return None
    return None


def _opening_definition(block: Block, reading: Reading) -> Definition | None:
    """The definition a block opens with; the name may stand before it alone, as a heading set in bold."""
    for place, sentence in enumerate(reading.sentences_of(block)[:2]):
        definition = read_definition(sentence, reading.wording, reading.vocabulary, known_only=True)
        if definition is not None:
            alone = reading.sentences_of(block)[0].text.rstrip(".:") if place else definition.name
            return definition if same_name(alone, definition.name, reading.vocabulary) else None
    return None


def _by_records(main: Item, reading: Reading) -> list[Item]:
    """Rows of a table with a column of names; what kind of thing they are, the title or the name's own head says."""
    records: dict[int, list[Block]] = {}
    for block in main.blocks:
        if block.kind == "row" and block.level:
            records.setdefault(block.level, []).append(block)
    items = []
    for cells in _headed(list(records.values()), reading):
        name = next((cell for cell in cells if is_name_column(cell.label, reading)), None)
        if name is not None and len(cells) > 1:
            words = reading.text[name.start : name.end]
            rest = [cell for cell in cells if cell is not name]
            kind = reading.vocabulary.head_of(_NAME_WORD.sub("", name.label.casefold().strip()))
            heading = without_listing_words(main.heading)
            items.append(Item(words, heading, [], None, record_values([name, *rest]), context=kind))
    return items


def _headed(records: list[list[Block]], reading: Reading) -> list[list[Block]]:
    """The records; of a table without headers, those below a first row that has the words of headers."""
    if len(records) < 2 or any(cell.label for cells in records for cell in cells):
        return records
    labels = [_as_label(reading.text[cell.start : cell.end], reading) for cell in records[0]]
    named = any(is_name_column(label, reading) for label in labels)
    if not named or not any(is_label(label, reading.profile) for label in labels):
        return records
    return [
        [replace(cell, label=label) for cell, label in zip(cells, labels, strict=False)]
        for cells in records[1:]
        if len(cells) == len(labels)
    ]


def _as_label(header: str, reading: Reading) -> str:
    """The words of a header that are a label: `Fungsi` of `Fungsi Sosial/Budaya`."""
    words = header.split()
    shorter = (" ".join(words[:size]) for size in range(len(words), 0, -1))
    return next((each for each in shorter if is_label(each, reading.profile)), header)


def is_name_column(label: str, reading: Reading) -> bool:
    folded = label.casefold().strip()
    return folded in _NAME_COLUMNS or bool(reading.vocabulary.head_of(_NAME_WORD.sub("", folded)))

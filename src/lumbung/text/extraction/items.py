"""Finds the items a page speaks of: the one in its title, and those under headings that define their own."""

from __future__ import annotations

import re

from lumbung.text.extraction.called import items_called
from lumbung.text.extraction.category import folded_words
from lumbung.text.extraction.definitions import Definition, defined
from lumbung.text.extraction.evidence import Kind
from lumbung.text.extraction.glossary import items_explained
from lumbung.text.extraction.headings import Heading, read_heading, title_of
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.kinds import is_class, is_region, same_name
from lumbung.text.extraction.labels import is_label
from lumbung.text.extraction.listings import is_name_column, items_answered, items_listed, naming_in
from lumbung.text.extraction.names_of_items import agreed_name, merged
from lumbung.text.extraction.namings import read_apposed
from lumbung.text.extraction.passing import items_in_passing
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.rows import labelled_values, lists_ingredients
from lumbung.text.extraction.sections import (
    LONGEST_TITLE_WORDS,
    NOT_A_NAME,
    PLAIN_NAME_ROWS,
    Section,
    definitions_in,
    fuller_name,
    own_item,
)
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.series import Entry, item_of, series_of
from lumbung.text.extraction.titles import clean_title, is_headline, is_listing, is_numbered, without_listing_words
from lumbung.text.extraction.values import Span
from lumbung.text.names import name_key

_KIND_ROWS = frozenset(
    {"domain", "domain budaya", "kategori", "jenis", "jenis karya", "jenis karya budaya"}
) | frozenset({"elemen budaya", "unsur budaya", "category", "categorie"})
_SHOP_ROWS = frozenset({"harga", "price", "prijs", "stok", "stock", "sku", "berat kirim"})
_ENTRY_MARKS = 4
_LONGEST_OFFER = 500
_LONGEST_SUBTITLE = 70
_NUMBERED_HEADINGS = 3
_SENTENCES_SEARCHED = 40
_OPENING_DEFINITIONS = 2
_SEVERAL = re.compile(r"\b(\w{3,})-\1(an)?\b", re.IGNORECASE)
"""`Kue-kue` and `tari-tarian`, as titles of lists put it."""
_PRICE = re.compile(r"\b(?:Rp|IDR|RM)\.? ?\d", re.IGNORECASE)
_ORDER = re.compile(r"\b(?:stok|pesan sekarang|pesan via|order|beli|ongkir|keranjang|checkout)\b", re.IGNORECASE)


def items_of(reading: Reading) -> list[Item]:
    """Items in page order; the page's own comes first."""
    main, items = _by_headings(reading)
    items = [item for item in items if not is_class(item.name, reading)]
    side_by_side = [entry for run in series_of(reading, _listed_kind(reading.page.title, reading)) for entry in run]
    if _is_one_of(side_by_side, reading):
        # The page has no thing of its own; its first heading stood for a title.
        main = Item("", "", main.blocks)
    else:
        main.definition = _main_definition(main, reading)
    if main.definition is None and (row_name := _named_by_row(main, reading)):
        main.name = main.heading = row_name
        main.definition = _main_definition(main, reading)
        return _with_rows([main, *items], reading)
    if main.definition is None and len(items) == 1 and _stands_in(items[0].name, main.heading, reading):
        # Questions and answers about one thing, each under a heading of its own.
        blocks = [*main.blocks, *items[0].blocks]
        items[0].blocks = sorted(blocks, key=lambda block: (block.start, block.end))
        return _with_rows(items, reading)
    if main.definition is not None:
        main.name = fuller_name(main.name, main.definition, reading)
        items = [*items, *_kinds_of_it(main, reading)] if not is_class(main.name, reading) else items
    if main.definition is None or is_class(main.name, reading) or _is_of_no_kind(main, reading):
        items = _with_series(main, items, side_by_side, reading)
        listed = items_listed(main, _listed_kind(reading.page.title, reading), reading)
        explained = items_explained(main.blocks, reading.vocabulary.kind_in(reading.page.title), reading)
        # What a list explains tells less of each thing than sentences that define it.
        listed = explained if len(explained) >= 2 * len(listed) else listed
        listed = listed or items_answered(main, reading)
        if is_listing(reading.page.title) or _is_of_no_kind(main, reading) or not _may_be_item(main, reading):
            held = sorted(block.start for each in listed for block in each.blocks)
            listed.extend(items_in_passing(main.blocks, held, reading))
        for each in listed:
            each.inherited = each.inherited or _lands_of_title(reading)
        if items or listed or is_listing(reading.page.title):
            return _with_rows([*items, *listed], reading)
    return _with_rows([*([main] if _may_be_item(main, reading) else []), *items], reading)


def _is_one_of(entries: list[Entry], reading: Reading) -> bool:
    """Whether the page has no title but the heading of the first of several things."""
    first = next((block for block in reading.blocks if block.kind == "heading"), None)
    titled = first is not None and reading.text[first.start : first.end].strip() == reading.page.title.strip()
    return titled and any(first and entry.start == first.start for entry in entries)


def _with_series(main: Item, items: list[Item], entries: list[Entry], reading: Reading) -> list[Item]:
    """The items, and those that stand side by side with them and no heading gave; what is told of these is not the page's own."""
    held = {block.start for item in items for block in item.blocks}
    named = [item.name for item in items]
    added = [
        item_of(entry)
        for entry in entries
        if held.isdisjoint(block.start for block in entry.blocks)
        and not any(same_name(entry.heading.name, name, reading.vocabulary) for name in named)
    ]
    told = [(block.start, block.end) for item in added for block in item.blocks]
    main.blocks = [
        block for block in main.blocks if not any(start < block.end and block.start < end for start, end in told)
    ]
    return sorted([*items, *added], key=lambda item: min((block.start for block in item.blocks), default=0))


def _is_of_no_kind(main: Item, reading: Reading) -> bool:
    """Whether what the page opens by defining is nothing of culture, as `Indonesia adalah negara kepulauan`."""
    found = main.definition
    if found is None or found.categories or found.is_culture:
        return False
    return not reading.vocabulary.head_of(main.name) and not reading.vocabulary.head_of(found.name)


def _lands_of_title(reading: Reading) -> list[Span]:
    """The region that the first heading names as that of all things below it."""
    first = next((block for block in reading.blocks if block.kind == "heading"), None)
    land = read_heading((first.start, first.end), reading).land if first else None
    return [land] if land else []


def _kinds_of_it(main: Item, reading: Reading) -> list[Item]:
    """Entries that each tell of another thing of the kind: `Jamu Cabe Puyang: terbuat dari ...` in a text about jamu."""
    explained = items_explained(main.blocks, frozenset(), reading)
    others = [each for each in explained if each.definition is None and not each.origins]
    return [each for each in others if not same_name(each.name, main.name, reading.vocabulary)]


def _named_by_row(main: Item, reading: Reading) -> str:
    """The name that a card or form states in a row of its own; empty if none, or more than one, does."""
    rows = list(labelled_values(reading.text, main.blocks))
    named = [row for row in rows if is_name_column(row.label, reading)]
    words = reading.text[slice(*named[0].value)] if len(named) == 1 and len(rows) > 1 else ""
    if any(row.label.casefold() in _SHOP_ROWS for row in rows):
        return ""
    by_whom = named[0].label.casefold() in PLAIN_NAME_ROWS or named[0].kind is Kind.LINE if words else False
    if by_whom and not (reading.vocabulary.head_of(words) or _is_defined(words, main, reading)):
        return ""
    fits = words[:1].isupper() and len(words.split()) <= LONGEST_TITLE_WORDS and not NOT_A_NAME.search(words)
    return words if fits and not is_class(words, reading) else ""


def _is_defined(name: str, main: Item, reading: Reading) -> bool:
    """Whether the page's text says what the name of a form is: people fill in forms too."""
    defined = definitions_in(main.blocks, reading, _SENTENCES_SEARCHED)
    return any(same_name(name, each.name, reading.vocabulary) for each in defined)


def _may_be_item(main: Item, reading: Reading) -> bool:
    """Whether the page's title, or what it defines, can be the name of a thing."""
    if not main.name or is_class(main.name, reading):
        return False
    if main.definition is not None:
        return not is_region(main.name, reading, or_people=False)
    if len(main.name.split()) > LONGEST_TITLE_WORDS or NOT_A_NAME.search(main.heading):
        return False
    if reading.wording.genus_comes_first and reading.wording.other_head.search(main.name):
        return False
    if is_headline(main.name, reading.wording) or is_region(main.name, reading):
        return False
    if not main.origins and not reading.wording.grammar.isdisjoint(folded_words(main.name)):
        return False
    if any(row.label.casefold() in _SHOP_ROWS for row in labelled_values(reading.text, main.blocks)):
        return False
    told = bool(main.context and main.origins) and folded_words(main.name)[0] not in reading.wording.sections
    return not _sells(reading) and (told or _is_spoken_of(main, reading))


def _sells(reading: Reading) -> bool:
    """Little but a price and how to order: the heading of a shop says what it sells."""
    short = len(reading.text) <= _LONGEST_OFFER
    return short and bool(_PRICE.search(reading.text) and _ORDER.search(reading.text))


def _is_spoken_of(main: Item, reading: Reading) -> bool:
    """Whether the text takes the title up, or gives it labelled values or a recipe."""
    if lists_ingredients(reading, main.blocks) and reading.vocabulary.head_of(main.name):
        return True
    bare = " ".join(folded_words(main.name)[reading.vocabulary.generic_length(main.name) :])
    for block in main.blocks:
        if block.kind in {"row", "data"}:
            return True
        if block.kind != "heading" and bare in " ".join(folded_words(reading.text[block.start : block.end])):
            return True
    return any(labelled_values(reading.text, main.blocks))


def _with_rows(found: list[Item], reading: Reading) -> list[Item]:
    for item in found:
        item.name = agreed_name(item, reading)
    items = merged(found, reading)
    for item in items:
        if not item.rows:
            item.rows = list(labelled_values(reading.text, item.blocks))
    return items


def _by_headings(reading: Reading) -> tuple[Item, list[Item]]:
    """The page's own item, and those whose heading names them and whose first sentences define them."""
    page, profile = reading.page, reading.profile
    title = title_of(page, reading)
    main = Item(title.name, page.title, context=title.kinds, origins=list(title.origins))
    main.titled = title.definition if not _sells(reading) else None
    items: list[Item] = []
    current, level = main, 0
    context = _listed_kind(page.title, reading) or _announced_kind(reading)
    above: list[tuple[int, Span]] = []
    kinds: list[tuple[int, frozenset[str]]] = []
    of_page = reading.vocabulary.kind_in(page.title)
    for section in _sections(reading):
        label = is_label(section.heading.text, profile)
        above = [each for each in above if each[0] < section.level]
        kinds = [each for each in kinds if each[0] < section.level]
        own = None if label else own_item(section, reading, kinds[-1][1] if kinds else context)
        if own is None and (kind := _kind_below(section.heading.text, of_page, reading)):
            kinds.append((section.level, kind))
        called = [] if own and not _is_of_many(own, reading) else items_called(section.heading, section.blocks, reading)
        if called:
            items.extend(called)
            current, level = main, 0
            first = called[0].blocks[0].start
            current.blocks.extend(block for block in section.blocks if block.start < first)
            continue
        if own is not None and not same_name(own.name, main.name, reading.vocabulary):
            land = [section.heading.land] if section.heading.land is not None else []
            own.origins = [*section.heading.origins] or land
            own.inherited = [] if own.origins else [span for _, span in above[-1:]]
            items.append(own)
            current, level = own, section.level
        elif current is not main and section.level <= level and not label:
            current, level = main, 0
        if section.heading.land is not None:
            above.append((section.level, section.heading.land))
        current.blocks.extend(section.blocks)
    # Linked data is about the page's own item.
    main.blocks.extend(block for block in page.blocks if block.kind == "data")
    return main, items


def _is_of_many(item: Item, reading: Reading) -> bool:
    """Whether the name is that of a people or a land, or a kind that the text does not define."""
    if reading.wording.people.match(item.name) or is_region(item.name, reading):
        return True
    of_kind = reading.vocabulary.generic_length(item.name) == len(folded_words(item.name))
    return of_kind and item.definition is None


def kind_by_row(item: Item, reading: Reading) -> frozenset[str]:
    """Categories that a row such as `Kategori` names."""
    told = (reading.text[row.value[0] : row.value[1]] for row in item.rows if row.label.casefold() in _KIND_ROWS)
    return next((found for value in told if (found := reading.vocabulary.head_of(value))), frozenset())


def _sections(reading: Reading) -> list[Section]:
    found = [Section(Heading(""), 0, [])]
    for block in reading.blocks:
        if block.kind == "heading":
            found.append(Section(read_heading((block.start, block.end), reading), block.level, [block]))
        elif block.kind != "data":
            found[-1].blocks.append(block)
    return found


def _listed_kind(title: str, reading: Reading) -> frozenset[str]:
    """What the title of a list says its members are; numbers over several sections make a list too."""
    page = reading.page
    numbered = sum(
        block.kind == "heading" and is_numbered(page.text[block.start : block.end]) for block in reading.blocks
    )
    if is_listing(title) or numbered >= _NUMBERED_HEADINGS:
        first = next((block for block in reading.blocks if block.kind == "heading"), None)
        title = _SEVERAL.sub(r"\1\2", title)
        whole = f"{title} {page.text[first.start : first.end] if first else ''}"
        return reading.vocabulary.kind_in(whole) or _kind_of_several(title, reading)
    kind = without_listing_words(title)
    return reading.vocabulary.head_of(kind) if is_class(clean_title(kind), reading) else frozenset()


def _announced_kind(reading: Reading) -> frozenset[str]:
    """What a sentence before the parts of a text says that they are: `Berikut ada lima cerita rakyat`."""
    headings = [block for block in reading.blocks if block.kind == "heading"]
    first = next((block.start for block in headings[1:]), 0)
    for block in reading.blocks:
        if block.kind == "paragraph" and block.end <= first:
            for sentence in reading.sentences_of(block):
                found = reading.wording.checks.listing.match(sentence.text)
                kind = reading.vocabulary.head_of(sentence.text[found.end() :]) if found else None
                if kind:
                    return kind
    return frozenset()


def _kind_of_several(title: str, reading: Reading) -> frozenset[str]:
    """The kind of a title in a language that puts it last and in the plural: `5 Indonesian Musical Instruments to Know`."""
    if reading.wording.genus_comes_first:
        return frozenset()
    words = folded_words(title)
    ends = (" ".join(words[:end]) for end in range(len(words), 0, -1))
    return next((kind for each in ends if (kind := reading.vocabulary.genus_in(each, first=False))), frozenset())


def _kind_below(heading: str, of_page: frozenset[str], reading: Reading) -> frozenset[str]:
    """What stands below a heading such as `Kuliner khas yang wajib dicoba`, if the page is about such things."""
    if len(heading) > _LONGEST_SUBTITLE or not reading.wording.culture.search(heading):
        return frozenset()
    kind = reading.vocabulary.kind_in(heading)
    return kind if kind & of_page and clean_title(heading) != clean_title(reading.page.title) else frozenset()


def _main_definition(main: Item, reading: Reading) -> Definition | None:
    """The first definition whose subject is the title's; without one, a definition that opens the page."""
    found = definitions_in(main.blocks, reading, _SENTENCES_SEARCHED)
    named = [
        each
        for each in found
        if any(same_name(name, main.name, reading.vocabulary) for name in (each.name, *each.aliases))
    ]
    # The lake of a legend's name is defined too.
    known = next((each for each in named if each.categories and not each.is_other), None)
    if known is not None:
        return known
    if main.name and (told := naming_in(main.blocks, main.name, reading) or _entry(main, reading)):
        return told
    if named and not (main.titled and main.titled.categories):
        return named[0]
    if main.name and (told := _subtitle(main, reading)):
        return told
    for place, definition in enumerate(found):
        told_kind = definition.categories or (place < _OPENING_DEFINITIONS and reading.vocabulary.head_of(main.heading))
        untitled = not main.name and place < _OPENING_DEFINITIONS
        stands = not is_listing(main.heading) and _stands_in(definition.name, main.heading, reading)
        if told_kind and (untitled or stands):
            return definition
    return main.titled


def _stands_in(name: str, title: str, reading: Reading) -> bool:
    """Whether a title has the name's own words among others: `Menari Lego-Lego di Alor`."""
    bare = folded_words(name)[reading.vocabulary.generic_length(name) :]
    words = folded_words(title)
    if not bare and len(words) > len(folded_words(name)):
        return False
    bare = bare or folded_words(name)
    key = name_key(" ".join(bare))
    runs = (" ".join(words[place : place + len(bare)]) for place in range(len(words) - len(bare) + 1))
    return any(name_key(run) == key for run in runs) and not is_region(name, reading)


def _subtitle(main: Item, reading: Reading) -> Definition | None:
    """A short line below the title that says what it is and no more: `Cerita rakyat dari Bali`."""
    first = next((block for block in main.blocks if block.kind == "paragraph"), None)
    if first is None or first.end - first.start > _LONGEST_SUBTITLE or is_class(main.name, reading):
        return None
    if len(main.name.split()) > LONGEST_TITLE_WORDS or NOT_A_NAME.search(main.heading):
        return None
    if not reading.wording.grammar.isdisjoint(folded_words(main.name)):
        return None
    sentence = Sentence(reading.text[first.start : first.end], first.start)
    if sentence.text[-1] in ".!?:" or is_headline(sentence.text, reading.wording):
        return None
    if reading.wording.copula.search(sentence.text) or not reading.regions_in(first.start, first.end):
        return None
    found = defined(sentence, (main.name,), (0, len(sentence.text)), reading.wording, reading.vocabulary)
    return found if found.categories and not found.is_other else None


def _entry(main: Item, reading: Reading) -> Definition | None:
    """The head of an entry that names the title and goes on without a verb: `ANGKLOENG. — Een muziekinstrument`."""
    first = next((block for block in main.blocks if block.kind == "paragraph"), None)
    if first is None:
        return None
    sentences = reading.sentences_of(first)
    end = next((each.end for each in sentences if each.end - first.start > len(main.name) + _ENTRY_MARKS), first.end)
    sentence = Sentence(reading.text[first.start : end], first.start)
    found = read_apposed(sentence, reading.wording, reading.vocabulary, as_entry=True)
    return found if found and same_name(found.name, main.name, reading.vocabulary) else None

"""Facts from labelled values: infobox rows, definition lists, `Label: value` lines and sections under a label."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from lumbung.model.candidate import Block
from lumbung.model.profile import Attribute, ValueKind, ValueShape
from lumbung.text.extraction import amounts, values
from lumbung.text.extraction.evidence import Evidence, Kind
from lumbung.text.extraction.labels import attribute_of, folded
from lumbung.text.extraction.reading import Reading
from lumbung.text.stemming import stem

_LABELLED_TEXT = re.compile(
    r"(?:^|\n|(?<=[.;!] ))[^\w\n]{0,6}([^\W\d_][\w /()'’-]{1,40}?)\s*:\s+(\S[^\n.;]*(?:[.;](?!\s|$)[^\n.;]*)*)",
)
_AS_NEEDED = re.compile(
    r"\s+(?:secukupnya|sesuai selera|seperlunya|to taste|naar smaak)\b.*$|\s+untuk \w+.*$", re.IGNORECASE
)
_LONGEST_VALUE = 600
_LONGEST_ITEM = 120
_UNSAID_YEARS = frozenset({"tahun", "year", "jaar", "date", "datum"})
"""Over a column of a list, these are as often the year of an award or a purchase as that of the thing."""
_SHORT_SECTION = 120
_FEWEST_ENTRIES = 4
_OWN_NOUN = re.compile(r"\w{3,}nya\b")
_ACTIVE = re.compile(r"(?:me|di)[a-z]{4,}")
_TO_READERS = re.compile(r"\b(?:kami|anda|kalian|klik|lihat|simak|our|your|click|see|onze|uw)\b", re.IGNORECASE)
_NAMES = frozenset({"nama-lain"})
_BYLINES = frozenset(
    {"penulis", "oleh", "editor", "reporter", "pewarta", "redaktur", "author", "by", "auteur", "door", "karya", "text"}
)
"""In a line of text these name who wrote the page."""
_PEOPLE = "suku"
_HISTORY = "sejarah"
_KEPT_AT = "tempat-penyimpanan"
_TIME, _YEAR = "waktu", "tahun"
"""A century under a label for the time of practice is when the thing was made."""
_WHEN = re.compile(
    r"\b(?:setiap|tiap|bulan|hari|malam|pagi|siang|sore|tanggal|tahun|musim|pukul|minggu|panen|pernikahan|"
    r"every|month|day|night|year|season|during|elke|maand|dag|nacht|jaar|tijdens)\b",
    re.IGNORECASE,
)
_OWN_LABEL = re.compile(r"[^:\n]{2,40}:\s+(?=\S)")
_FIGURES = re.compile(r"(?:[\d\s.,–x×-]|\b(?:cm|mm|m|kg|g)\b)+")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A label with the span of its value and the span to quote."""

    label: str
    value: values.Span
    quote: values.Span
    kind: Kind


def labelled_values(text: str, blocks: Iterable[Block]) -> Iterator[Labelled]:
    """Rows of tables, and `Label: value` at the start of a line or a sentence."""
    for block in blocks:
        if block.kind == "row" and block.label and block.level == 0:
            start = block.start - len(block.label) - 2
            yield Labelled(block.label, (block.start, block.end), (max(start, 0), block.end), Kind.ROW)
        elif block.kind in {"paragraph", "list-item", "caption"}:
            for found in _LABELLED_TEXT.finditer(text[block.start : block.end]):
                value = (block.start + found.start(2), block.start + found.end(2))
                yield Labelled(found[1], value, (block.start + found.start(1), value[1]), Kind.LINE)


def record_values(cells: list[Block]) -> list[Labelled]:
    """The cells of one row under the headers of their columns; the whole row is the quote."""
    quote = (min(cell.start for cell in cells), max(cell.end for cell in cells))
    told = [cell for cell in cells if cell.label and cell.label.casefold() not in _UNSAID_YEARS]
    return [Labelled(cell.label, (cell.start, cell.end), quote, Kind.RECORD) for cell in told]


def read_rows(reading: Reading, rows: list[Labelled], category: str, evidence: Evidence) -> None:
    for row in rows:
        if row.kind is Kind.LINE and row.label.casefold() in _BYLINES:
            continue
        attribute = attribute_of(row.label, reading.profile, category)
        if attribute is not None and attribute.code == _TIME and amounts.is_date(reading.text, row.value):
            attribute = reading.profile.attributes.get(_YEAR)
        if attribute is not None and attribute.code == _HISTORY and reading.is_places(*row.value):
            continue
        if attribute is not None and attribute.kind is not ValueKind.PLACE and attribute.code != _PEOPLE:
            read_value(reading, row, attribute, evidence)


def read_value(reading: Reading, row: Labelled, attribute: Attribute, evidence: Evidence) -> None:
    """One labelled value, by the kind of its attribute."""
    text, wording = reading.text, reading.wording
    value = text[row.value[0] : row.value[1]]
    if folded(value) in {folded(category.label) for category in reading.profile.categories.values()}:
        return
    if row.kind is Kind.LINE and wording.copula.search(value):
        return
    if wording.hearsay.search(value) or wording.denial.match(value) or value.strip() in {"-", "–", "?", ""}:
        return
    if attribute.kind is ValueKind.SET and len(value) <= _LONGEST_VALUE:
        for start, end in _members(text, row.value, reading):
            _add(
                reading,
                without_amount(text[start:end], reading),
                row.quote,
                (start, end),
                attribute,
                row.kind,
                evidence,
            )
    elif size := _size(row, value.strip().rstrip("."), reading):
        evidence.add(attribute.code, size, row.quote, row.value, row.kind)
    elif len(value) <= _LONGEST_VALUE:
        _add(reading, value, row.quote, row.value, attribute, row.kind, evidence)


def _size(row: Labelled, value: str, reading: Reading) -> str:
    """Figures with the dimension that their label names: of several sizes, each is one of its own. Empty for other values."""
    label = folded(row.label)
    if label not in reading.wording.checks.dimensions or not _FIGURES.fullmatch(value):
        return ""
    dimension = reading.in_canonical_language(label)
    return f"{dimension} {value}" if dimension else ""


def read_entry(reading: Reading, span: values.Span, attribute: Attribute, kind: Kind, evidence: Evidence) -> None:
    """One member that stands alone, as an ingredient on its own line."""
    if span[1] - span[0] <= _LONGEST_ITEM:
        words = reading.text[span[0] : span[1]]
        # What stands behind the comma says how an ingredient is cut, but what a stage of a rite is.
        value = without_amount(words, reading) if attribute.shape is ValueShape.THINGS else words
        _add(reading, value, span, span, attribute, kind, evidence)


def without_amount(ingredient: str, reading: Reading) -> str:
    """An ingredient without its quantity and the words about how it is cut."""
    checks = reading.wording.checks
    bare = _AS_NEEDED.sub("", checks.amount.sub("", checks.amount_behind.sub("", ingredient.strip()), count=1))
    return re.split(r"[,(]", bare)[0].strip() or ingredient


def _members(text: str, span: values.Span, reading: Reading) -> list[values.Span]:
    found: list[values.Span] = []
    at = span[0]
    for joint in reading.wording.joint.finditer(text, *span):
        found.append(values.trimmed(text, at, joint.start()))
        at = joint.end()
    found.append(values.trimmed(text, at, span[1]))
    return [piece for piece in found if piece[1] > piece[0]]


def _add(
    reading: Reading,
    value: str,
    quote: values.Span,
    at: values.Span,
    attribute: Attribute,
    kind: Kind,
    evidence: Evidence,
) -> None:
    value = value.strip().rstrip(".")
    if attribute.kind is not ValueKind.PERSON and attribute.code not in _NAMES and not _FIGURES.fullmatch(value):
        worded = (
            reading.date(value)
            if attribute.kind is ValueKind.DATE
            else reading.in_canonical_language(value, attribute.code)
        )
        if worded is None and _is_worded_already(value, attribute):
            worded = value
        if worded is None:
            return
        value = worded
    evidence.add(attribute.code, value, quote, at, kind)


def _is_worded_already(value: str, attribute: Attribute) -> bool:
    """On a page in another language: a century as the library words it, and the name of who keeps a thing."""
    if attribute.kind is ValueKind.DATE:
        return amounts.is_date(value, (0, len(value)))
    return attribute.code == _KEPT_AT and all(
        word[:1].isupper() and word.strip(",.").isalpha() for word in value.split()
    )


def read_ingredients(reading: Reading, blocks: list[Block], attribute: Attribute, evidence: Evidence) -> None:
    """Lists that nothing heads, of which most entries have an amount or are known by name, as recipes have them."""
    for entries in _lists_of_ingredients(reading, blocks):
        if not any(evidence.has(attribute.code, entry) for entry in entries):
            for entry in entries:
                read_entry(reading, entry, attribute, Kind.SECTION, evidence)


def lists_ingredients(reading: Reading, blocks: list[Block]) -> bool:
    return any(True for _ in _lists_of_ingredients(reading, blocks))


def _lists_of_ingredients(reading: Reading, blocks: list[Block]) -> Iterator[list[values.Span]]:
    for is_list, run in groupby(blocks, lambda block: block.kind == "list-item"):
        entries = [(block.start, block.end) for block in run] if is_list else []
        known = sum(_is_ingredient(reading.text[slice(*entry)].strip(), reading) for entry in entries)
        if len(entries) >= _FEWEST_ENTRIES and 2 * known >= len(entries):
            yield entries


def _is_ingredient(entry: str, reading: Reading) -> bool:
    measured = reading.wording.checks.amount.match(entry)
    if measured is not None and any(letter.isalpha() for letter in measured[0]):
        return True
    named = not reading.wording.is_canonical_for(reading.profile.language)
    known = named and reading.in_canonical_language(without_amount(entry, reading)) is not None
    return known or reading.wording.checks.amount_behind.search(entry) is not None


def read_section(reading: Reading, attribute: Attribute, blocks: list[Block], evidence: Evidence) -> None:
    """What stands under a heading that names an attribute: the items of a list, or the first paragraph."""
    text = reading.text
    if attribute.code == _TIME and not _says_when(text, blocks):
        return
    if blocks and blocks[0].kind == "paragraph" and _TO_READERS.search(text, blocks[0].start, blocks[0].end):
        return
    listed = [block for block in blocks if block.kind == "list-item"]
    if listed and attribute.kind is ValueKind.SET:
        for block in listed:
            _read_listed(reading, (block.start, block.end), attribute, evidence)
    elif listed and attribute.kind is ValueKind.TEXT:
        span = (listed[0].start, listed[-1].end)
        steps = [text[block.start : block.end].rstrip(".;") for block in listed]
        if span[1] - span[0] <= 2 * _LONGEST_VALUE:
            _add(reading, "; ".join(steps), span, span, attribute, Kind.SECTION, evidence)
    elif len(blocks) == 1 and blocks[0].kind == "paragraph" and attribute.kind is ValueKind.SET:
        span = (blocks[0].start, blocks[0].end)
        if span[1] - span[0] <= _SHORT_SECTION and _is_bare_list(text[slice(*span)], reading):
            read_value(reading, Labelled("", span, span, Kind.SECTION), attribute, evidence)


def _read_listed(reading: Reading, span: values.Span, attribute: Attribute, evidence: Evidence) -> None:
    """One entry of a list; with a label of its own, as `Bumbu halus: cabai, kemiri`, it is a list again."""
    labelled = _OWN_LABEL.match(reading.text, *span)
    if labelled is None:
        read_entry(reading, span, attribute, Kind.SECTION, evidence)
    else:
        read_value(reading, Labelled("", (labelled.end(), span[1]), span, Kind.SECTION), attribute, evidence)


def _says_when(text: str, blocks: list[Block]) -> bool:
    """Under `Pelaksanaan` stands as often how a thing is carried out."""
    size = blocks[-1].end - blocks[0].start if blocks else 0
    return 0 < size <= _SHORT_SECTION and _WHEN.search(text, blocks[0].start, blocks[-1].end) is not None


def _is_bare_list(text: str, reading: Reading) -> bool:
    """Things named one after the other, without a sentence around them."""
    wording = reading.wording
    words = text.casefold().split()
    return (
        wording.grammar.isdisjoint(words)
        and not wording.breaks.search(text)
        and not any(_OWN_NOUN.match(word) or _is_verb(word) for word in words)
    )


def _is_verb(word: str) -> bool:
    return _ACTIVE.fullmatch(word) is not None and stem(word) != word

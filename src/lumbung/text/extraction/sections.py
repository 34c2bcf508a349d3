"""The item of a section: what its heading names, its first sentences define, or a list of a known kind has there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from lumbung.model.candidate import Block
from lumbung.text.extraction.category import Vocabulary, folded_words
from lumbung.text.extraction.definitions import Definition, defined, read_definition
from lumbung.text.extraction.headings import Heading
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.kinds import LONGEST_NAME, is_class, is_region, same_name, without_region
from lumbung.text.extraction.labels import is_label
from lumbung.text.extraction.listings import introduced_in, is_name_column, naming_in
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.rows import labelled_values
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.titles import is_numbered
from lumbung.text.names import name_key
from lumbung.text.stemming import stem

PLAIN_NAME_ROWS = frozenset({"nama", "name", "naam", "judul", "karya"})
_SENTENCES_READ = 2
_SENTENCES_BELOW_A_LAND = 3
_OPENING_CHARACTERS = 200
_LONGEST_NAME_WORDS = 7
LONGEST_TITLE_WORDS = 6
_LIKENESS = 0.85
_BARE_REACH = 8
_VERB = re.compile(r"(?:di|me|ber|ter)[a-z]{4,}")
NOT_A_NAME = re.compile(
    r"[?!]|^(?:panduan|penjelasan|perbedaan|apa|apakah|mengapa|kenapa|bagaimana|cara|tips|tutorial|tugas|makalah|soal|materi|laporan|rangkuman|what|why|how|wat|hoe|waarom|jual|beli|hubungi|kontak|promo|harga|pesan|galeri|contact|buy|shop|order)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Section:
    heading: Heading
    level: int
    blocks: list[Block]


def fuller_name(title: str, definition: Definition, reading: Reading) -> str:
    """The title's name, unless the text defines another, or leaves out several words of kind: *Permainan Rakyat X*."""
    vocabulary = reading.vocabulary
    whole = reading.page.title
    if len(whole) <= LONGEST_NAME and name_key(definition.name) == name_key(whole) and not title[:1].islower():
        return whole
    if same_name(without_region(definition.name, reading), title, vocabulary):
        # `Pisau Belati Papua` below `Pisau Belati`.
        return title
    wordy = vocabulary.generic_length(title) > max(1, vocabulary.generic_length(definition.name))
    if wordy or title[:1].islower() or not same_name(definition.name, title, vocabulary):
        return definition.name
    return title


def definitions_in(blocks: list[Block], reading: Reading, most: int, name: str = "") -> list[Definition]:
    found: list[Definition] = []
    read = 0
    for block in blocks:
        if block.kind not in {"paragraph", "list-item"}:
            continue
        for sentence in reading.sentences_of(block):
            read += 1
            announces = reading.wording.checks.listing.match(sentence.text)
            definition = None if announces else read_definition(sentence, reading.wording, reading.vocabulary, name)
            if definition is not None:
                found.append(definition)
            if read >= most:
                return found
    return found


def own_item(section: Section, reading: Reading, context: frozenset[str]) -> Item | None:
    """A section whose heading is a name: its first sentences define it, or it is a member of a list of a known kind."""
    heading = section.heading
    name = heading.name
    if heading.land is not None and (called := _called_in_row(section, reading)):
        return Item(called, called, [], naming_in(section.blocks, called, reading), context=context)
    if heading.land is not None and (
        told := introduced_in(section.blocks, reading) or _defined_below(section, reading)
    ):
        return told
    if not name or len(name.split()) > _LONGEST_NAME_WORDS or is_region(name, reading, or_people=False):
        return None
    if _is_of_the_text(name, reading):
        return None
    for definition in definitions_in(section.blocks, reading, _SENTENCES_READ, name):
        name = _behind_kind(name, definition, reading)
        names = (definition.name, *definition.aliases, without_region(definition.name, reading))
        if any(same_name(each, name, reading.vocabulary) for each in names):
            kind = reading.vocabulary.head_of(name) or reading.vocabulary.head_of(definition.name)
            if not kind and section.level > 1 and not reading.wording.genus_comes_first:
                kind = reading.vocabulary.of_kind_at_end(name)
            if not definition.categories and not context and not kind:
                return None
            full = fuller_name(name, definition, reading)
            return Item(full, heading.text, [], definition, context=context, titled=heading.definition)
    if (
        naming := naming_in(section.blocks, name, reading)
        or heading.definition
        or told_below(section.blocks, name, reading)
    ):
        return Item(name, heading.text, [], naming, context=context, titled=heading.definition)
    if context and is_numbered(heading.text) and (other := _defined_below(section, reading)):
        return replace(
            other, name=name if is_misspelt(name, other.name, reading.vocabulary) else other.name, context=context
        )
    of_text = folded_words(name)[0] in reading.wording.sections if folded_words(name) else True
    listed = is_numbered(heading.text) and not NOT_A_NAME.search(heading.text)
    placed = bool(heading.origins and reading.vocabulary.generic_length(name)) and not is_class(name, reading)
    known = context or placed or _is_of_a_kind(heading.text, name, reading)
    if not known or of_text or section.level <= 1:
        return None
    in_a_list = listed and bool(context or placed)
    taken_up = in_a_list or _speaks_of(section, name, reading) or _has_labels(section, reading)
    return Item(name, heading.text, [], context=context) if taken_up else None


def _is_of_the_text(name: str, reading: Reading) -> bool:
    """Whether nothing is left of a heading but words that every thing bears, or what more it tells: `Resep Tradisional`."""
    words = folded_words(name)
    return reading.wording.common.issuperset(words) or reading.wording.joint.match(f" {name} ") is not None


def told_below(blocks: list[Block], name: str, reading: Reading) -> Definition | None:
    """What the words below a name say it is, where they leave out the name and the verb: `Jamu tradisional yang terbuat dari`."""
    first = next((block for block in blocks if block.kind != "heading"), None)
    words = folded_words(name)
    if first is None or first.kind not in {"paragraph", "list-item"} or not reading.wording.genus_comes_first:
        return None
    if not words or words[0] in reading.wording.sections | reading.wording.never_first or NOT_A_NAME.search(name):
        return None
    if is_class(name, reading) or is_label(name, reading.profile) or not reading.wording.grammar.isdisjoint(words):
        return None
    sentence = next(iter(reading.sentences_of(first)), None)
    if sentence is None or reading.wording.hearsay.search(sentence.text) or not is_bare_kind(sentence, name, reading):
        return None
    found = defined(sentence, (name,), (0, len(sentence.text)), reading.wording, reading.vocabulary)
    at_home = found.is_culture or bool(reading.regions_in(sentence.start, sentence.end))
    of_name = found.categories & reading.vocabulary.head_of(name) - reading.wording.needs_tradition
    return found if found.categories and not found.is_other and (at_home or of_name) else None


def is_bare_kind(sentence: Sentence, name: str, reading: Reading) -> bool:
    """Whether a sentence opens with a kind of thing that it neither shows nor names nor makes its subject."""
    words = folded_words(sentence.text)[:_BARE_REACH]
    sizes = (size for size in range(len(words), 0, -1) if reading.vocabulary.is_kind(tuple(words[:size])))
    size = next(sizes, 0)
    rest = words[size:]
    if not size or not reading.wording.demonstratives.isdisjoint(rest) or reading.wording.copula.search(sentence.text):
        return False
    if rest and rest[0] in folded_words(name)[reading.vocabulary.generic_length(name) :]:
        return False
    return not rest or not (_VERB.fullmatch(rest[0]) and stem(rest[0]) != rest[0])


def _is_of_a_kind(heading: str, name: str, reading: Reading) -> bool:
    """Whether a heading is a kind and a name of one thing of it, and no more: `Batik Motif Ceplok`."""
    words = folded_words(heading)
    if reading.vocabulary.kind_at_end(name) and not reading.wording.genus_comes_first:
        return name[:1].isupper() and not is_class(name, reading) and not NOT_A_NAME.search(heading)
    plain = reading.wording.grammar.isdisjoint(words) and words[-len(folded_words(name)) :] == folded_words(name)
    size = reading.vocabulary.generic_length(name)
    return (
        plain and 0 < size < len(folded_words(name)) and not is_class(name, reading) and not NOT_A_NAME.search(heading)
    )


def _has_labels(section: Section, reading: Reading) -> bool:
    """Whether the section gives labelled values: `Ingredients: ...` below the name of a dish."""
    return any(is_label(row.label, reading.profile) for row in labelled_values(reading.text, section.blocks))


def is_misspelt(name: str, told: str, vocabulary: Vocabulary) -> bool:
    """Whether the text spells the heading's name a little otherwise: `Jenderal Mabok` and `minuman jenderal mabuk`."""
    if max(len(name), len(told)) > LONGEST_NAME:
        return False
    left, right = (folded_words(each)[vocabulary.generic_length(each) :] for each in (name, told))
    alike = len(left) == len(right) > 0
    return alike and SequenceMatcher(None, " ".join(left), " ".join(right)).ratio() >= _LIKENESS


def _behind_kind(name: str, definition: Definition, reading: Reading) -> str:
    """`Coto Makassar` of `Makanan Khas Sulawesi Coto Makassar`, where the text defines this."""
    own = definition.name
    longer = len(own) < len(name) and name.casefold().endswith(f" {own.casefold()}")
    return own if longer and is_class(name[: -len(own)].strip(), reading) else name


def _called_in_row(section: Section, reading: Reading) -> str:
    """The name that a line such as `Nama Senjata : Rencong` gives below the heading of a land."""
    named = [row for row in labelled_values(reading.text, section.blocks) if is_name_column(row.label, reading)]
    words = reading.text[slice(*named[0].value)].strip() if len(named) == 1 else ""
    fits = words[:1].isupper() and len(words.split()) <= LONGEST_TITLE_WORDS and not is_class(words, reading)
    return words if fits and named[0].label.casefold() not in PLAIN_NAME_ROWS else ""


def _defined_below(section: Section, reading: Reading) -> Item | None:
    """What a section opens by defining, where its heading is no name of that: a land, or one in an odd spelling."""
    most = _SENTENCES_BELOW_A_LAND if section.heading.land is not None else 1
    found = next(iter(definitions_in(section.blocks, reading, most)), None) if section.level > 1 else None
    if found is None or not found.categories or found.is_other or is_class(found.name, reading):
        return None
    return Item(found.name, section.heading.text, [], found)


def _speaks_of(section: Section, name: str, reading: Reading) -> bool:
    """Whether the section's first words take up its heading, by name or by kind."""
    first = next((block for block in section.blocks if block.kind == "paragraph"), None)
    if first is None:
        return False
    opening = reading.text[first.start : min(first.end, first.start + _OPENING_CHARACTERS)]
    words = folded_words(opening)
    bare = folded_words(name)[reading.vocabulary.generic_length(name) :] or folded_words(name)
    if " ".join(bare) in " ".join(words):
        return True
    shown = [place for place, word in enumerate(words) if word in reading.wording.demonstratives]
    if shown and reading.vocabulary.head_of(opening):
        return True
    return any(reading.vocabulary.ends_with_kind(tuple(words[:place])) for place in shown)

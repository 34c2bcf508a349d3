"""Things that a list explains one by one: the terms of a definition list, and entries such as `X: tarian dari Y`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, islice

from lumbung.model.candidate import Block
from lumbung.text.extraction.category import folded_words
from lumbung.text.extraction.definitions import defined, read_definition
from lumbung.text.extraction.headings import read_heading
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.kinds import is_class, is_of_culture, is_region, same_name
from lumbung.text.extraction.labels import is_label
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.relations import opens_with_cue
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.titles import is_headline, is_numbered, title_lead
from lumbung.text.extraction.values import Span

_TERM = re.compile(r"[^\w\n]{0,6}(?:\d{1,3}[.)]\s*)?([^:–—\n]{2,60}?)\s*(?::|\s[–—-])\s+(?=\S)")
_LEAD_END = re.compile(r"\s+(?:atau|dengan|yang|or|with|of|met)\s+|\s*[(,]")
_LONGEST_LEAD = 90
_OPENING_WORDS = 8
_LONGEST_CLAUSE = 14
_LONGEST_NAME_WORDS = 5
_FEWEST = 2
_NUMBERING_REACH = 12
_MOST = 240
"""A longer list is an index, and reading it all would cost more than it tells."""


def items_explained(blocks: Iterable[Block], context: frozenset[str], reading: Reading) -> list[Item]:
    """Two or more terms, each followed by words that say what kind of thing it is; most of the list must be such."""
    explained: list[Item] = []
    for run in _runs(islice(blocks, _MOST)):
        terms = list(_terms(run, reading))
        found = [item for term, told in terms if (item := _explained(term, told, context, reading)) is not None]
        explained.extend(found if len(found) >= _FEWEST and 2 * len(found) >= len(terms) else [])
    return explained


def _runs(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """The lists of a text: between two headings stands one."""
    for _, run in groupby(blocks, _Headings()):
        yield list(run)


class _Headings:
    """Counts the headings so far."""

    def __init__(self) -> None:
        self._passed = 0

    def __call__(self, block: Block) -> int:
        self._passed += block.kind == "heading"
        return self._passed


def _terms(blocks: Iterable[Block], reading: Reading) -> Iterator[tuple[Span, Span]]:
    """Where a term stands and where it is explained."""
    for block in blocks:
        if block.kind == "row" and block.label and block.level == 0:
            start = block.start - len(block.label) - len(": ")
            yield (start, start + len(block.label)), (block.start, block.end)
        elif _is_entry(block, reading) and (term := _TERM.match(reading.text, block.start, block.end)):
            yield term.span(1), (term.end(), block.end)


def _is_entry(block: Block, reading: Reading) -> bool:
    """An entry of a list, marked as one or by its number."""
    if block.kind == "list-item":
        return True
    return block.kind == "paragraph" and is_numbered(reading.text[block.start : block.start + _NUMBERING_REACH])


def entry_term(block: Block, reading: Reading) -> str:
    """The words before the colon or dash of an entry, or those of a first sentence that is a name."""
    term = _TERM.match(reading.text, block.start, block.end)
    return term[1] if term else led_name(block, reading)


def led_name(block: Block, reading: Reading) -> str:
    """The kind and the name with which a block opens in a sentence without a verb, if the next sentence takes one of them up."""
    opening = reading.sentences_of(block)[:2]
    if len(opening) < 2 or len(opening[0].text) > _LONGEST_LEAD or opening[0].text[-1] != ".":
        return ""
    words = _LEAD_END.split(opening[0].text[title_lead(opening[0].text) :].rstrip("."), maxsplit=1)[0].strip()
    folded, size = folded_words(words), reading.vocabulary.generic_length(words)
    if not 0 < size < len(folded) <= size + _LONGEST_NAME_WORDS or not reading.wording.grammar.isdisjoint(folded):
        return ""
    if reading.wording.copula.search(opening[0].text) or is_headline(f"- {words}", reading.wording):
        return ""
    below = folded_words(opening[1].text)
    kind = reading.vocabulary.generic_length(opening[1].text)
    reach = _LONGEST_CLAUSE if kind < len(below) and below[kind] in reading.wording.relatives else 2
    shown = bool(kind) and not reading.wording.demonstratives.isdisjoint(below[kind : kind + reach])
    return words if shown or folded[-1] in below[:_OPENING_WORDS] else ""


def _explained(term: Span, told: Span, context: frozenset[str], reading: Reading) -> Item | None:
    block = Block("paragraph", *told)
    sentence = next(iter(reading.sentences_of(block)), None)
    heading = read_heading(term, reading)
    name = heading.name[:1].upper() + heading.name[1:]
    if sentence is None or not is_term(name, reading):
        return None
    if reading.is_places(*told) and (context or reading.vocabulary.head_of(name)):
        return Item(name, heading.text, [block], None, context=context, origins=[told])
    if _is_of_kind(name, sentence, reading):
        return Item(name, heading.text, [block], None, context=context, origins=list(heading.origins))
    definition = read_definition(sentence, reading.wording, reading.vocabulary, name, known_only=True)
    if definition is None or not same_name(definition.name, name, reading.vocabulary):
        definition = defined(sentence, (name,), (0, len(sentence.text)), reading.wording, reading.vocabulary)
    if not definition.categories or definition.is_other or not (context or is_of_culture(definition, reading)):
        return None
    return Item(name, heading.text, [block], definition, context=context, origins=list(heading.origins))


def _is_of_kind(name: str, sentence: Sentence, reading: Reading) -> bool:
    """`Jamu Cabe Puyang: terbuat dari ...`: the name says the kind, and the words what is true of it."""
    kinds = reading.vocabulary.head_of(name) if reading.vocabulary.generic_length(name) else frozenset()
    return len(kinds) == 1 and opens_with_cue(sentence, reading, next(iter(kinds)))


def is_term(name: str, reading: Reading) -> bool:
    words = folded_words(name)
    wording = reading.wording
    if all(word.isdigit() for word in words[reading.vocabulary.generic_length(name) :]):
        return False
    if not 0 < len(words) <= _LONGEST_NAME_WORDS or words[0] in wording.sections | wording.never_first:
        return False
    if is_label(name, reading.profile) or is_class(name, reading) or not wording.grammar.isdisjoint(words):
        return False
    return not is_region(name, reading, or_people=False)

"""Things that a text without a thing of its own tells of in passing: `terdapat legenda X, anak yang ...`, `motif Y melambangkan ..., motif Z ...`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lumbung.model.candidate import Block
from lumbung.text.extraction.category import fold, folded_words
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.kinds import Register, is_class, is_region, keys_of, same_name
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.titles import is_headline, title_lead
from lumbung.text.extraction.values import Span

_NAME = re.compile(r"[\"“‘']?([A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,3})[\"”’']?")
_BEFORE_KIND = re.compile(r"(?<![\w-])([A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,3}) ([a-z]+(?: [a-z]+)?)(?![\w-])")
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_CAPITAL = re.compile(r"[A-Z]")
_KIND_REACH = 60
_LEADING_PLACE = re.compile(r"(?:di|dari|pada)\s", re.IGNORECASE)
_TOLD_OF = re.compile(r"\s*(?:\([^()]{2,60}\)\s*)?(?::\s+(?=\w)|,\s+(?=[a-z])|\s(?=[a-z]))")
_MOST = 60
_MOST_BLOCKS = 80
"""A text with more parts is an index, and reading it all would cost more than it tells."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Where a clause begins that has a kind and a name as its subject."""

    name: str
    """Empty where the words are no name of one thing: what is told there is told of nothing we know."""
    start: int
    after: int
    """Where what is told of the thing before it ends."""
    lead: Span
    """What the sentence says before."""
    home: Span | None = None
    """The region that stands right behind the name."""
    kinds: frozenset[str] = frozenset()
    """Of the word of kind, where the name goes without it."""


def items_in_passing(blocks: list[Block], held: Sequence[int], reading: Reading) -> list[Item]:
    """The things, each with the words from where it is named to where the next one is; blocks that begin where others are held are theirs."""
    if not reading.wording.checks.passing.pattern or is_headline(reading.page.title, reading.wording):
        return []
    of_page = reading.vocabulary.kind_in(reading.page.title)
    items: list[Item] = []
    register = Register()
    goes_on = False
    for block in islice(blocks, _MOST_BLOCKS):
        if block.kind not in {"paragraph", "list-item"} or _is_held(block, held):
            goes_on = False
            continue
        openings = list(_openings(block, reading))
        if not openings and goes_on and block.kind == "paragraph":
            items[-1].blocks.append(block)
        ends = [*(opening.after for opening in openings[1:]), block.end]
        for opening, end in zip(openings, ends, strict=False):
            if opening.name:
                _add(opening, end, of_page, items, register, reading)
        goes_on = bool(openings[-1].name) if openings else goes_on
        if len(items) >= _MOST:
            break
    return items


def _is_held(block: Block, held: Sequence[int]) -> bool:
    at = bisect_left(held, block.start)
    return at < len(held) and held[at] < block.end


def names_another(block: Block, name: str, reading: Reading) -> bool:
    """Whether a block opens with a thing of another name, which it goes on to tell of."""
    sentence = next(iter(reading.sentences_of(block)), None) if block.kind in {"paragraph", "list-item"} else None
    found = _named_at(sentence, 0, 0, reading) if sentence and reading.wording.genus_comes_first else None
    return found is not None and bool(found.name) and not same_name(found.name, name, reading.vocabulary)


def _add(
    opening: Opening, end: int, of_page: frozenset[str], items: list[Item], register: Register, reading: Reading
) -> None:
    told = Block("list-item", opening.start, end)
    keys = keys_of(opening.name, reading.vocabulary)
    place = register.find(keys)
    if place is not None:
        items[place].blocks.append(told)
        return
    register.add(keys, len(items))
    kinds = opening.kinds or reading.vocabulary.head_of(opening.name) & of_page
    lead = Sentence(reading.text[slice(*opening.lead)], opening.lead[0])
    origins = [opening.home] if opening.home else [opening.lead] if _LEADING_PLACE.match(lead.text) else []
    items.append(Item(opening.name, opening.name, [told], context=kinds, origins=origins))


def _openings(block: Block, reading: Reading) -> Iterator[Opening]:
    named = _named_behind_kind if reading.wording.genus_comes_first else _named_before_kind
    for sentence in reading.sentences_of(block):
        found = [] if sentence.text.endswith("?") else list(named(sentence, reading))
        if found and not reading.wording.hearsay.search(sentence.text):
            yield from found


def _named_behind_kind(sentence: Sentence, reading: Reading) -> Iterator[Opening]:
    if not _CAPITAL.search(sentence.text, 1):
        return
    first = True
    for before, place in _clauses(sentence, reading):
        if (found := _named_at(sentence, 0 if first else before, place, reading)) is not None:
            yield found
            first = False


def _named_before_kind(sentence: Sentence, reading: Reading) -> Iterator[Opening]:
    """`The Saman dance of Aceh`: names in capitals with a word of kind behind them, in a language that puts it last."""
    last = 0
    for found in _BEFORE_KIND.finditer(sentence.text):
        words = found[2].split()
        kinds = (reading.vocabulary.genus_in(" ".join(words[:size]), first=False) for size in (1, 2))
        size, kind = next(((size, kind) for size, kind in enumerate(kinds, 1) if kind), (0, frozenset[str]()))
        name = reading.wording.determiner.sub("", found[1])
        if not size or not name:
            continue
        after = found.start(2) + len(" ".join(words[:size]))
        home = _home(sentence, after, reading)
        whole = f"{name} {' '.join(words[:size])}"
        if not _may_be_named(whole, name, reading) or not (home or _is_told_of(sentence, after, reading)):
            continue
        start = sentence.start + found.end(1) - len(name)
        yield Opening(name, start, sentence.start + last, (sentence.start, start), home, kind)
        last = after


def _clauses(sentence: Sentence, reading: Reading) -> Iterator[tuple[int, int]]:
    """Where in the sentence the words before a clause end, and where it may begin with its subject."""
    adverb = reading.wording.adverb.match(sentence.text)
    places = {title_lead(sentence.text): 0, adverb.end() if adverb else 0: 0}
    for found in reading.wording.checks.passing.finditer(sentence.text):
        places.setdefault(found.end(), found.start())
    yield from sorted((before, place) for place, before in places.items())


def _named_at(sentence: Sentence, before: int, place: int, reading: Reading) -> Opening | None:
    """A kind and a name in capitals of which the clause goes on to tell; of several in a row nothing is told apart."""
    article = reading.wording.article.match(sentence.text, place)
    place = article.end() if article else place
    first = _WORD.match(sentence.text, place)
    if first is None or fold(first[0]) not in reading.vocabulary.head_starts:
        return None
    size = _kind_length(sentence.text[place : place + _KIND_REACH], reading)
    words = list(_WORD.finditer(sentence.text, place, place + _KIND_REACH))[: size + 1]
    if not size or len(words) <= size:
        return None
    named = _NAME.match(sentence.text, words[size].start())
    if named is None:
        return None
    home = _home(sentence, named.end(), reading) or _owner(sentence, place, reading)
    if home is None and not _is_told_of(sentence, named.end(), reading):
        return None
    name = f"{sentence.text[place : words[size - 1].end()]} {named[1]}"
    name = name[:1].upper() + name[1:]
    known = _may_be_named(name, named[1], reading)
    start = sentence.start
    return Opening(name if known else "", start + place, start + before, (start, start + place), home)


def _kind_length(text: str, reading: Reading) -> int:
    first = _WORD.match(text)
    if first is None or first[0].casefold() not in reading.vocabulary.starts:
        return 0
    words = folded_words(text)
    heads = reading.vocabulary.heads
    sizes = range(min(reading.vocabulary.head_starts.get(words[0], 0), len(words)), 0, -1)
    return next((size for size in sizes if tuple(words[:size]) in heads), 0)


def _home(sentence: Sentence, after: int, reading: Reading) -> Span | None:
    """The region right behind the name: `tari Piring dari Sumatera Barat`."""
    found = reading.wording.checks.home.match(sentence.text, after)
    if found is None:
        return None
    start = sentence.start + found.end()
    region = next(iter(reading.regions_in(start, sentence.end)), None)
    return (region.start, region.end) if region is not None and region.start == start else None


def _owner(sentence: Sentence, place: int, reading: Reading) -> Span | None:
    """The region that is said to have the thing: `Bali memiliki tari Legong`."""
    until = sentence.start + place
    for region in reading.regions_in(sentence.start, until):
        owned = reading.wording.owner.match(reading.text, region.end, until)
        if owned is not None and not reading.text[owned.end() : until].strip():
            return (region.start, region.end)
    return None


def _is_told_of(sentence: Sentence, after: int, reading: Reading) -> bool:
    """Whether the words behind the name say something of it: a verb, a clause, what it is; a second name does not."""
    told = _TOLD_OF.match(sentence.text, after)
    if told is None:
        return False
    return ":" in told[0] or reading.wording.checks.told_of.match(sentence.text, told.end()) is not None


def _may_be_named(name: str, own: str, reading: Reading) -> bool:
    wording = reading.wording
    first = name.split(maxsplit=1)[0].casefold()
    of_tales = any(kind.of_names and kind.word.fullmatch(first) for kind in wording.kinds)
    if is_class(name, reading) or wording.people.match(own) or (is_region(own, reading) and not of_tales):
        return False
    words = folded_words(own)
    no_names = wording.never_first | wording.checks.pointers | wording.pronouns | wording.function_words
    if words[0] in no_names or wording.common.issuperset(words):
        return False
    return wording.other_head.search(name) is None and wording.grammar.isdisjoint(folded_words(name))

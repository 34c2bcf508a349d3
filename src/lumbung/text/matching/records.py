"""A table ready to be matched: its names in a book, its other columns by kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lumbung.text.matching.columns import Column, ColumnKind
from lumbung.text.matching.compared import WORDS
from lumbung.text.matching.named import RELATIONS, NameBook, name_book, variants_of

Relation = Callable[[str, str], bool]

_LONGEST_NAME = 300
"""Letters of a name that are compared: what is longer is no name, and would take its square in time."""
_MOST_ALIASES = 20
_DESCRIBED = 4


@dataclass(frozen=True)
class Records:
    """A table ready to be matched; with two files, records from `boundary` on are the right-hand ones."""

    size: int
    boundary: int | None
    names: tuple[tuple[int, ...], ...]
    """Each record's name variants, by their place in the book; empty without a name column."""
    book: NameBook
    columns: tuple[Column, ...]
    related: Relation | None = None
    descriptions: tuple[frozenset[str], ...] = ()
    """The words that describe what bears the name, none for most."""

    @property
    def fields(self) -> list[str]:
        named = ["name"] if self.book.names else []
        return named + [column.label for column in self.columns]

    @property
    def words(self) -> list[tuple[str, ...]]:
        """What the levels of each field are called."""
        named = [RELATIONS] if self.book.names else []
        return named + [WORDS[column.kind] for column in self.columns]


def records_of(
    names: Sequence[str],
    aliases: Sequence[str],
    columns: Sequence[Column],
    boundary: int | None,
    generic_words: Sequence[str] = (),
    related: Relation | None = None,
) -> Records:
    """`names` and `aliases` have one text a record, or are empty where the table has none."""
    place: dict[str, int] = {}
    uses: list[int] = []
    kinds: list[int] = []
    category = next((each for each in columns if each.kind is ColumnKind.CATEGORY), None)
    variants: list[tuple[int, ...]] = []
    written, descriptions = _apart([variants_of(name[:_LONGEST_NAME]) if name else [] for name in names])
    for index, found in enumerate(written):
        if aliases and aliases[index]:
            found.extend(variants_of(aliases[index][: 10 * _LONGEST_NAME].replace(",", ";"))[:_MOST_ALIASES])
        numbers = tuple(dict.fromkeys(place.setdefault(each, len(place)) for each in found))
        uses += [0] * (len(place) - len(uses))
        kinds += [int(category.codes[index]) if category else -1] * (len(place) - len(kinds))
        for number in numbers:
            uses[number] += 1
        variants.append(numbers)
    size = len(names) or (len(columns[0].codes) if columns else 0)
    book = name_book(tuple(place), uses, generic_words, kinds if category else None)
    return Records(size, boundary, tuple(variants) or ((),) * size, book, tuple(columns), related, descriptions)


def _apart(written: Sequence[list[str]]) -> tuple[list[list[str]], tuple[frozenset[str], ...]]:
    """Each record's names, and the words that only describe: what stands beside many names, as in `Saman (dance)`."""
    beside: dict[str, set[str]] = {}
    for first, *others in filter(None, written):
        for each in others:
            beside.setdefault(each.casefold(), set()).add(first.casefold())
    describing = {each for each, names in beside.items() if len(names) >= _DESCRIBED}
    names = [found[:1] + [each for each in found[1:] if each.casefold() not in describing] for found in written]
    said = ([each.casefold() for each in found[1:] if each.casefold() in describing] for found in written)
    return names, tuple(frozenset(" ".join(each).split()) for each in said)


def order_by_name(records: Records) -> NDArray[np.intp]:
    """Rank by name, so that the followers within a key are the likeliest partners."""
    texts = sorted(dict.fromkeys(records.book.joined_texts))
    place = {text: rank for rank, text in enumerate(texts)}
    ranks = [place[records.book.joined_texts[found[0]]] if found else -1 for found in records.names]
    order = np.empty(records.size, dtype=np.intp)
    order[np.argsort(np.array(ranks, dtype=np.int64), kind="stable")] = np.arange(records.size)
    return order

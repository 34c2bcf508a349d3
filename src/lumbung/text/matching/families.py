"""The keys under which records are looked for, from the surest to the loosest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from lumbung.text.matching.blocking import KeyFamily, deletions, numbered, skeleton
from lumbung.text.matching.columns import Column, ColumnKind
from lumbung.text.matching.compared import prose_words
from lumbung.text.matching.records import Records

Builder = Callable[[], KeyFamily]
COARSE = frozenset({ColumnKind.CATEGORY, ColumnKind.REGION, ColumnKind.CLASS})
_SHARP = frozenset({ColumnKind.CODE, ColumnKind.DATE})
_SELECTIVE = 0.25
MOST_NAMESAKES = 500_000
_ENOUGH_IDENTIFIERS = 2
"""With so many codes and dates that few share, a slip in the name does not hide a match from all keys."""


def _borne(records: Records) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(record, name) couples, as two arrays."""
    sizes = np.fromiter((len(found) for found in records.names), dtype=np.int64, count=records.size)
    names = np.fromiter((name for found in records.names for name in found), dtype=np.int64, count=int(sizes.sum()))
    return np.repeat(np.arange(records.size), sizes), names


def whole_names(records: Records) -> KeyFamily:
    owners, names = _borne(records)
    shift = len(records.book.names)
    keys = np.concatenate([records.book.joined[names], shift + records.book.keys[names]])
    return KeyFamily(keys, np.concatenate([owners, owners]), _widest(keys), of_names=True)


def _widest(keys: NDArray[np.int64]) -> int:
    """Bearers of one name are paired completely as long as that is no more than a bounded number of pairs."""
    _, bearers = np.unique(keys, return_counts=True)
    for window in (1000, 500, 250, 120):
        if float((bearers * np.minimum(bearers - 1, window)).sum()) <= 2 * MOST_NAMESAKES:
            return window
    return 60


def single_words(records: Records, window: int) -> KeyFamily:
    owners, names = _borne(records)
    words = records.book.words[names].astype(np.int64)
    kept = ~records.book.generic[names] & (words >= 0)
    return KeyFamily(words[kept], np.repeat(owners, kept.sum(axis=1)), window, of_names=True)


def word_couples(records: Records) -> KeyFamily:
    owners, names = _borne(records)
    words = records.book.words[names].astype(np.int64)
    size = len(records.book.vocabulary) + 1
    keys, bearers = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for i, j in combinations(range(words.shape[1]), 2):
        kept = (words[:, i] >= 0) & (words[:, j] >= 0)
        low, high = np.minimum(words[kept, i], words[kept, j]), np.maximum(words[kept, i], words[kept, j])
        keys.append(low * size + high)
        bearers.append(owners[kept])
    return KeyFamily(np.concatenate(keys), np.concatenate(bearers), 30, of_names=True)


def _per_name(records: Records, forms: Callable[[int], Iterator[str]], window: int) -> KeyFamily:
    by_name = [list(dict.fromkeys(forms(name))) for name in range(len(records.book.names))]
    couples = ((form, owner) for owner, found in enumerate(records.names) for name in found for form in by_name[name])
    return numbered(couples, window, of_names=True)


def word_slips(records: Records) -> KeyFamily:
    """Words and whole names with one letter left out."""
    book = records.book
    of_word = [deletions(word) if len(word) >= 5 else [] for word in book.vocabulary]

    def forms(name: int) -> Iterator[str]:
        for code in book.words[name][~book.generic[name]].tolist():
            yield from of_word[code]
        joined = book.joined_texts[name]
        if len(joined) >= 5:
            yield from deletions(joined, 14)

    return _per_name(records, forms, 12)


def name_bones(records: Records) -> KeyFamily:
    def forms(name: int) -> Iterator[str]:
        bone = skeleton(records.book.joined_texts[name])
        if len(bone) >= 3:
            yield bone

    return _per_name(records, forms, 15)


def name_ends(records: Records) -> KeyFamily:
    def forms(name: int) -> Iterator[str]:
        joined = records.book.joined_texts[name]
        if len(joined) >= 5:
            yield f"<{joined[:5]}"
            yield f"{joined[-5:]}>"

    return _per_name(records, forms, 15)


def column_values(column: Column, window: int) -> KeyFamily:
    known = np.flatnonzero(column.codes >= 0)
    return KeyFamily(column.codes[known].astype(np.int64), known, window)


def joint_values(first: Column, second: Column, window: int) -> KeyFamily:
    """Records that share the values of two columns at once."""
    known = np.flatnonzero((first.codes >= 0) & (second.codes >= 0))
    keys = first.codes[known].astype(np.int64) * (len(second.distinct) + 1) + second.codes[known]
    return KeyFamily(keys, known, window)


def rare_prose(column: Column) -> KeyFamily:
    """The three rarest words that some other record has too."""
    bags = [set(prose_words(text)) for text in column.distinct]
    frequency: dict[str, int] = {}
    for bag in bags:
        for word in bag:
            frequency[word] = frequency.get(word, 0) + 1
    rarest = []
    for bag in bags:
        shared = sorted((word for word in bag if frequency[word] > 1), key=lambda word: (frequency[word], word))
        rarest.append(shared[:3])
    owners = [(index, code) for index, code in enumerate(column.codes.tolist()) if code >= 0]
    return numbered(((word, index) for index, code in owners for word in (f"={code}", *rarest[code])), 10)


def first_families(records: Records) -> list[KeyFamily]:
    """Enough to learn from: sure keys for the matches, loose ones for the others."""
    families = [column_values(column, 20) for column in records.columns if _identifies(column)]
    if records.book.names:
        families += [whole_names(records), word_couples(records), single_words(records, 6)]
    if not families:
        families = [rare_prose(c) if c.kind is ColumnKind.PROSE else column_values(c, 10) for c in records.columns]
    return families


def further_families(records: Records) -> list[Builder]:
    """Each is taken only if a sample of what it would add holds matches; the cheapest to build come first."""
    fine = [column for column in records.columns if column.kind not in COARSE]
    coarse = [column for column in records.columns if column.kind in COARSE]
    keyed = [column for column in fine if column.kind is not ColumnKind.PROSE]
    builders: list[Builder] = [partial(column_values, column, 10) for column in keyed if not _identifies(column)]
    if records.book.names:
        builders += [partial(name_bones, records), partial(single_words, records, 40)]
        if sum(map(_identifies, keyed)) < _ENOUGH_IDENTIFIERS:
            builders += [partial(word_slips, records), partial(name_ends, records)]
    builders += [partial(rare_prose, column) for column in fine if column.kind is ColumnKind.PROSE]
    builders += [partial(joint_values, column, other, 15) for column in keyed for other in coarse]
    builders += [partial(joint_values, a, b, 15) for a, b in combinations(keyed, 2)]
    return builders


def _identifies(column: Column) -> bool:
    """A code or date that few records share."""
    known = int((column.codes >= 0).sum())
    return column.kind in _SHARP and len(column.distinct) >= _SELECTIVE * known > 0

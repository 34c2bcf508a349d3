"""Which pairs are compared at all: several independent keys a record, windows in place of whole blocks.

Records that share a key are sorted by name, and each is paired with its nearest followers within the key. A key borne
by few is thereby paired completely, one borne by thousands costs no more than its window: memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.int64]
Pairs = NDArray[np.int64]


@dataclass(frozen=True)
class KeyFamily:
    """One way of blocking: (key, record) couples, and how many followers each record is paired with."""

    keys: Keys
    records: NDArray[np.int64]
    window: int
    of_names: bool = False
    """Whether names alone bring the records together."""


def numbered(couples: Iterable[tuple[str, int]], window: int, *, of_names: bool = False) -> KeyFamily:
    """A family whose keys are texts."""
    place: dict[str, int] = {}
    keys, records = [], []
    for key, record in couples:
        keys.append(place.setdefault(key, len(place)))
        records.append(record)
    return KeyFamily(np.array(keys, dtype=np.int64), np.array(records, dtype=np.int64), window, of_names)


def distinct(values: Pairs) -> Pairs:
    """Sorted, each once."""
    if values.size == 0:
        return values
    ranked = np.sort(values)
    return ranked[np.concatenate(([True], ranked[1:] != ranked[:-1]))]


def among(values: Pairs, known: Pairs) -> NDArray[np.bool_]:
    """Which of the values are in the distinct `known`."""
    if known.size == 0:
        return np.zeros(len(values), dtype=bool)
    place = np.minimum(np.searchsorted(known, values), known.size - 1)
    return np.asarray(known[place] == values)


def without(values: Pairs, known: Pairs) -> Pairs:
    """Those of the `values` that are not in the distinct `known`."""
    fresh: Pairs = values[~among(values, known)]
    return fresh


def windowed_pairs(family: KeyFamily, order: NDArray[np.intp], boundary: int | None) -> Pairs:
    """Pairs as first * records + second, first < second; with a boundary only pairs across it."""
    if family.keys.size == 0:
        return np.empty(0, dtype=np.int64)
    total = len(order)
    sorting = np.lexsort((order[family.records], family.keys))
    codes, records = family.keys[sorting], family.records[sorting]
    found = []
    for step in range(1, family.window + 1):
        same = codes[step:] == codes[:-step]
        if not same.any():
            break
        a, b = records[step:][same], records[:-step][same]
        low, high = np.minimum(a, b), np.maximum(a, b)
        keep = low != high
        if boundary is not None:
            keep &= (low < boundary) & (high >= boundary)
        found.append(low[keep] * total + high[keep])
    return distinct(np.concatenate(found)) if found else np.empty(0, dtype=np.int64)


def deletions(word: str, longest: int = 10) -> list[str]:
    """The word's head and each form of it with one letter left out: two words one slip apart share one."""
    head = word[:longest]
    return [head, *dict.fromkeys(head[:i] + head[i + 1 :] for i in range(len(head)))]


def skeleton(key: str) -> str:
    """The consonants alone, doubled ones once: vowels are what spellings disagree on most."""
    kept = [letter for letter in key if letter not in "aeiouhy"]
    return "".join(letter for i, letter in enumerate(kept) if i == 0 or letter != kept[i - 1])

"""How alike two records are, in numbers: what a comparison level leaves out, for a model that has labels to learn from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA, JaroWinkler

from lumbung.text.matching.columns import Column, ColumnKind
from lumbung.text.matching.compared import measured, prose_cosines, shared_parts
from lumbung.text.matching.levels import Indices, Levels
from lumbung.text.matching.named import name_likeness
from lumbung.text.matching.records import Records
from lumbung.text.matching.rivals import Rivals

Numbers = NDArray[np.float64]

_CHUNK = 100_000


@dataclass(frozen=True)
class Described:
    """The pair features of a table, one row a pair: levels, likenesses, rarity of what agrees, and rivals."""

    records: Records
    rivals: Rivals

    @cached_property
    def _first_names(self) -> Indices:
        return np.array([found[0] if found else -1 for found in self.records.names], dtype=np.int32)

    def features(self, left: Indices, right: Indices, levels: Levels, log_odds: Numbers) -> Numbers:
        parts = [np.column_stack([*self._levels(levels), *self._rivalry(left, right, log_odds)])]
        if self.records.book.names:
            parts.append(self._names(left, right))
        parts += [column_likeness(column, left, right) for column in self.records.columns]
        return np.column_stack(parts)

    def _levels(self, levels: Levels) -> list[Numbers]:
        """One feature a level; a missing value sets none."""
        sizes = [len(words) for words in self.records.words]
        return [(levels[:, [field]] == np.arange(size)).astype(np.float64) for field, size in enumerate(sizes)]

    def _rivalry(self, left: Indices, right: Indices, log_odds: Numbers) -> list[Numbers]:
        mine, others = self.rivals.beside(left, right), self.rivals.beside(right, left)
        behind = [np.clip(log_odds - each, -5, 5) / 5 for each in (mine, others)]
        best = [(each >= 0).astype(np.float64) for each in behind]
        return [np.clip(log_odds, -10, 10) / 5, np.minimum(*behind), np.maximum(*behind), best[0] * best[1]]

    def _names(self, left: Indices, right: Indices) -> Numbers:
        a, b = self._first_names[left], self._first_names[right]
        known = np.flatnonzero((a >= 0) & (b >= 0))
        found: Numbers | None = None
        for start in range(0, max(1, len(known)), _CHUNK):
            rows = known[start : start + _CHUNK]
            part = name_likeness(self.records.book, a[rows], b[rows])
            if found is None:
                found = np.zeros((len(left), part.shape[1]))
            found[rows] = part
        return found if found is not None else np.zeros((len(left), 0))


def column_likeness(column: Column, left: Indices, right: Indices) -> Numbers:
    """Likeness of the values, rarity of an equal one, and how near numbers are; nothing where a value is missing."""
    a, b = column.codes[left].astype(np.int64), column.codes[right].astype(np.int64)
    known = (a >= 0) & (b >= 0)
    found = np.zeros((len(left), 3))
    if not known.any():
        return found
    width = len(column.distinct)
    low, high = np.minimum(a[known], b[known]), np.maximum(a[known], b[known])
    distinct, back = np.unique(low * width + high, return_inverse=True)
    first, second = distinct // width, distinct % width
    equal = first == second
    alike, near = np.ones(len(distinct)), np.ones(len(distinct))
    x = [column.distinct[n] for n in first[~equal].tolist()]
    y = [column.distinct[n] for n in second[~equal].tolist()]
    alike[~equal], near[~equal] = _alike(column, x, y)
    total = max(2, int(column.counts.sum()))
    rarity = np.where(equal, np.log(total / np.maximum(1, column.counts[first])) / math.log(total), 0.0)
    found[known] = np.column_stack([alike, rarity, near])[back]
    return found


def _alike(column: Column, x: Sequence[str], y: Sequence[str]) -> tuple[Numbers, Numbers]:
    if not x:
        return np.empty(0), np.empty(0)
    if column.kind is ColumnKind.PROSE:
        alike = np.array(prose_cosines(column, x, y))
        return alike, alike
    if column.kind is ColumnKind.SET:
        alike = np.array(shared_parts(column, x, y))
        return alike, alike
    letters = process.cpdist(x, y, scorer=OSA.normalized_similarity, dtype=np.float64)
    if column.kind in {ColumnKind.NUMBER, ColumnKind.CODE, ColumnKind.DATE}:
        return letters, _near(x, y)
    alike = process.cpdist(x, y, scorer=JaroWinkler.similarity, dtype=np.float64)
    return np.maximum(letters, alike), process.cpdist(x, y, scorer=fuzz.token_set_ratio, dtype=np.float64) / 100


def _near(x: Sequence[str], y: Sequence[str]) -> Numbers:
    """How near two numbers of one unit are, relative to the larger: 1 is equal, 0 far apart or no numbers."""
    found = []
    for a, b in zip(x, y, strict=True):
        p, q = measured(a), measured(b)
        gap = abs(p[0] - q[0]) / max(abs(p[0]), abs(q[0]), 1e-12) if p and q and p[1] == q[1] else 1.0
        found.append(math.exp(-20 * gap))
    return np.array(found)

"""Comparison vectors: one level a field for every pair."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lumbung.text.matching.compared import compare_column
from lumbung.text.matching.named import Relation, relate
from lumbung.text.matching.records import Records

Indices = NDArray[np.int32]
Levels = NDArray[np.int8]

CHUNK = 200_000


def _name_levels(records: Records, left: Indices, right: Indices) -> Levels:
    """The closest relation over all variants of both names."""
    rare_up_to = max(4, records.size // 2000)
    levels = np.full(len(left), -1, dtype=np.int8)
    first = np.array([found[0] if found else -1 for found in records.names], dtype=np.int32)
    a, b = first[left], first[right]
    known = np.flatnonzero((a >= 0) & (b >= 0))
    levels[known] = relate(records.book, a[known], b[known], rare_up_to)
    several = np.array([len(found) > 1 for found in records.names], dtype=bool)
    rows, others_a, others_b = [], [], []
    for row in np.flatnonzero((several[left] | several[right]) & (levels >= 0)).tolist():
        for x in records.names[left[row]]:
            for y in records.names[right[row]]:
                rows.append(row)
                others_a.append(x)
                others_b.append(y)
    if rows:
        found = relate(records.book, np.array(others_a, np.int32), np.array(others_b, np.int32), rare_up_to)
        found[found < Relation.BY_ALIAS] = Relation.BY_ALIAS
        np.minimum.at(levels, np.array(rows), found)
    _part_described(records, left, right, levels)
    return levels


def _part_described(records: Records, left: Indices, right: Indices, levels: Levels) -> None:
    """Names that are described otherwise, as `Saman (dance)` and `Saman (tree)`, were told apart by who wrote them."""
    described = np.array([bool(words) for words in records.descriptions], dtype=bool)
    if not described.any():
        return
    near = (levels >= 0) & (levels < Relation.ADDS_LITTLE)
    for row in np.flatnonzero(described[left] & described[right] & near).tolist():
        a, b = records.descriptions[left[row]], records.descriptions[right[row]]
        if not (a <= b or b <= a):
            levels[row] = Relation.ADDS_LITTLE


def compare_pairs(records: Records, left: Indices, right: Indices) -> Levels:
    """One row of levels a pair, in the order of `records.fields`."""
    parts = []
    for start in range(0, len(left), CHUNK):
        a, b = left[start : start + CHUNK], right[start : start + CHUNK]
        columns = [_name_levels(records, a, b)] if records.book.names else []
        columns += [compare_column(column, a, b, records.related) for column in records.columns]
        parts.append(np.column_stack(columns))
    return np.concatenate(parts) if parts else np.empty((0, len(records.fields)), dtype=np.int8)

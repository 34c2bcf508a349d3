"""What two sure pairs say about the third: if a is b and b is c, then a is c, unless one of the first two is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from lumbung.text.matching.levels import Indices, Levels, compare_pairs
from lumbung.text.matching.records import Records

Numbers = NDArray[np.float64]

SURE = 0.95
MOST_SURE = 0.99
"""A belief is not taken for more than this here, since the model may be wrong where it is sure."""
NEVER_COMPARED = 0.001
"""What is believed of a pair that no key brought together, in a group whose members windows would have brought together."""
WINDOWED = 30
LARGEST_GROUP = 1000
ROUNDS, MOST_ROUNDS = 2, 6
WORTH_ANOTHER = 0.001
Judge = Callable[[Indices, Indices, Levels], Numbers]
"""What the model believes of pairs, given with their comparison vectors."""


@dataclass(frozen=True)
class Judged:
    """Pairs with their comparison vectors and beliefs; `through` is the record by which a belief was raised, or -1."""

    left: Indices
    right: Indices
    levels: Levels
    beliefs: Numbers
    through: Indices


def third_side(ab: Numbers, bc: Numbers, ac: Numbers) -> Numbers:
    """P(a is c) over the consistent states of a triangle: all three hold, or at most one does."""
    ab, bc = np.minimum(ab, MOST_SURE), np.minimum(bc, MOST_SURE)
    holds = ab * bc * ac + (1 - ab) * (1 - bc) * ac
    fails = (1 - ac) * (ab * (1 - bc) + (1 - ab) * bc + (1 - ab) * (1 - bc))
    return np.asarray(holds / (holds + fails))


@dataclass(frozen=True)
class Triangles:
    """Third sides (as left * size + right), the beliefs of the surest two other sides, and the record between."""

    keys: NDArray[np.int64]
    ab: Numbers
    bc: Numbers
    between: Indices
    crowded: NDArray[np.bool_]
    """Whether the group is larger than the windows in which its members were looked for."""


def _triangles(judged: Judged, size: int) -> Triangles | None:
    sure = np.flatnonzero(judged.beliefs >= SURE)
    left, right, beliefs = judged.left[sure], judged.right[sure], judged.beliefs[sure]
    parts = [_of_group(left[rows], right[rows], beliefs[rows], size) for rows in _groups(left, right)]
    if not parts:
        return None
    order = np.argsort(np.concatenate([part.keys for part in parts]))
    return Triangles(
        *(np.concatenate([getattr(part, each.name) for part in parts])[order] for each in fields(Triangles))
    )


def _groups(left: Indices, right: Indices) -> list[NDArray[np.intp]]:
    """The rows of the pairs of each group that sure pairs hold together; a group beyond all measure is a mistake."""
    home: dict[int, int] = {}

    def root(record: int) -> int:
        while (above := home.setdefault(record, record)) != record:
            home[record] = record = home.setdefault(above, above)
        return record

    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        home[root(a)] = root(b)
    members = Counter(root(record) for record in list(home))
    rows: dict[int, list[int]] = {}
    for row, a in enumerate(left.tolist()):
        rows.setdefault(root(a), []).append(row)
    return [np.array(found) for group, found in rows.items() if 3 <= members[group] <= LARGEST_GROUP]


def _of_group(left: Indices, right: Indices, beliefs: Numbers, size: int) -> Triangles:
    """Over all records between, the two sides whose product is the highest; the first record of equal ones."""
    records, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    a, b = places[: len(left)], places[len(left) :]
    sides = np.zeros((len(records), len(records)))
    sides[a, b] = sides[b, a] = beliefs
    best, between = np.zeros_like(sides), np.zeros(sides.shape, dtype=np.int32)
    for middle in range(len(records)):
        ends = np.flatnonzero(sides[middle])
        place = np.ix_(ends, ends)
        product = np.outer(sides[middle, ends], sides[middle, ends])
        higher = product > best[place]
        best[place] = np.where(higher, product, best[place])
        between[place] = np.where(higher, middle, between[place])
    first, second = np.nonzero(np.triu(best, 1))
    middles = between[first, second]
    keys = records[first].astype(np.int64) * size + records[second]
    crowded = np.full(len(keys), len(records) > WINDOWED)
    return Triangles(keys, sides[first, middles], sides[middles, second], records[middles].astype(np.int32), crowded)


def _round(records: Records, judged: Judged, judge: Judge) -> Judged:
    found = _triangles(judged, records.size)
    if found is None:
        return judged
    keys, between = found.keys, found.between
    codes = judged.left.astype(np.int64) * records.size + judged.right
    order = np.argsort(codes)
    place = order[np.minimum(np.searchsorted(codes, keys, sorter=order), len(codes) - 1)]
    known = codes[place] == keys
    beliefs, through = judged.beliefs.copy(), judged.through.copy()
    fresh = keys[~known]
    left, right = (fresh // records.size).astype(np.int32), (fresh % records.size).astype(np.int32)
    levels = compare_pairs(records, left, right)
    own = judged.beliefs[place]
    own[~known] = np.where(found.crowded[~known], judge(left, right, levels), NEVER_COMPARED)
    raised = third_side(found.ab, found.bc, own)
    higher = raised > own
    beliefs[place[known & higher]], through[place[known & higher]] = raised[known & higher], between[known & higher]
    return Judged(
        np.concatenate([judged.left, left]),
        np.concatenate([judged.right, right]),
        np.concatenate([judged.levels, levels]),
        np.concatenate([beliefs, np.maximum(raised, own)[~known]]),
        np.concatenate([through, np.where(higher, between, -1)[~known].astype(np.int32)]),
    )


def completed(
    records: Records, left: Indices, right: Indices, levels: Levels, beliefs: Numbers, judge: Judge
) -> Judged:
    """The pairs of one file, with third sides raised and added; between two files there are no triangles.

    A group of hundreds is looked for in windows and comes together round by round, until nothing is added.
    """
    judged = Judged(left, right, levels, beliefs, np.full(len(left), -1, dtype=np.int32))
    if records.boundary is None and records.size > 2:
        for turn in range(MOST_ROUNDS):
            before = len(judged.left)
            judged = _round(records, judged, judge)
            if turn + 1 >= ROUNDS and len(judged.left) - before < WORTH_ANOTHER * before:
                break
    return judged

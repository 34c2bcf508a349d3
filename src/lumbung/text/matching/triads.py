"""What two sure pairs say about the third: if a is b and b is c, then a is c, unless one of the first two is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lumbung.text.matching.levels import Indices, Levels, compare_pairs
from lumbung.text.matching.records import Records

Numbers = NDArray[np.float64]

SURE = 0.95
MOST_SURE = 0.99
"""A belief is not taken for more than this here, since the model may be wrong where it is sure."""
MOST_PARTNERS = 30
NEVER_COMPARED = 0.001
ROUNDS = 2


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


def _triangles(judged: Judged, size: int) -> tuple[NDArray[np.int64], Numbers, Numbers, Indices]:
    """Third sides (as left * size + right), the beliefs of the surest two other sides, and the record between."""
    partners: dict[int, dict[int, float]] = {}
    sure = np.flatnonzero(judged.beliefs >= SURE)
    sides = zip(judged.left[sure].tolist(), judged.right[sure].tolist(), judged.beliefs[sure].tolist(), strict=True)
    for a, b, belief in sides:
        partners.setdefault(a, {})[b] = belief
        partners.setdefault(b, {})[a] = belief
    best: dict[int, tuple[float, float, float, int]] = {}
    for middle in sorted(partners):
        ends = sorted(partners[middle].items())
        if len(ends) > MOST_PARTNERS:
            continue
        for i, (a, ab) in enumerate(ends):
            for c, bc in ends[i + 1 :]:
                if ab * bc > best.get(a * size + c, (0.0,))[0]:
                    best[a * size + c] = (ab * bc, ab, bc, middle)
    keys = sorted(best)
    sides_ab, sides_bc = (np.array([best[key][side] for key in keys]) for side in (1, 2))
    return np.array(keys, np.int64), sides_ab, sides_bc, np.array([best[key][3] for key in keys], np.int32)


def _round(records: Records, judged: Judged) -> Judged:
    keys, ab, bc, between = _triangles(judged, records.size)
    if keys.size == 0:
        return judged
    codes = judged.left.astype(np.int64) * records.size + judged.right
    order = np.argsort(codes)
    place = order[np.minimum(np.searchsorted(codes, keys, sorter=order), len(codes) - 1)]
    known = codes[place] == keys
    beliefs, through = judged.beliefs.copy(), judged.through.copy()
    raised = third_side(ab, bc, np.where(known, judged.beliefs[place], NEVER_COMPARED))
    higher = known & (raised > judged.beliefs[place])
    beliefs[place[higher]], through[place[higher]] = raised[higher], between[higher]
    fresh = keys[~known]
    left, right = (fresh // records.size).astype(np.int32), (fresh % records.size).astype(np.int32)
    return Judged(
        np.concatenate([judged.left, left]),
        np.concatenate([judged.right, right]),
        np.concatenate([judged.levels, compare_pairs(records, left, right)]),
        np.concatenate([beliefs, raised[~known]]),
        np.concatenate([through, between[~known]]),
    )


def completed(records: Records, left: Indices, right: Indices, levels: Levels, beliefs: Numbers) -> Judged:
    """The pairs of one file, with third sides raised and added; between two files there are no triangles."""
    judged = Judged(left, right, levels, beliefs, np.full(len(left), -1, dtype=np.int32))
    if records.boundary is None and records.size > 2:
        for _ in range(ROUNDS):
            judged = _round(records, judged)
    return judged

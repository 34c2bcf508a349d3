"""Who else could be the partner: what a pair is worth depends on whether its records have a better one.

Where names are all there is, a name that is nearest to another, and the other to it, means far more than the same
likeness with a nearer one beside it. Between two files that hold each thing once, partners exclude one another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lumbung.equations.matcher import logistic
from lumbung.text.matching.levels import Indices, Levels
from lumbung.text.matching.named import RELATIONS, Relation, name_likeness
from lumbung.text.matching.records import Records

Numbers = NDArray[np.float64]

_CHUNK = 100_000
_NEAREST = (0.9, 0.5, 0.95, 0.65, 0.5, 0.95, 0.75, 0.75, 0.6, 0.4, 0.45, 0.35, 0.2)
_SURPASSED = (0.1, 0.1, 0.3, 0.03, 0.15, 0.7, 0.12, 0.08, 0.05, 0.01, 0.03, 0.004, 0.01)
"""The share of matches by the relation of names, where names are all that is known of both files: of pairs in which each
is the other's nearest, and of those in which one has a nearer one."""
_SURE = 0.9
_SECOND_ALLOWED = 0.02
_FEW = 10


@dataclass(frozen=True)
class Rivals:
    """Of every record its best partner among the compared pairs, and how good that one and the next best are."""

    partner: Indices
    best: Numbers
    second: Numbers

    def beside(self, record: Indices, partner: Indices) -> Numbers:
        """How good the record's best partner but this one is."""
        return np.where(self.partner[record] == partner, self.second[record], self.best[record])


def rivals_of(size: int, left: Indices, right: Indices, scores: Numbers, none: float) -> Rivals:
    """`none` is the score where there is no further partner."""
    records, partners = np.concatenate([left, right]), np.concatenate([right, left])
    both = np.concatenate([scores, scores])
    order = np.lexsort((partners, -both, records))
    records, partners, both = records[order], partners[order], both[order]
    found = Rivals(np.full(size, -1, dtype=np.int32), np.full(size, none), np.full(size, none))
    first = np.flatnonzero(np.append(True, records[1:] != records[:-1])[: len(records)])
    found.partner[records[first]], found.best[records[first]] = partners[first], both[first]
    following = first[first + 1 < len(records)] + 1
    following = following[records[following] == records[following - 1]]
    found.second[records[following]] = both[following]
    return found


@dataclass(frozen=True)
class NearestName:
    """Between two files of names alone."""

    records: Records
    rivals: Rivals

    @classmethod
    def among(cls, records: Records, left: Indices, right: Indices, levels: Levels) -> NearestName:
        scores = _name_scores(records, left, right, levels)
        return cls(records, rivals_of(records.size, left, right, scores, -float(len(RELATIONS) + 1)))

    def corrected(self, left: Indices, right: Indices, levels: Levels, log_odds: Numbers) -> Numbers:
        scores = _name_scores(self.records, left, right, levels)
        nearest = (scores >= self.rivals.beside(left, right)) & (scores >= self.rivals.beside(right, left))
        shares = np.array([_SURPASSED, _NEAREST])[nearest.astype(np.intp), np.clip(levels[:, 0], 0, len(_NEAREST) - 1)]
        near = (levels[:, 0] >= 0) & (levels[:, 0] < Relation.APART)
        return np.where(near, np.log(shares / (1 - shares)), log_odds)


def _name_scores(records: Records, left: Indices, right: Indices, levels: Levels) -> Numbers:
    """The relation of the names first, among equal ones their likeness."""
    first = np.array([found[0] if found else -1 for found in records.names], dtype=np.int32)
    scores = -levels[:, 0].astype(np.float64)
    known = np.flatnonzero((first[left] >= 0) & (first[right] >= 0))
    for start in range(0, len(known), _CHUNK):
        rows = known[start : start + _CHUNK]
        scores[rows] += 0.9 * name_likeness(records.book, first[left[rows]], first[right[rows]])[:, :3].mean(axis=1)
    return scores


@dataclass(frozen=True)
class OnePartner:
    """Between two files: the odds of all partners of a record that has at most one, 0 where it may have several."""

    odds: Numbers

    @classmethod
    def among(cls, records: Records, left: Indices, right: Indices, log_odds: Numbers) -> OnePartner:
        boundary = records.boundary or 0
        odds = np.exp(np.clip(log_odds, -30, 30))
        total = np.zeros(records.size)
        for side in (left, right):
            total += np.bincount(side, odds, records.size)
        sure = logistic(log_odds) >= _SURE
        partners = np.bincount(left[sure], minlength=records.size) + np.bincount(right[sure], minlength=records.size)
        for file in (slice(0, boundary), slice(boundary, records.size)):
            with_one, with_more = int((partners[file] >= 1).sum()), int((partners[file] >= 2).sum())
            if with_one < _FEW or with_more > _SECOND_ALLOWED * with_one:
                total[file] = 0.0
        return cls(total)

    def corrected(self, left: Indices, right: Indices, levels: Levels, log_odds: Numbers) -> Numbers:
        own = np.exp(np.clip(log_odds, -30, 30))
        others = np.maximum(0.0, self.odds[left] - own) + np.maximum(0.0, self.odds[right] - own)
        return np.asarray(log_odds - np.log1p(others))


Standing = NearestName | OnePartner


def standing_of(records: Records, left: Indices, right: Indices, levels: Levels, log_odds: Numbers) -> Standing | None:
    """None within one file, where a thing may have any number of records."""
    if records.boundary is None or len(left) == 0:
        return None
    if not records.columns:
        return NearestName.among(records, left, right, levels)
    return OnePartner.among(records, left, right, log_odds)

"""What labels teach the matcher: a regularised logistic model over pair features, started from the unlabelled one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lumbung.equations.label_training import Sample, parts_of, train
from lumbung.equations.matcher import Logistic
from lumbung.text.matching.blocking import among, distinct
from lumbung.text.matching.engine import Fitted, Search
from lumbung.text.matching.levels import Indices, Levels, compare_pairs
from lumbung.text.matching.likeness import Described
from lumbung.text.matching.records import Records
from lumbung.text.matching.rivals import Standing, rivals_of, standing_of

Numbers = NDArray[np.float64]
Label = tuple[int, int, bool]

_RANGES, _OF_A_RANGE = 20, 40
_WORD = 4.6
"""A label is wrong about its own pair once in a hundred times."""
_BEYOND = 1.0
_AT_LEAST = -4.0
_FIRMEST = 10.0
"""Log-odds beyond which the unlabelled model is not believed, so that labels can outweigh it."""


@dataclass(frozen=True)
class Unlabelled:
    """The mixture, and where records of two files rival for partners, what that makes of it."""

    fitted: Fitted
    standing: Standing | None = None

    @property
    def adds(self) -> str | None:
        """What speaks beside the columns, as evidence calls it."""
        return "partners" if self.standing else None

    def log_odds(self, left: Indices, right: Indices, levels: Levels) -> Numbers:
        found = self.fitted.log_odds(levels)
        return self.standing.corrected(left, right, levels, found) if self.standing else found


def unlabelled(records: Records, found: Search) -> Unlabelled:
    log_odds = found.fitted.log_odds(found.levels)
    return Unlabelled(found.fitted, standing_of(records, found.left, found.right, found.levels, log_odds))


@dataclass(frozen=True)
class Learned:
    """The log-odds without labels, corrected; pairs far below every labelled match are left as they are."""

    before: Unlabelled
    described: Described
    correction: Logistic
    floor: float
    """What lies below is not looked at more closely."""

    @property
    def fitted(self) -> Fitted:
        return self.before.fitted

    def log_odds(self, left: Indices, right: Indices, levels: Levels) -> Numbers:
        believed = self.before.log_odds(left, right, levels)
        found = believed.copy()
        near = np.flatnonzero(believed >= self.floor)
        offset = _firm(believed[near])
        features = self.described.features(left[near], right[near], levels[near], offset)
        found[near] = offset + self.correction.log_odds(features)
        return found


@dataclass(frozen=True)
class Told:
    """What a model believes, and what labels say about the very pairs they name."""

    model: Unlabelled | Learned
    size: int
    pairs: NDArray[np.int64]
    said: NDArray[np.bool_]
    adds: ClassVar[str] = "labels"

    @property
    def fitted(self) -> Fitted:
        return self.model.fitted

    def log_odds(self, left: Indices, right: Indices, levels: Levels) -> Numbers:
        codes = np.minimum(left, right).astype(np.int64) * self.size + np.maximum(left, right)
        there = among(codes, self.pairs)
        place = np.minimum(np.searchsorted(self.pairs, codes), len(self.pairs) - 1)
        word = np.where(self.said[place], _WORD, -_WORD)
        return np.asarray(self.model.log_odds(left, right, levels) + np.where(there, word, 0.0))


Model = Unlabelled | Told


def labelled_matches(records: Records, labels: Sequence[Label]) -> NDArray[np.int64]:
    """As the search numbers its pairs."""
    return distinct(np.array([min(a, b) * records.size + max(a, b) for a, b, said in labels if said], dtype=np.int64))


def _compared(records: Records, found: Search, labels: Sequence[Label]) -> list[tuple[tuple[int, int], bool]]:
    """Each labelled pair once, sorted; of matches only those that were compared, since these are what is judged."""
    pairs = distinct(found.left.astype(np.int64) * records.size + found.right)
    ordered = sorted({(min(a, b), max(a, b)): said for a, b, said in labels}.items())
    there = among(np.array([a * records.size + b for (a, b), _ in ordered], dtype=np.int64), pairs)
    return [label for label, held in zip(ordered, there.tolist(), strict=True) if held or not label[1]]


def told(records: Records, found: Search, labels: Sequence[Label]) -> Told:
    ordered = sorted({min(a, b) * records.size + max(a, b): said for a, b, said in labels}.items())
    pairs = np.array([pair for pair, _ in ordered], dtype=np.int64)
    return Told(learn(records, found, labels), records.size, pairs, np.array([said for _, said in ordered]))


def learn(records: Records, found: Search, labels: Sequence[Label]) -> Unlabelled | Learned:
    """The unlabelled model where labels are few or teach nothing that holds on others."""
    ordered = _compared(records, found, labels)
    left = np.array([a for (a, _), _ in ordered], dtype=np.int32)
    right = np.array([b for (_, b), _ in ordered], dtype=np.int32)
    said = np.array([label for _, label in ordered], dtype=bool)
    levels = compare_pairs(records, left, right)
    before = unlabelled(records, found)
    believed = _firm(before.log_odds(left, right, levels))
    everywhere = _firm(before.log_odds(found.left, found.right, found.levels))
    floor = max(-_FIRMEST, min(_AT_LEAST, float(believed[said].min(initial=0.0)) - _BEYOND))
    described = Described(records, rivals_of(records.size, found.left, found.right, everywhere, -_FIRMEST))
    rows, counts = _spread(everywhere, floor)
    at = found.left[rows], found.right[rows], found.levels[rows], everywhere[rows]
    table = Sample(described.features(*at), everywhere[rows], _ranges(everywhere[rows], floor), counts)
    features = described.features(left, right, levels, believed)
    labelled = Sample(features, believed, _ranges(believed, floor), np.ones(len(said)))
    correction = train(labelled, said, table, parts_of([pair for pair, _ in ordered]))
    return Learned(before, described, correction, floor) if correction else before


def _firm(log_odds: Numbers) -> Numbers:
    return np.clip(log_odds, -_FIRMEST, _FIRMEST)


def _ranges(log_odds: Numbers, floor: float) -> NDArray[np.intp]:
    """The range of belief of each pair, 0 for all that lie below the floor."""
    return np.ceil((log_odds - floor + 1e-9) / (_FIRMEST - floor) * _RANGES).clip(0, _RANGES + 1).astype(np.intp)


def _spread(log_odds: Numbers, floor: float) -> tuple[NDArray[np.intp], Numbers]:
    """Pairs from the whole range of belief, evenly spaced in each part of it, and for how many each stands."""
    ranges = _ranges(log_odds, floor)
    rows: list[NDArray[np.intp]] = [np.empty(0, dtype=np.intp)]
    counts: list[Numbers] = [np.empty(0)]
    for each in np.unique(ranges[ranges > 0]):
        among = np.flatnonzero(ranges == each)
        kept = among[:: max(1, len(among) // _OF_A_RANGE)]
        rows.append(kept)
        counts.append(np.full(len(kept), len(among) / len(kept)))
    return np.concatenate(rows), np.concatenate(counts)

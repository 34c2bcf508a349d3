"""The matcher: pairs worth comparing, their comparison vectors, and what the model makes of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lumbung.equations.matcher import Mixture, Stratum, fit_mixture, logistic
from lumbung.text.matching.blocking import KeyFamily, Pairs, among, distinct, windowed_pairs, without
from lumbung.text.matching.columns import ColumnKind
from lumbung.text.matching.compared import WORDS
from lumbung.text.matching.families import COARSE, first_families, further_families
from lumbung.text.matching.levels import Indices, Levels, compare_pairs
from lumbung.text.matching.named import RELATIONS, Relation
from lumbung.text.matching.records import Records, order_by_name

Numbers = NDArray[np.float64]

AT_MOST_PAIRS = 4_000_000
SAMPLE = 800
WORTHWHILE = 0.0005
"""A family of keys is taken when it promises at least this share of the matches found so far."""
SHOWN = 0.01
"""The same of labelled matches."""
AT_LEAST_SHOWN = 3.0
"""One or two labelled matches may be an accident, and every family makes the pairs to learn from others."""
RANDOM_PAIRS = 20_000
NAME_SHARES = (0.7, 0.5, 0.7, 0.5, 0.5, 0.6, 0.3, 0.2, 0.15, 0.003, 0.0015, 0.001, 0.008)
"""First guesses of the share of matches by the relation of the names; unrelated names are guessed from the table."""
NAME_KIN = (1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3)
"""Namesakes, near names and names with a part in common: pairs of these that are no matches agree in other ways."""
LOOSE, FIRM = 0.05, 4.0
"""How far a guess of a share outweighs the pairs themselves. The members of a family of names share kind and place too,
so that these columns cannot tell how many of them match: there the guess stands firm."""
FAMILY = 3
NEEDED = 5.0
"""Nats by which the other columns must tell a match from a stranger before they are believed over the guesses: one pair
in some hundreds of a family matches, and the evidence has to make up for that."""
NAME_PARTNERS = (1.0, 1.0, 1.0, 1.0, 0.5, 1.0, 1.0, 0.05, 0.05, 0.005, 0.005, 0.005, 0.01)
"""So many partners a record are guessed at most: pairs by the crowd are namesakes, whatever their share elsewhere."""
EXPECTED = {
    ColumnKind.CATEGORY: (0.9, 0.06, 0.04),
    ColumnKind.REGION: (0.73, 0.25, 0.02),
    ColumnKind.CLASS: (0.9, 0.1),
    ColumnKind.DATE: (0.75, 0.12, 0.08, 0.05),
    ColumnKind.CODE: (0.75, 0.12, 0.05, 0.08),
    ColumnKind.NUMBER: (0.7, 0.12, 0.08, 0.1),
    ColumnKind.TEXT: (0.45, 0.2, 0.2, 0.07, 0.08),
    ColumnKind.SET: (0.45, 0.25, 0.15, 0.08, 0.07),
    ColumnKind.PROSE: (0.2, 0.35, 0.3, 0.1, 0.05),
}
"""First guesses of how matches agree, by kind of column."""
LOOSE_FIELDS = 0.05
FIRM_FIELDS = {ColumnKind.REGION: 0.7, ColumnKind.CODE: 0.2, ColumnKind.DATE: 0.2}
"""What regions, codes and dates mean is known beforehand: without this, namesakes of different regions or birthdays
become matches. Categories are not: two tables may name them in two languages."""
STRANGE = 0.5
"""How far namesakes that are no matches are drawn towards strangers in columns that say more than kind and place."""
MISSING_NAME = len(RELATIONS)
PATIENCE = 8
"""So many families in a row that promise nothing end the search."""


@dataclass(frozen=True)
class Fitted:
    mixture: Mixture
    named: bool
    """Whether the first field is the name, whose levels are the strata."""

    def log_odds(self, levels: Levels) -> Numbers:
        strata, fields = _laid_out(levels, named=self.named)
        return self.mixture.log_odds(strata, fields)

    def kin_of(self, name_level: int) -> int:
        return int(self.mixture.kin[name_level]) if self.named else 0

    def weights(self, field: int, kin: int) -> Numbers:
        """The evidence of each level of a field, a missing value last; together they make up the log-odds."""
        if not self.named:
            return np.append(self.mixture.weights(field, 0), 0.0)
        if field == 0:
            return np.log(self.mixture.shares) - np.log1p(-self.mixture.shares)
        return np.append(self.mixture.weights(field - 1, kin), 0.0)


def _laid_out(levels: Levels, *, named: bool) -> tuple[Levels, Levels]:
    """Strata and the other fields; a missing name is a stratum of its own, and so are all pairs without names."""
    if not named:
        return np.zeros(len(levels), dtype=np.int8), levels
    return np.where(levels[:, 0] >= 0, levels[:, 0], MISSING_NAME).astype(np.int8), levels[:, 1:]


def random_levels(records: Records) -> Levels:
    """Comparison vectors of pairs picked by stride, which have nothing in common but the table."""
    size, start = records.size, records.boundary or 0
    if size < 2:
        return compare_pairs(records, np.empty(0, np.int32), np.empty(0, np.int32))
    rows = np.arange(RANDOM_PAIRS, dtype=np.int64)
    if records.boundary is None:
        left = rows % size
        right = (left + 1 + (rows // size * 7919 + rows * 104729) % (size - 1)) % size
    else:
        left, right = rows % start, start + (rows // start * 7919 + rows * 104729) % (size - start)
    return compare_pairs(records, left.astype(np.int32), right.astype(np.int32))


def _strata(records: Records, held: NDArray[np.intp], told: float) -> list[Stratum]:
    """First guesses; `held` counts the compared pairs of each. Near names have a few partners a record, not crowds.

    `told` is what the columns that know more than kind and place are expected to say about a match, in nats.
    """
    total = records.size * (records.size - 1) / 2
    if records.boundary is not None:
        total = float(records.boundary * (records.size - records.boundary))
    few = min(0.05, max(1e-7, 0.3 * records.size / max(1.0, total)))
    if not records.book.names:
        return [Stratum(few, kin=0, everything=total)]
    side = records.size if records.boundary is None else min(records.boundary, records.size - records.boundary)
    most = [each * side if records.columns else math.inf for each in NAME_PARTNERS]
    weight = math.exp(min(0.0, NEEDED - told))
    near = [
        Stratum(min(share, partners / max(1, pairs)), kin, firmness=weight * (FIRM if kin == FAMILY else LOOSE))
        for share, partners, kin, pairs in zip(NAME_SHARES, most, NAME_KIN, held[: len(most)].tolist(), strict=True)
    ]
    return [*near, Stratum(few / 30, kin=0, everything=total), Stratum(few, kin=0, everything=total / 100)]


def fit(records: Records, levels: Levels, unrelated: Levels, by_name: NDArray[np.bool_]) -> Fitted:
    """Fellegi and Sunter without labels; `unrelated` are the comparison vectors of random pairs.

    Of near names only pairs are learned from that the names brought together: among those that were looked for by the
    values of columns, strangers agree in these too, and would be taken for matches.
    """
    named = bool(records.book.names)
    strata, fields = _laid_out(levels, named=named)
    if named:
        fair = by_name | (strata >= Relation.APART)
        strata, fields = strata[fair], fields[fair]
    _, at_random = _laid_out(unrelated, named=named)
    expected, distant = [], []
    for field, column in enumerate(records.columns):
        words = WORDS[column.kind]
        steps = np.arange(len(words), dtype=np.float64)
        expected.append(np.array(EXPECTED[column.kind]))
        seen = at_random[at_random[:, field] >= 0, field]
        spread = 0.05 + steps / len(words)
        distant.append(np.bincount(seen, minlength=len(words)) + 4.0 * spread / spread.sum())
    firm = [FIRM_FIELDS.get(column.kind, LOOSE_FIELDS) for column in records.columns]
    held = np.bincount(strata, minlength=MISSING_NAME + 1)
    guesses = _strata(records, held, _told(records, expected, distant))
    strange = [0.0 if column.kind in COARSE else STRANGE for column in records.columns]
    return Fitted(fit_mixture(strata, fields, guesses, expected, distant, firm, strange), named)


def _told(records: Records, expected: Sequence[Numbers], distant: Sequence[Numbers]) -> float:
    """How much a match is expected to differ from strangers in the columns beside kind and place, where both have values."""
    total = 0.0
    for column, match, other in zip(records.columns, expected, distant, strict=True):
        if column.kind not in COARSE:
            m, u = match / match.sum(), other / other.sum()
            total += float((column.codes >= 0).mean()) ** 2 * float((m * np.log(m / u)).sum())
    return total


@dataclass(frozen=True)
class Search:
    """The compared pairs, with the model fitted on them."""

    left: Indices
    right: Indices
    levels: Levels
    fitted: Fitted


def _split(pairs: Pairs, size: int) -> tuple[Indices, Indices]:
    return (pairs // size).astype(np.int32), (pairs % size).astype(np.int32)


def _promised(records: Records, fresh: Pairs, fitted: Fitted) -> float:
    """How many matches the fresh pairs hold, judged by an evenly spaced sample of them."""
    step = max(1, len(fresh) // SAMPLE)
    sample = fresh[::step]
    beliefs = logistic(fitted.log_odds(compare_pairs(records, *_split(sample, records.size))))
    return float(beliefs.sum()) * len(fresh) / len(sample)


class Found:
    """The pairs found so far, family by family, and which of them names alone bring together."""

    def __init__(self, records: Records, at_most: int) -> None:
        self._order = order_by_name(records)
        self._boundary = records.boundary
        self._room = at_most
        self._added: list[Pairs] = []
        self._known = self._by_name = np.empty(0, dtype=np.int64)

    def of(self, family: KeyFamily) -> Pairs:
        return windowed_pairs(family, self._order, self._boundary)

    def fresh(self, pairs: Pairs) -> Pairs:
        return without(pairs, self._known)[: self._room - len(self._known)]

    def add(self, pairs: Pairs, *, of_names: bool) -> None:
        fresh = self.fresh(pairs)
        self._added.append(fresh)
        self._known = distinct(np.concatenate([self._known, fresh]))
        if of_names:
            self._by_name = distinct(np.concatenate([self._by_name, pairs]))

    def pairs(self) -> Pairs:
        return np.concatenate(self._added) if self._added else self._known

    def by_name(self) -> NDArray[np.bool_]:
        return among(self.pairs(), self._by_name)


def search(records: Records, at_most: int = AT_MOST_PAIRS, matches: Pairs | None = None) -> Search:
    """Compare under the surest keys first, learn from that, and look further only where matches are to be had.

    Labelled `matches` that no key has brought together yet also say where: a family that finds some of them is taken.
    """
    found = Found(records, at_most)
    for family in first_families(records):
        found.add(found.of(family), of_names=family.of_names)
    levels = compare_pairs(records, *_split(found.pairs(), records.size))
    unrelated = random_levels(records)
    fitted = fit(records, levels, unrelated, found.by_name())
    held, idle = float(logistic(fitted.log_odds(levels)).sum()), 0
    known = np.empty(0, dtype=np.int64) if matches is None else matches
    for build in further_families(records):
        family = build()
        pairs = found.of(family)
        fresh = found.fresh(pairs)
        shown = float(among(known, distinct(fresh)).sum())
        promised = _promised(records, fresh, fitted) if len(fresh) else 0.0
        if promised >= max(0.5, WORTHWHILE * held) or shown >= max(AT_LEAST_SHOWN, SHOWN * len(known)):
            found.add(pairs, of_names=family.of_names)
            held, idle = held + promised, 0
        elif (idle := idle + 1) >= PATIENCE and not len(found.fresh(known)):
            break
    left, right = _split(found.pairs(), records.size)
    if len(left) > len(levels):
        more = compare_pairs(records, left[len(levels) :], right[len(levels) :])
        levels = np.concatenate([levels, more])
        fitted = fit(records, levels, unrelated, found.by_name())
    return Search(left, right, levels, fitted)

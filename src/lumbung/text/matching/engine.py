"""The matcher: pairs worth comparing, their comparison vectors, and what the model makes of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lumbung.equations.matcher import Mixture, best_threshold, fit_mixture, logistic
from lumbung.text.matching.blocking import Pairs, distinct, windowed_pairs, without
from lumbung.text.matching.families import first_families, further_families
from lumbung.text.matching.levels import Indices, Levels, compare_pairs
from lumbung.text.matching.records import Records, order_by_name

Numbers = NDArray[np.float64]

AT_MOST_PAIRS = 4_000_000
SAMPLE = 800
WORTHWHILE = 0.0005
"""A family of keys is taken when it promises at least this share of the matches found so far."""
PATIENCE = 8
"""So many families in a row that promise nothing end the search."""


def _guess(records: Records, levels: Levels) -> tuple[list[Numbers], list[Numbers]]:
    """First guesses for EM: matches mostly agree, other pairs look like the candidates at large."""
    match, other = [], []
    for field, words in enumerate(records.words):
        steps = np.arange(len(words), dtype=np.float64)
        match.append(0.45**steps + 0.004)
        seen = levels[levels[:, field] >= 0, field]
        counted = np.bincount(seen, minlength=len(words)).astype(np.float64)
        spread = 0.05 + steps / len(words)
        other.append(counted / max(1.0, counted.sum()) + 0.1 * spread / spread.sum())
    return match, other


@dataclass(frozen=True)
class Fitted:
    mixture: Mixture
    threshold: float


def fit(records: Records, levels: Levels) -> Fitted:
    """Fellegi and Sunter without labels."""
    match, other = _guess(records, levels)
    likely = records.size / 2 if records.boundary is None else min(records.boundary, records.size - records.boundary)
    share = min(0.2, max(0.001, 0.5 * likely / max(1, len(levels))))
    mixture = fit_mixture(levels, match, other, share)
    return Fitted(mixture, best_threshold(logistic(mixture.log_odds(levels))))


@dataclass(frozen=True)
class Search:
    """The compared pairs, with the model fitted on them."""

    left: Indices
    right: Indices
    levels: Levels
    fitted: Fitted

    @property
    def log_odds(self) -> Numbers:
        return self.fitted.mixture.log_odds(self.levels)


def _split(pairs: Pairs, size: int) -> tuple[Indices, Indices]:
    return (pairs // size).astype(np.int32), (pairs % size).astype(np.int32)


def _promised(records: Records, fresh: Pairs, fitted: Fitted) -> float:
    """How many matches the fresh pairs hold, judged by an evenly spaced sample of them."""
    step = max(1, len(fresh) // SAMPLE)
    sample = fresh[::step]
    beliefs = logistic(fitted.mixture.log_odds(compare_pairs(records, *_split(sample, records.size))))
    return float(beliefs.sum()) * len(fresh) / len(sample)


def search(records: Records, at_most: int = AT_MOST_PAIRS) -> Search:
    """Compare under the surest keys first, learn from that, and look further only where matches are to be had."""
    order = order_by_name(records)
    parts = [windowed_pairs(family, order, records.boundary) for family in first_families(records)]
    known = distinct(np.concatenate(parts or [np.empty(0, dtype=np.int64)]))[:at_most]
    levels = compare_pairs(records, *_split(known, records.size))
    fitted = fit(records, levels)
    found = float(logistic(fitted.mixture.log_odds(levels)).sum())
    added, idle = [known], 0
    for build in further_families(records):
        fresh = without(windowed_pairs(build(), order, records.boundary), known)[: at_most - len(known)]
        promised = _promised(records, fresh, fitted) if len(fresh) else 0.0
        if promised >= max(0.5, WORTHWHILE * found):
            added.append(fresh)
            known, found, idle = distinct(np.concatenate([known, fresh])), found + promised, 0
        elif (idle := idle + 1) >= PATIENCE:
            break
    if len(added) > 1:
        fresh = np.concatenate(added[1:])
        levels = np.concatenate([levels, compare_pairs(records, *_split(fresh, records.size))])
        fitted = fit(records, levels)
    left, right = _split(np.concatenate(added), records.size)
    return Search(left, right, levels, fitted)

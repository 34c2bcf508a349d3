"""How often sources are right, read off what the others make of their claims; whole distributions, no single guesses.

The likelihood of one claim is linear in its source's accuracy: a * p + (1 - a) * (1 - p) / n, with p the belief that the
others give its value and n the number of wrong answers. What sources are like in general (their mean accuracy and how
far they differ) is unknown too and is averaged over: where sources differ much, a few claims tell much about one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_CELLS = 40
_ACCURACIES = (np.arange(_CELLS) + 0.5) / _CELLS
_MEANS = np.linspace(0.5, 0.95, 10)
"""Sources as such are right more often than not: without that, claims cannot be told from their opposite."""
_FIRMNESSES = (3.0, 6.0, 12.0, 24.0, 48.0)
_LEAST = 1e-300
_MEAN_FIRMNESS = 12.0
"""How many sources' worth the common accuracy is, against what the sources show one by one."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """One claim as the others see it."""

    source: str
    belief: float
    alternatives: float
    weight: float = 1.0
    """Less than one where those who judge it were themselves judged by it."""


def _beta(mean: float, firmness: float) -> Array:
    """Logarithms of a beta distribution over the cells."""
    logs = (firmness * mean - 1) * np.log(_ACCURACIES) + (firmness * (1 - mean) - 1) * np.log1p(-_ACCURACIES)
    return np.asarray(logs - _log_sum(logs[None, :])[0])


def _log_sum(logs: Array) -> Array:
    largest = logs.max(axis=1)
    return np.asarray(largest + np.log(np.exp(logs - largest[:, None]).sum(axis=1)))


def likelihoods(judged: Sequence[Judged], sources: Sequence[str]) -> Array:
    """Log-likelihood of each source's claims under each accuracy."""
    row = {source: place for place, source in enumerate(sources)}
    places = np.array([row[each.source] for each in judged], dtype=np.intp)
    beliefs, weights = (np.array([getattr(each, part) for each in judged]) for part in ("belief", "weight"))
    errors = (1 - beliefs) / np.array([each.alternatives for each in judged])
    found = np.zeros((len(sources), _CELLS))
    for cell, accuracy in enumerate(_ACCURACIES):
        logs = np.log(np.maximum(accuracy * beliefs + (1 - accuracy) * errors, _LEAST))
        found[:, cell] = np.bincount(places, logs * weights, len(sources))
    return found


def _means(logs: Array) -> Array:
    weights = np.exp(logs - logs.max(axis=1)[:, None])
    return np.asarray((weights @ _ACCURACIES) / weights.sum(axis=1))


def typed_means(found: Array, starts: Sequence[float], firmness: float) -> Array:
    """Posterior means of sources whose type says what to expect; whom nobody has judged stays exactly there."""
    priors = np.array([_beta(start, firmness) for start in starts])
    return np.asarray(np.array(starts) + _means(found + priors) - _means(priors))


def untyped_means(found: Array, weights: Sequence[float], common: float) -> Array:
    """Posterior means of sources of which nothing is known but their like; a copy weighs as its share of its cluster."""
    scores, means = [], []
    for mean in _MEANS:
        expected = _MEAN_FIRMNESS * (common * math.log(mean) + (1 - common) * math.log1p(-mean))
        for firmness in _FIRMNESSES:
            logs = found + _beta(float(mean), firmness)
            scores.append(expected + float(np.array(weights) @ _log_sum(logs)))
            means.append(_means(logs))
    shares = np.exp(np.array(scores) - max(scores))
    return np.asarray((shares[:, None] * np.array(means)).sum(axis=0) / shares.sum())

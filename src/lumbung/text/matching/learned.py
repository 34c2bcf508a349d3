"""What labels teach the matcher: corrections to the evidence of each level, drawn in towards the unlabelled model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lumbung.equations.matcher import Logistic, fit_logistic
from lumbung.text.matching.engine import Fitted
from lumbung.text.matching.levels import Levels

Numbers = NDArray[np.float64]


def one_hot(levels: Levels, sizes: tuple[int, ...]) -> Numbers:
    """One feature a level; a missing value sets none."""
    parts = [(levels[:, [field]] == np.arange(size)).astype(np.float64) for field, size in enumerate(sizes)]
    return np.column_stack(parts)


@dataclass(frozen=True)
class Learned:
    """The mixture's log-odds, corrected; with no labels the correction is nothing.

    The intercept of the correction is left out: it says how many matches somebody put among the labels (half of them,
    as a rule), not how many there are.
    """

    fitted: Fitted
    sizes: tuple[int, ...]
    correction: Logistic

    def log_odds(self, levels: Levels) -> Numbers:
        return np.asarray(self.fitted.log_odds(levels) + one_hot(levels, self.sizes) @ self.correction.weights)


def learn(fitted: Fitted, sizes: tuple[int, ...], levels: Levels, labels: NDArray[np.bool_], penalty: float) -> Learned:
    """Ridge-penalised logistic regression with the mixture's log-odds as its starting point (an offset)."""
    return Learned(fitted, sizes, fit_logistic(one_hot(levels, sizes), labels, penalty, fitted.log_odds(levels)))

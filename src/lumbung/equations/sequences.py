"""Confidence sequences: bounds on the audited error that hold at all times together, whenever one looks.

They bet against each possible mean (Waudby-Smith and Ramdas): a gambler's capital against the true mean is a
martingale, so it rarely ever reaches 1 / alpha; means against which it has are excluded for good.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lumbung.equations.intervals import Interval
from lumbung.errors import ContractError

Numbers = NDArray[np.float64]
GRID = 1001
_LARGEST_STAKE = 0.75


class ConfidenceSequence:
    """Bounds on the mean of observations in [0, largest], updated one label at a time.

    The stake on each side is set from the past alone (empirical Bernstein), and the two gamblers, one betting that
    the mean is higher and one that it is lower, share the capital evenly.
    """

    def __init__(self, alpha: float = 0.05, largest: float = 1.0) -> None:
        if not 0 < alpha < 1 or largest <= 0:
            raise ContractError("A confidence sequence needs alpha in (0, 1) and a positive largest observation.")
        self._alpha = alpha
        self._largest = float(largest)
        self._means: Numbers = np.linspace(0.0, 1.0, GRID)
        self._higher: Numbers = np.zeros(GRID)
        self._lower: Numbers = np.zeros(GRID)
        self._count = 0
        self._sum = 0.0
        self._squares = 0.25

    def update(self, observation: float) -> None:
        x = float(observation) / self._largest
        if not 0 <= x <= 1 + 1e-12:
            raise ContractError(f"An observation lies between 0 and {self._largest}, not at {observation}.")
        x = min(1.0, x)
        stake = self._stake()
        with np.errstate(divide="ignore"):
            up = np.minimum(stake, _LARGEST_STAKE / self._means)
            down = np.minimum(stake, _LARGEST_STAKE / (1.0 - self._means))
        self._higher += np.log1p(up * (x - self._means))
        self._lower += np.log1p(-down * (x - self._means))
        capital = np.logaddexp(self._higher, self._lower) - math.log(2)
        self._keep(capital < -math.log(self._alpha))
        mean_before = (0.5 + self._sum) / (self._count + 1)
        self._count += 1
        self._sum += x
        self._squares += (x - mean_before) ** 2

    def _keep(self, still: NDArray[np.bool_]) -> None:
        if not still.all():
            self._means, self._higher, self._lower = self._means[still], self._higher[still], self._lower[still]

    def _stake(self) -> float:
        t = self._count + 1
        variance = self._squares / t
        return math.sqrt(2 * math.log(2 / self._alpha) / (variance * t * math.log(1 + t)))

    @property
    def interval(self) -> Interval:
        """The means not yet excluded, widened by one step of the grid so that the truth cannot fall between."""
        mean = float(self._sum / self._count * self._largest) if self._count else math.nan
        if self._means.size == 0:
            return Interval(mean, mean, mean)
        step = 1.0 / (GRID - 1)
        lowest, highest = float(self._means[0]), float(self._means[-1])
        low = lowest - step if lowest > 0 else 0.0
        high = highest + step if highest < 1 else 1.0
        return Interval(mean, low * self._largest, high * self._largest)


@dataclass(frozen=True, slots=True)
class DropDetector:
    """Watches for the error rising above `limit`, however long all went well before.

    A betting CUSUM: the evidence never falls below 1, so a long good record cannot hide a drop. While the error stays
    within the limit, the expected number of labels until a false alarm is at least 1 / rate.
    """

    limit: float
    expected_error: float
    rate: float = 0.001
    log_evidence: float = 0.0
    labels: int = 0
    """Labels since the evidence last began anew: those that speak of what is now."""

    def __post_init__(self) -> None:
        if not 0 < self.limit < self.expected_error <= 1 or not 0 < self.rate < 1:
            raise ContractError("A drop detector needs 0 < limit < expected error <= 1 and a rate in (0, 1).")

    @property
    def stake(self) -> float:
        """The stake that grows fastest if the error becomes what is expected of a drop."""
        return min((self.expected_error - self.limit) / (self.limit * (1 - self.limit)), 1 / self.limit)

    def after(self, wrong: bool, weight: float = 1.0) -> DropDetector:
        """The detector after one label; `weight` is its importance weight."""
        stake = min(self.stake, (1 - 1e-9) / self.limit)
        grown = math.log1p(max(-1 + 1e-12, stake * (weight * wrong - self.limit)))
        before, labels = (self.log_evidence, self.labels) if self.log_evidence > 0 else (0.0, 0)
        return replace(self, log_evidence=before + grown, labels=labels + 1)

    @property
    def alarm(self) -> bool:
        return self.log_evidence >= -math.log(self.rate)

    @property
    def promised_labels(self) -> float:
        """About how many labels a drop to the expected error takes to be seen: threshold over growth per label."""
        q, stake = self.expected_error, self.stake
        growth = q * math.log1p(stake * (1 - self.limit)) + (1 - q) * math.log1p(-stake * self.limit)
        return -math.log(self.rate) / growth

"""Runs of the branching process with re-seeding, Eq. (9)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lumbung.equations.branching import Offspring
from lumbung.equations.reseed import needs_tranche

LARGEST = 10**7
"""A generation beyond this has won; it is followed by its mean."""


@dataclass(frozen=True)
class Paths:
    """Frontier sizes, one row a run and one column a generation."""

    sizes: NDArray[np.float64]
    injected: NDArray[np.int64]

    def summary(self) -> dict[str, float | int | None]:
        pages = self.sizes.sum(axis=1)
        dry = self.sizes[:, -1] == 0
        lasted = np.where(dry, (self.sizes > 0).sum(axis=1), np.inf)
        middle = float(np.median(lasted))
        return {
            "pages_mean": float(pages.mean()),
            "pages_p5": float(np.quantile(pages, 0.05)),
            "pages_p95": float(np.quantile(pages, 0.95)),
            "dry_share": float(dry.mean()),
            "generations_median": None if np.isinf(middle) else middle,
            "tranches_used_mean": float(self.injected.mean()),
        }


def _offspring_of(size: float, law: Offspring, random: np.random.Generator) -> float:
    """The sum of `size` draws, taken as one multinomial draw."""
    if size <= 0:
        return 0.0
    if size > LARGEST:
        return min(size * law.mean, 1e300)
    return float(random.multinomial(int(size), law.probabilities / law.probabilities.sum()) @ law.counts)


def simulate(
    law: Offspring, seeds: int, tranches: list[int], threshold: int, runs: int, generations: int, random_seed: int
) -> Paths:
    """Every run draws from its own stream, so that the same seed gives the same runs with and without tranches."""
    sizes = np.zeros((runs, generations + 1))
    injected = np.zeros(runs, dtype=np.int64)
    for run in range(runs):
        random = np.random.default_rng([random_seed, run])
        size, waiting = float(seeds), list(tranches)
        for generation in range(generations + 1):
            while waiting and needs_tranche(int(min(size, LARGEST)), threshold):
                size += waiting.pop(0)
                injected[run] += 1
            sizes[run, generation] = size
            if size == 0:
                break
            size = _offspring_of(size, law, random)
    return Paths(sizes, injected)

"""How often the truth lies within the audit's intervals, on simulated audits of many designs.

python evaluation/audit/interval_coverage.py [AUDITS] [SEED]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from lumbung.equations.audit import Sampled, weighted_error, wilson

Audit = tuple[list[Sampled], float]
"""What was sampled, and the error rate of the whole population."""
Design = Callable[[np.random.Generator], Audit]
SMALLEST = 60


@dataclass(frozen=True, slots=True)
class Covered:
    audits: int
    error: float
    labels: float
    estimate: float
    covered: float
    plain: float
    """The same of the plain proportion, which knows nothing of how the sample was drawn."""
    width: float


def read(random: np.random.Generator, wrong: Sequence[bool], chance: float) -> list[bool | None]:
    """The labels that are there by now."""
    return [
        bool(each) if known else None for each, known in zip(wrong, random.random(len(wrong)) < chance, strict=True)
    ]


def fixed_sizes(
    rates: Sequence[float], sizes: Sequence[int], draws: Sequence[int], labelled: float | Sequence[float] = 1.0
) -> Design:
    """So many of each stratum, of which a share was labelled."""
    shares = repeat(labelled) if isinstance(labelled, float) else labelled

    def audit(random: np.random.Generator) -> Audit:
        samples: list[Sampled] = []
        errors = 0
        for name, (rate, size, drawn, share) in enumerate(zip(rates, sizes, draws, shares, strict=False)):
            population = random.random(size) < rate
            errors += int(population.sum())
            labels = read(random, random.choice(population, drawn, replace=False), share)
            samples += [Sampled(drawn / size, label, str(name)) for label in labels]
        return samples, errors / sum(sizes)

    return audit


def each_on_its_own(
    rates: Sequence[float], sizes: Sequence[int], inclusion: Sequence[float], labelled: float = 1.0
) -> Design:
    """Every decision drawn by a number of its own, as the steward draws: the sizes of the sample are chance."""

    def audit(random: np.random.Generator) -> Audit:
        samples: list[Sampled] = []
        errors = 0
        for name, (rate, size, chance) in enumerate(zip(rates, sizes, inclusion, strict=True)):
            population = random.random(size) < rate
            errors += int(population.sum())
            labels = read(random, population[random.random(size) < chance], labelled)
            samples += [Sampled(chance, label, str(name)) for label in labels]
        return samples, errors / sum(sizes)

    return audit


def small_strata(seed: int, strata: int, each: float, rate: float, boost: float = 1.0, labelled: float = 1.0) -> Design:
    """Category by sort by band: many strata of unlike sizes and rates, a fifth of them boosted."""
    random = np.random.default_rng(seed)
    sizes = [int(size) for size in random.dirichlet(np.full(strata, 1.5)) * 200 * strata + SMALLEST]
    rates = [float(own) for own in random.beta(1, 1 / rate - 1, strata)]
    mean = sum(sizes) / strata
    draws = [min(size, max(1, round(each * size / mean * (boost if random.random() < 0.2 else 1.0)))) for size in sizes]
    return fixed_sizes(rates, sizes, draws, labelled)


def by_size(rate: float, spread: float, draws: int, labelled: float = 1.0) -> Design:
    """One stratum in which every decision has its own probability, the risky ones the larger."""

    def audit(random: np.random.Generator) -> Audit:
        risk = random.lognormal(0, spread, 8_000)
        inclusion = np.minimum(1.0, draws * risk / risk.sum())
        wrong = random.random(len(risk)) < np.minimum(1.0, rate * np.sqrt(risk) / np.sqrt(risk).mean())
        order = random.permutation(len(risk))
        passed = np.cumsum(inclusion[order])
        taken = order[np.searchsorted(passed, random.random() + np.arange(int(passed[-1] - 1)))]
        labels = read(random, wrong[taken], labelled)
        pairs = zip(inclusion[taken], labels, strict=True)
        return [Sampled(float(chance), label) for chance, label in pairs], float(wrong.mean())

    return audit


TWO = (9_000, 1_000)
DESIGNS: dict[str, Design] = {
    "plain sample, 5 %": fixed_sizes((0.05,), (10_000,), (300,)),
    "risky tenth boosted 4-fold, three quarters labelled, 5 %": fixed_sizes((0.03, 0.23), TWO, (270, 130), 0.75),
    "risky tenth boosted 4.5-fold, 2.1 %": fixed_sizes((0.01, 0.12), TWO, (200, 100)),
    "risky tenth boosted 9-fold, 2.1 %": fixed_sizes((0.01, 0.12), TWO, (150, 150)),
    "risky tenth boosted 9-fold, 5 %": fixed_sizes((0.02, 0.3), TWO, (150, 150)),
    "three strata, 2.5 %": fixed_sizes((0.005, 0.03, 0.15), (7_000, 2_000, 1_000), (100, 100, 100)),
    "labels late by stratum, 4.4 %": fixed_sizes(
        (0.02, 0.04, 0.2), (6_000, 3_000, 1_000), (240, 120, 240), (0.8, 0.4, 0.6)
    ),
    "everything sensitive read, 2.1 %": fixed_sizes((0.02, 0.2), (20_000, 120), (250, 120)),
    "many errors, 28 %": fixed_sizes((0.2, 0.6), (8_000, 2_000), (180, 180), 0.9),
    "sixty strata of five labels, 3 %": small_strata(1, 60, 5, 0.03),
    "sixty strata, boosted, two thirds labelled, 3 %": small_strata(3, 60, 8, 0.03, 4, 0.65),
    "120 strata of one to five labels, 4 %": small_strata(4, 120, 2.6, 0.04),
    "probabilities of their own within a stratum, 4 %": by_size(0.04, 0.7, 320),
    "the same, spread widely, 5 %": by_size(0.05, 1.2, 340, 0.95),
    "each drawn on its own, 3 %": each_on_its_own(
        (0.01, 0.04, 0.1, 0.2), (6_000, 2_500, 1_200, 60), (0.02, 0.02, 0.08, 1.0), 0.9
    ),
    "1 % in 600 labels": fixed_sizes((0.005, 0.055), TWO, (400, 200)),
    "0.75 %": fixed_sizes((0.005, 0.03), TWO, (200, 100)),
    "0.8 % in sixty strata, boosted": small_strata(6, 60, 5, 0.008, 3),
    "0.5 %, boosted 9-fold": fixed_sizes((0.002, 0.03), TWO, (150, 150)),
    "0.3 %": fixed_sizes((0.002, 0.012), TWO, (200, 100)),
}
RARE = 0.02
"""Below this error rate only the lower limit of the coverage is a goal."""


def simulate(design: Design, audits: int, seed: int) -> Covered:
    random = np.random.default_rng(seed)
    rows = []
    for _ in range(audits):
        samples, truth = design(random)
        found = weighted_error(samples)
        labels = [each.wrong for each in samples if each.wrong is not None]
        plain = wilson(sum(labels), len(labels)).covers(truth)
        width = found.interval.high - found.interval.low
        rows.append((truth, found.labelled, found.interval.value, found.interval.covers(truth), plain, width))
    return Covered(audits, *(float(mean) for mean in np.mean(np.array(rows, dtype=float), axis=0)))


def main() -> None:
    audits, seed = (int(word) for word in (*sys.argv[1:], *("2000", "1")[len(sys.argv) - 1 :]))
    for name, design in DESIGNS.items():
        found = simulate(design, audits, seed)
        told = {field: round(getattr(found, field), 4) for field in Covered.__slots__}
        print(json.dumps({"design": name} | told, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()

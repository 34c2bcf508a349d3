"""How often the truth lies within the frontier monitor's intervals, on simulated frontiers of known law.

python evaluation/frontier/coverage.py [FRONTIERS] [SEED]
"""

from __future__ import annotations

import json
import math
import sys

import numpy as np

from lumbung.equations.branching import Offspring, extinction_interval, mean_interval, pages_interval

WINDOW = 1_000
MANY = 300_000
"""Pages after which a frontier counts as one that lives on."""
Law = dict[int, float]


def geometric(mean: float) -> Law:
    p = 1 / (1 + mean)
    return {k: p * (1 - p) ** k for k in range(400)}


def poisson(mean: float) -> Law:
    return {k: math.exp(-mean + k * math.log(mean) - math.lgamma(k + 1)) for k in range(60)}


def heavy(mean: float) -> Law:
    """Most pages lead nowhere, a few are listings of many links: a power law cut at 200, thinned to the mean."""
    tail = {k: k**-2.2 for k in range(1, 201)}
    total = sum(tail.values())
    each = sum(k * weight for k, weight in tail.items()) / total
    share = mean / each
    return {0: 1 - share} | {k: share * weight / total for k, weight in tail.items()}


def two_kinds(mean: float) -> Law:
    """Items with no new link, listings with twenty."""
    return {0: 1 - mean / 20, 20: mean / 20}


LAWS = {"geometric": geometric, "poisson": poisson, "heavy": heavy, "two kinds": two_kinds}
MEANS = (0.3, 0.6, 0.8, 0.9, 1.3)
SEEN = (100, 300, 1_000)


def true_extinction(law: Law) -> float:
    if sum(k * weight for k, weight in law.items()) <= 1:
        return 1.0
    q = 0.0
    for _ in range(20_000):
        q = sum(weight * q**k for k, weight in law.items())
    return q


def pages_to_come(draw: np.random.Generator, law: Law, frontier: int) -> float:
    counts, weights = np.array(list(law)), np.array(list(law.values()))
    weights = weights / weights.sum()
    alive, total = frontier, 0
    while alive:
        total += alive
        if total > MANY:
            return math.inf
        alive = int(counts @ draw.multinomial(alive, weights))
    return float(total)


def judged(draw: np.random.Generator, law: Law, seen: int, frontier: int) -> tuple[bool, bool, bool]:
    counts, weights = np.array(list(law)), np.array(list(law.values()))
    sample = [int(each) for each in draw.choice(counts, size=min(seen, WINDOW), p=weights / weights.sum())]
    mean = mean_interval(sample)
    true_mean = sum(k * weight for k, weight in law.items()) / sum(law.values())
    pages = pages_interval(frontier, mean, Offspring.observed(sample).variance)
    to_come = pages_to_come(draw, law, frontier)
    return (
        mean.covers(true_mean),
        extinction_interval(sample, mean).covers(true_extinction_of(law)),
        pages.covers(to_come) or (to_come == math.inf and pages.high == math.inf),
    )


_KNOWN: dict[tuple[tuple[int, float], ...], float] = {}


def true_extinction_of(law: Law) -> float:
    key = tuple(law.items())
    if key not in _KNOWN:
        _KNOWN[key] = true_extinction(law)
    return _KNOWN[key]


def main(frontiers: int = 100, seed: int = 1) -> None:
    draw = np.random.default_rng(seed)
    hits = np.zeros(3)
    total = 0
    for name, make in LAWS.items():
        for mean in MEANS:
            held = np.zeros(3)
            tried = 0
            for seen in SEEN:
                for _ in range(frontiers):
                    held += judged(draw, make(mean), seen, frontier=int(draw.integers(20, 500)))
                    tried += 1
            hits, total = hits + held, total + tried
            shares = [round(float(each) / tried, 3) for each in held]
            print(
                json.dumps(
                    {"law": name, "m": mean, **dict(zip(("m_held", "q_held", "pages_held"), shares, strict=True))}
                )
            )
    m, q, pages = (round(float(each) / total, 3) for each in hits)
    print(json.dumps({"frontiers": total, "seed": seed, "m_held": m, "q_held": q, "pages_held": pages}))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))

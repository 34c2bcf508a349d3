"""What would improve the objective most: each act by the facts, by weight, that it would bring into Eq. (2)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lumbung.governance.reports.coverage import yield_beliefs
from lumbung.store import coverage, objective, reviews
from lumbung.store.database import Transaction

UNITS = {"crawl": "pages", "extract": "pages", "encode": "candidates", "decide": "candidates", "publish": "items"}
"""What one job of a stage stands for, as the funnel counts it."""


@dataclass(frozen=True, slots=True)
class Improvement:
    code: str
    facts: float
    """That are expected to be right and would count, by the weight of their category."""
    waiting: int
    """How many things wait for it."""


@dataclass(frozen=True, slots=True)
class Gained:
    """What is published so far, before the audit discounts it."""

    weighted: float
    facts: int
    entries: int
    unsure_share: float
    """The share of it about which the labels leave open whether it is right: all of it while there are none."""

    @property
    def facts_an_entry(self) -> float:
        return self.facts / self.entries if self.entries else 1.0


async def improvements(tx: Transaction, values: Mapping[str, Any], gained: Gained, unread: int) -> list[Improvement]:
    """The largest first; what nothing waits for is left out."""
    waiting = await reviews.counts(tx)
    withheld = await facts_withheld(tx, values)
    asked = await objective.modes_asked_for(tx)
    shadow = [
        name.removeprefix("mode.") for name, mode in values.items() if name.startswith("mode.") and mode == "shadow"
    ]
    unasked = [category for category in shadow if category not in asked]
    found = [
        Improvement("raise-categories-out-of-shadow", total(withheld["shadow"], unasked), len(unasked)),
        Improvement("answer-requests", total(withheld["shadow"], asked), waiting["requests"]),
        Improvement("read-the-review-queue", total(withheld["review"]), waiting["review"]),
        Improvement("label-samples", gained.weighted * gained.unsure_share, unread),
        Improvement("redrive-dead-letters", await facts_behind_dead_letters(tx, gained), waiting["dead_letters"]),
    ]
    if waiting["frontier"] < int(values["frontier.phi_min"]):
        found.append(await best_tranche(tx, values, gained))
    return sorted((each for each in found if each.waiting), key=lambda each: (-each.facts, -each.waiting, each.code))


def total(by_category: Mapping[str, float], categories: Sequence[str] | None = None) -> float:
    chosen = by_category if categories is None else categories
    return round(math.fsum(by_category.get(category, 0.0) for category in chosen), 3)


def weight(values: Mapping[str, Any], category: str) -> float:
    return float(values.get(f"coverage.weight.{category}", 1.0))


async def facts_withheld(tx: Transaction, values: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Expected right facts of entries that are not shown, by status and category."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for row in await objective.withheld(tx):
        found[row["status"]][row["category"]] = weight(values, row["category"]) * row["expected"]
    return found


async def facts_behind_dead_letters(tx: Transaction, gained: Gained) -> float:
    """As many as such jobs have given so far, on average."""
    dead = Counter({row["stage"]: row["jobs"] for row in await objective.dead_by_stage(tx)})
    counted = await objective.funnel(tx)
    each = (dead[stage] * gained.weighted / counted[unit] for stage, unit in UNITS.items() if counted[unit])
    return round(math.fsum(each), 3)


async def best_tranche(tx: Transaction, values: Mapping[str, Any], gained: Gained) -> Improvement:
    """The most that one proposed tranche is believed to give."""
    beliefs = await yield_beliefs(tx)
    expected: dict[str, float] = defaultdict(float)
    for row in await coverage.proposed_seeds(tx):
        entries = beliefs.of((row["category"], row["region"])).mean
        expected[row["tranche"]] += row["seeds"] * entries * gained.facts_an_entry * weight(values, row["category"])
    return Improvement("inject-a-tranche", round(max(expected.values(), default=0.0), 3), len(expected))

"""The coverage matrix M[k, r], its holes, and what each tranche is believed to give."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lumbung.equations.coverage import Cell, Coverage, Target, Tranche, YieldPosterior
from lumbung.governance.constants import number
from lumbung.model.profile import Profile
from lumbung.store import coverage, governed
from lumbung.store.database import Row, Transaction

ProvincesOf = Callable[[str], tuple[str, ...]]
NO_REGION = "-"
Kind = tuple[bool, bool]
"""Of a seed: whether it names a category, and whether it names a region."""


def provinces(profile: Profile) -> list[str]:
    return sorted(code for code, region in profile.regions.items() if region.level == "province")


def cells_of(category: str, regions: Iterable[str], provinces_of: ProvincesOf, known: set[str]) -> dict[Cell, float]:
    """One entry counts once for each of its provinces; without any it stands beside the matrix."""
    places = sorted({p for code in regions for p in (provinces_of(code) or (code,)) if p in known})
    return {(category, place): 1.0 for place in places} or {(category, NO_REGION): 1.0}


def counted(rows: Iterable[Row], provinces_of: ProvincesOf, known: set[str]) -> dict[Cell, float]:
    total: dict[Cell, float] = defaultdict(float)
    for row in rows:
        for cell in cells_of(row["category"], row["regions"], provinces_of, known):
            total[cell] += row["entries"]
    return dict(total)


def targets_of(profile: Profile, values: Mapping[str, Any], held: Mapping[Cell, float]) -> dict[Cell, Target]:
    """The profile's target of a category, spread over the provinces, unless a governed row says otherwise."""
    places = provinces(profile)
    found: dict[Cell, Target] = {}
    for code, category in profile.categories.items():
        even = max(1.0, category.target / len(places)) if places else 1.0
        for place in places:
            wanted = float(values.get(f"coverage.target.{code}.{place}", even))
            weight = float(values.get(f"coverage.weight.{code}.{place}", values.get(f"coverage.weight.{code}", 1.0)))
            if wanted > 0:
                found[code, place] = Target(weight, wanted, held.get((code, place), 0.0))
    return found


@dataclass(frozen=True, slots=True)
class Matrix:
    targets: Mapping[Cell, Target]
    beside: Mapping[str, float]
    """Entries by category that name no province."""

    @property
    def value(self) -> float:
        """Eq. (25) for what is held, as a share of its largest value."""
        total = math.fsum(target.weight for target in self.targets.values())
        return Coverage(self.targets, ()).value(()) / total if total else 0.0

    def holes(self, limit: int = 20) -> list[dict[str, Any]]:
        """The cells that lack most, by weight; of those that lack the same share, the ones with most entries to find."""
        ranked = sorted(self.targets.items(), key=lambda each: (-lack(each[1]), each[1].held - each[1].wanted, each[0]))
        return [
            {"category": cell[0], "region": cell[1], "held": target.held, "wanted": round(target.wanted, 2)}
            for cell, target in ranked[:limit]
            if lack(target) > 0
        ]


def lack(target: Target) -> float:
    return target.weight * max(0.0, 1 - target.held / target.wanted)


async def matrix(tx: Transaction, profile: Profile, provinces_of: ProvincesOf) -> Matrix:
    held = counted(await coverage.held(tx), provinces_of, set(provinces(profile)))
    beside = {cell[0]: entries for cell, entries in held.items() if cell[1] == NO_REGION}
    return Matrix(targets_of(profile, await governed.values_now(tx), held), beside)


def first_guess(values: Mapping[str, Any]) -> YieldPosterior:
    """What a seed is believed to give before any was planted; worth few seeds, so it gives way quickly to what is seen."""
    seeds = number(values, "coverage.first_guess_seeds")
    return YieldPosterior(number(values, "coverage.first_guess_entries") * seeds, seeds)


def kind_of(cell: Cell) -> Kind:
    return bool(cell[0]), cell[1] != NO_REGION


class YieldBeliefs:
    """What a seed gives in its own cell, from all tranches so far; a cell leans on its category, that one on all of its kind.

    A portal that names neither category nor region gives to every cell at once: what it gave says nothing of what a
    seed brings to one cell.
    """

    def __init__(self, seen: Iterable[tuple[Cell, float, float]], values: Mapping[str, Any]) -> None:
        self._guess = first_guess(values)
        self._wider_seeds = number(values, "coverage.wider_seeds")
        self._given: dict[Any, tuple[float, float]] = {}
        for cell, entries, seeds in seen:
            for group in (cell, (kind_of(cell), cell[0]), kind_of(cell)):
                held, planted = self._given.get(group, (0.0, 0.0))
                self._given[group] = held + entries, planted + seeds

    def of(self, cell: Cell) -> YieldPosterior:
        kind = self._guess.after(*self._of(kind_of(cell)))
        category = kind.worth(self._wider_seeds).after(*self._of((kind_of(cell), cell[0])))
        return category.worth(self._wider_seeds).after(*self._of(cell))

    def _of(self, group: Any) -> tuple[float, float]:
        """Entries and seeds."""
        return self._given.get(group, (0.0, 0.0))


async def yield_beliefs(tx: Transaction) -> YieldBeliefs:
    seen = [((row["category"], row["region"]), row["found"], row["seeds"]) for row in await coverage.posteriors(tx)]
    return YieldBeliefs(seen, await governed.values_now(tx))


async def proposed(tx: Transaction, profile: Profile, provinces_of: ProvincesOf) -> list[Tranche]:
    """Tranches that may be chosen, with the yields that are expected of them cell by cell.

    What a seed does not name, category or province, is expected of all of them alike.
    """
    beliefs = await yield_beliefs(tx)
    yields: dict[str, dict[Cell, float]] = defaultdict(lambda: defaultdict(float))
    costs: dict[str, float] = defaultdict(float)
    known = set(provinces(profile))
    for row in await coverage.proposed_seeds(tx):
        costs[row["tranche"]] += row["cost"]
        belief = beliefs.of((row["category"], row["region"]))
        for category in [row["category"]] if row["category"] else sorted(profile.categories):
            share = 1.0 if row["category"] else 1 / len(profile.categories)
            places = sorted(known) if row["region"] == NO_REGION else [row["region"]]
            cells = cells_of(category, places, provinces_of, known)
            for cell in cells:
                yields[row["tranche"]][cell] += row["seeds"] * belief.mean * share / len(cells)
    return [Tranche(name, dict(yields[name]), costs[name]) for name in sorted(costs)]

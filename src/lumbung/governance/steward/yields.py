"""What a running tranche really gave, cell by cell, becomes the belief about the next ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from lumbung.equations.coverage import YieldPosterior
from lumbung.governance.reports.coverage import PRIOR_ENTRIES_A_SEED, PRIOR_SEEDS
from lumbung.store import audits, coverage
from lumbung.store.database import Transaction

BARREN_AFTER_PAGES = 200
"""A tranche that has given nothing after so many pages is told to the curator."""


async def update(tx: Transaction) -> str | None:
    """The tranche that was looked at, if one runs; it is done when none of its pages is open."""
    name = await coverage.running(tx)
    if name is None:
        return None
    pages = await coverage.pages(tx, name)
    found: dict[tuple[str, str], float] = defaultdict(float)
    for row in await coverage.yielded(tx, name):
        found[row["category"], row["regions"][0] if row["regions"] else "-"] += row["entries"]
    seeded: dict[tuple[str, str], float] = defaultdict(float)
    for row in await coverage.seeds(tx, name):
        seeded[row["category"], row["region"]] += 1
    for cell, exposure in seeded.items():
        prior = YieldPosterior(PRIOR_ENTRIES_A_SEED * PRIOR_SEEDS, PRIOR_SEEDS)
        belief = prior.after(_of_cell(found, cell), exposure)
        await coverage.keep_posterior(tx, name, cell, belief.shape, belief.rate, exposure)
    outcome = {"pages": pages["fetched"], "lost": pages["lost"], "entries": sum(found.values()),
               "cells": {f"{k}|{r}": n for (k, r), n in sorted(found.items())}}  # fmt: skip
    await coverage.keep_outcome(tx, name, outcome)
    if not pages["open"]:
        await coverage.finish(tx, name, "done", "none of its pages is open")
    elif pages["fetched"] >= BARREN_AFTER_PAGES and not found:
        await audits.add_notice(tx, "tranche-barren", name, outcome, f"barren:{name}")
    return name


def _of_cell(found: Mapping[tuple[str, str], float], seed: tuple[str, str]) -> float:
    """A seed without a category answers for all of them; regions below a province count for their seed's category."""
    category, region = seed
    return sum(
        entries
        for (found_category, found_region), entries in found.items()
        if category in {"", found_category} and region in {"-", found_region}
    )

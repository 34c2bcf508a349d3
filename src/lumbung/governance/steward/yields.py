"""What a running tranche really gave, cell by cell, becomes the belief about the next ones."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from lumbung.governance.reports.coverage import FIRST_GUESS, NO_REGION, ProvincesOf
from lumbung.store import audits, coverage
from lumbung.store.database import Row, Transaction

BARREN_AFTER_PAGES = 200
"""A tranche that has given nothing after so many pages is told to the curator."""


def as_named(region: str) -> tuple[str, ...]:
    """Every region a province of its own, where nothing is known of what lies in what."""
    return (region,)


async def update(tx: Transaction, provinces_of: ProvincesOf = as_named) -> str | None:
    """The tranche that was looked at, if one runs; it is done when none of its pages is open."""
    name = await coverage.running(tx)
    if name is None:
        return None
    pages = await coverage.pages(tx, name)
    found = await coverage.yielded(tx, name)
    seeded: dict[tuple[str, str], float] = defaultdict(float)
    for row in await coverage.seeds(tx, name):
        seeded[row["category"], row["region"]] += 1
    for cell, exposure in seeded.items():
        belief = FIRST_GUESS.after(_of_cell(found, cell, provinces_of), exposure)
        await coverage.keep_posterior(tx, name, cell, belief.shape, belief.rate, exposure)
    outcome = {"pages": pages["fetched"], "lost": pages["lost"], "entries": sum(row["entries"] for row in found),
               "cells": _by_cell(found)}  # fmt: skip
    await coverage.keep_outcome(tx, name, outcome)
    if not pages["open"]:
        await coverage.finish(tx, name, "done", "none of its pages is open")
    elif pages["fetched"] >= BARREN_AFTER_PAGES and not found:
        await audits.add_notice(tx, "tranche-barren", name, outcome, f"barren:{name}")
    return name


def _by_cell(found: Iterable[Row]) -> dict[str, float]:
    cells: dict[str, float] = defaultdict(float)
    for row in found:
        cells[f"{row['category']}|{row['regions'][0] if row['regions'] else NO_REGION}"] += row["entries"]
    return dict(sorted(cells.items()))


def _of_cell(found: Iterable[Row], seed: tuple[str, str], provinces_of: ProvincesOf) -> float:
    """A seed without a category answers for all of them, one without a region for all; a province has its regencies."""
    category, region = seed
    return math.fsum(
        row["entries"]
        for row in found
        if category in {"", row["category"]}
        and (
            region == NO_REGION or region in {place for code in row["regions"] for place in (code, *provinces_of(code))}
        )
    )

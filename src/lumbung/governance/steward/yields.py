"""What a running tranche really gave, cell by cell, becomes the belief about the next ones."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping

from lumbung.equations.coverage import Cell
from lumbung.governance.constants import number
from lumbung.governance.reports.coverage import NO_REGION, ProvincesOf, first_guess
from lumbung.store import audits, coverage, governed
from lumbung.store.database import Row, Transaction


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
    values = await governed.values_now(tx)
    seeded: dict[Cell, float] = defaultdict(float)
    for row in await coverage.seeds(tx, name):
        seeded[row["category"], row["region"]] += 1
    given = credited(found, seeded, provinces_of)
    for cell, exposure in seeded.items():
        belief = first_guess(values).after(given[cell], exposure)
        await coverage.keep_posterior(tx, name, cell, belief.shape, belief.rate, exposure, given[cell])
    outcome = {"pages": pages["fetched"], "lost": pages["lost"], "entries": sum(row["entries"] for row in found),
               "cells": _by_cell(found)}  # fmt: skip
    await coverage.keep_outcome(tx, name, outcome)
    if not pages["open"]:
        await coverage.finish(tx, name, "done", "none of its pages is open")
    elif pages["fetched"] >= number(values, "coverage.barren_after_pages") and not found:
        await audits.add_notice(tx, "tranche-barren", name, outcome, f"barren:{name}")
    return name


def _by_cell(found: Iterable[Row]) -> dict[str, float]:
    cells: dict[str, float] = defaultdict(float)
    for row in found:
        cells[f"{row['category']}|{row['regions'][0] if row['regions'] else NO_REGION}"] += row["entries"]
    return dict(sorted(cells.items()))


def credited(found: Iterable[Row], seeded: Mapping[Cell, float], provinces_of: ProvincesOf) -> dict[Cell, float]:
    """What each seeded cell gave; entries that several of them may have brought are shared by the number of their seeds.

    A seed without a category answers for all of them, one without a region for all; a province has its regencies.
    """
    given: dict[Cell, float] = defaultdict(float)
    for row in found:
        places = {NO_REGION} | {place for code in row["regions"] for place in (code, *provinces_of(code))}
        able = [cell for cell in seeded if cell[0] in {"", row["category"]} and cell[1] in places]
        seeds = math.fsum(seeded[cell] for cell in able)
        for cell in able:
            given[cell] += row["entries"] * seeded[cell] / seeds
    return given

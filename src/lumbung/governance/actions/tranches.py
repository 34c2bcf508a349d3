"""Tranches of seeds: proposed, verified, chosen by coverage, injected one at a time, stopped."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lumbung.equations.coverage import Choice, Coverage, choose_by_cost, choose_by_number, forecast_range
from lumbung.errors import PolicyRefused, RefusedError, UsageError
from lumbung.governance.actions.inject_seeds import InjectedSeeds, inject_seeds
from lumbung.governance.constants import number
from lumbung.governance.reports.coverage import ProvincesOf, matrix, proposed
from lumbung.model.permission import Actor, allow
from lumbung.model.profile import Profile, Seed
from lumbung.store import coverage, governed
from lumbung.store.coverage import NewSeed
from lumbung.store.database import Transaction
from lumbung.text.url import normalize

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")
RANGE_LEVEL = 0.9
SPREAD = ("forecast_spread", "forecast_spread_worth")


@dataclass
class AddedTranche:
    name: str
    seeds: int = 0
    duplicates: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


async def add_tranche(
    tx: Transaction, actor: Actor, name: str, seeds: Sequence[Seed], profile: Profile, note: str
) -> AddedTranche:
    """Seeds that are known elsewhere are left out and told; what cannot be a URL is refused."""
    allow(actor, "add-tranche")
    if not NAME.fullmatch(name):
        raise UsageError("A tranche's name has small letters, digits and dashes.")
    report = AddedTranche(name)
    kept: dict[str, NewSeed] = {}
    for seed in seeds:
        fault = _fault(seed, profile)
        try:
            url = normalize(seed.url)
        except RefusedError as error:
            fault = error.reason
            url = seed.url
        if fault:
            report.refused[seed.url] = fault
        elif url in kept:
            report.duplicates[seed.url] = "stands twice in this tranche"
        else:
            kept[url] = NewSeed(url, seed.category, seed.region or "-", seed.cost, seed.note)
    for url, reason in (await coverage.elsewhere(tx, name, list(kept))).items():
        report.duplicates[url] = reason
        kept.pop(url, None)
    if not await coverage.add_tranche(tx, name, note, list(kept.values())):
        raise UsageError(f"Tranche {name} was injected already; give the new seeds another name.")
    report.seeds = len(kept)
    effect = {"seeds": report.seeds, "duplicates": len(report.duplicates), "refused": len(report.refused)}
    await governed.append_action(tx, actor.person, "add-tranche", name, note, effect)
    return report


def _fault(seed: Seed, profile: Profile) -> str:
    if seed.category and seed.category not in profile.categories:
        return f"there is no category {seed.category}"
    if seed.region not in {"", "-"} and seed.region not in profile.regions:
        return f"there is no region {seed.region}"
    return "" if math.isfinite(seed.cost) and seed.cost > 0 else "its cost is not a positive number"


async def verify_seeds(tx: Transaction, actor: Actor, name: str, urls: Sequence[str]) -> int:
    """The curator has looked: these addresses are what the tranche says."""
    allow(actor, "verify-seed")
    wanted = list(urls) or [row["url"] for row in await coverage.seeds(tx, name)]
    verified = await coverage.verify_seeds(tx, name, wanted)
    await governed.append_action(tx, actor.person, "verify-seed", name, "", {"seeds": verified})
    return verified


async def choose(
    tx: Transaction,
    profile: Profile,
    provinces_of: ProvincesOf,
    budget: float | None = None,
    limit: int | None = None,
) -> Choice:
    """Which tranches fill the matrix best, within a cost or a number; changes nothing, so it also answers what-if."""
    targets = (await matrix(tx, profile, provinces_of)).targets
    problem = Coverage(targets, await proposed(tx, profile, provinces_of))
    if budget is not None:
        return choose_by_cost(problem, budget)
    return choose_by_number(problem, 1 if limit is None else limit)


async def inject_tranche(
    tx: Transaction, actor: Actor, name: str, profile: Profile, provinces_of: ProvincesOf, reason: str
) -> InjectedSeeds:
    """One tranche at a time, so that what it gives can be told from what others give."""
    allow(actor, "inject-tranche", reason=reason)
    row = await coverage.get(tx, name)
    if row is None or row["state"] != "proposed":
        raise UsageError(f"There is no tranche {name} that waits to be injected.")
    running = await coverage.running(tx)
    if running is not None:
        raise PolicyRefused(f"Tranche {running} is not finished; stop it first, or wait for its yield.")
    urls = [seed["url"] for seed in await coverage.seeds(tx, name)]
    if not urls:
        raise UsageError(f"Tranche {name} has no seeds.")
    expected = next(each for each in await proposed(tx, profile, provinces_of) if each.name == name)
    entries = math.fsum(expected.yields.values())
    spread = [number(await governed.values_now(tx), f"coverage.{each}") for each in SPREAD]
    within = forecast_range(entries, await coverage.forecasts_and_outcomes(tx), RANGE_LEVEL, *spread)
    forecast: dict[str, Any] = {
        "entries": round(entries, 3),
        "low": round(within.low, 3),
        "high": round(within.high, 3),
        "cells": {f"{k}|{r}": round(n, 3) for (k, r), n in sorted(expected.yields.items())},
        "cost": expected.cost,
    }
    injected = await inject_seeds(tx, actor, urls, name, reason)
    await coverage.mark_injected(tx, name, forecast)
    await governed.append_action(
        tx, actor.person, "inject-tranche", name, reason, {"seeds": injected.added, "forecast": forecast["entries"]}
    )
    return injected


async def stop_tranche(tx: Transaction, actor: Actor, name: str, reason: str) -> None:
    """Its yield is counted as it is; its waiting pages stay in the frontier at their priority."""
    allow(actor, "stop-tranche", reason=reason)
    if not await coverage.finish(tx, name, "stopped", reason):
        raise UsageError(f"Tranche {name} is not running.")
    await governed.append_action(tx, actor.person, "stop-tranche", name, reason, {"state": "stopped"})

"""The demo's curator at work: tranches proposed, looked at, chosen by what they fill, injected and counted."""

from __future__ import annotations

import csv
from collections.abc import Callable
from importlib.resources import files
from io import StringIO

from lumbung.bootstrap import System
from lumbung.errors import ContractError
from lumbung.governance.actions.demo_governance import DEMO_PEOPLE
from lumbung.governance.actions.tranches import add_tranche, choose, inject_tranche, stop_tranche, verify_seeds
from lumbung.governance.steward import yields
from lumbung.model.permission import Actor, Role
from lumbung.model.profile import Seed
from lumbung.store import coverage, people
from lumbung.store.database import Transaction

Talk = Callable[[str], None]


def tranches() -> dict[str, list[Seed]]:
    """The seeds of each tranche, by its name; the first of them leads to most of the demo world."""
    folder = files("lumbung.demo").joinpath("world", "tranches")
    found = sorted(
        (file.name, file.read_text(encoding="utf-8")) for file in folder.iterdir() if file.name.endswith(".csv")
    )
    return {name.removesuffix(".csv"): list(map(seed_of, csv.DictReader(StringIO(text)))) for name, text in found}


def seed_of(row: dict[str, str]) -> Seed:
    return Seed(row["url"], row["category"], row["region"] or "-", float(row["cost"]), row["note"])


async def demo_actor(tx: Transaction, role: Role) -> Actor:
    known = await people.by_login(tx, DEMO_PEOPLE[role][0])
    if known is None:
        raise ContractError(f"The demo has no {role} yet; its governance comes first.")
    return await people.actor_of(tx, known["id"])


async def sow(system: System, talk: Talk) -> str | None:
    """The tranche that runs now: one that was injected before, or the one that fills the matrix best; None at the end."""
    profile, provinces_of = system.profile, system.gazetteer.provinces_of
    async with system.people.transaction() as tx:
        running = await coverage.running(tx)
        if running is not None:
            return running
        curator = await demo_actor(tx, Role.CURATOR)
        await propose(tx, curator, system)
        choice = await choose(tx, profile, provinces_of, limit=1)
        if not choice.steps:
            return None
        [step] = choice.steps
        reason = f"of those proposed it fills the matrix best: +{step.gain:.3f} for a cost of {choice.cost:g}"
        seeds = await inject_tranche(tx, curator, step.tranche, profile, provinces_of, reason)
    talk(f"Tranche {step.tranche}: {seeds.added} seeds; {reason}.")
    return step.tranche


async def propose(tx: Transaction, curator: Actor, system: System) -> None:
    """The portal first; what it did not lead to is proposed when its frontier has run dry."""
    known = {row["name"] for row in await coverage.tranches(tx)}
    first, *others = tranches()
    for name in others if first in known else [first]:
        if name not in known:
            await add_tranche(tx, curator, name, tranches()[name], system.profile, "seeds of the demo world")
            await verify_seeds(tx, curator, name, [])


async def reap(system: System, tranche: str, talk: Talk) -> None:
    """What it gave becomes the belief about the next ones; pages at hosts that asked for rest do not hold it open."""
    async with system.machine.transaction() as tx:
        await yields.update(tx, system.gazetteer.provinces_of)
    async with system.people.transaction() as tx:
        if await coverage.running(tx) == tranche:
            await stop_tranche(tx, await demo_actor(tx, Role.CURATOR), tranche, "its frontier has run dry")
        row = await coverage.get(tx, tranche)
    if row is not None:
        forecast, found = row["forecast"], row["outcome"].get("entries", 0)
        between = f"between {forecast['low']:.0f} and {forecast['high']:.0f}"
        talk(
            f"Tranche {tranche} gave {found:g} new entries; {forecast['entries']:.0f} were expected, {between} in nine of ten."
        )

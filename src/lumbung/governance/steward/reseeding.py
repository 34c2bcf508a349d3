"""Eq. (9) by itself: where a governed row allows it, the next tranche is injected when the frontier runs low."""

from __future__ import annotations

import asyncio

from lumbung.equations.coverage import Coverage, choose_by_number
from lumbung.equations.reseed import needs_tranche
from lumbung.errors import LumbungError
from lumbung.governance.actions.tranches import inject_tranche
from lumbung.governance.reports.coverage import ProvincesOf, matrix, proposed
from lumbung.model.permission import ALL_SCOPES, Actor, Role
from lumbung.model.profile import Profile
from lumbung.store import coverage, frontier, governed
from lumbung.store.database import Database, Transaction
from lumbung.telemetry import log

ALLOWED = "frontier.inject_by_itself"
INTERVAL_SECONDS = 30.0
LOCK = 7231011
STANDING_ORDER = Actor(None, frozenset({(Role.CURATOR, ALL_SCOPES)}), frozenset({"inject-tranche", "inject-seeds"}))
"""The people who set the governed row gave this order; the log names the row, and no person."""


async def reseed(tx: Transaction, profile: Profile, provinces_of: ProvincesOf) -> str | None:
    """The tranche that was injected: the one that fills the matrix best, of those whose seeds a curator has all seen."""
    values = await governed.values_now(tx)
    if not values.get(ALLOWED) or await coverage.running(tx) is not None:
        return None
    depth, phi_min = int((await frontier.depth(tx))["urls"]), int(values.get("frontier.phi_min", 200))
    if not needs_tranche(depth, phi_min):
        return None
    rows = await coverage.tranches(tx)
    seen = {row["name"] for row in rows if row["state"] == "proposed" and 0 < row["seeds"] == row["verified"]}
    offered = tuple(each for each in await proposed(tx, profile, provinces_of) if each.name in seen)
    choice = choose_by_number(Coverage((await matrix(tx, profile, provinces_of)).targets, offered), 1)
    if not choice.names:
        return None
    [name] = choice.names
    reason = f"{depth} addresses wait, fewer than {phi_min}; {ALLOWED} is set"
    await inject_tranche(tx, STANDING_ORDER, name, profile, provinces_of, reason)
    return name


async def keep_reseeding(database: Database, profile: Profile, provinces_of: ProvincesOf) -> None:
    while True:
        try:
            async with database.transaction() as tx:
                if await tx.value("select pg_try_advisory_xact_lock(%(lock)s)", {"lock": LOCK}):
                    name = await reseed(tx, profile, provinces_of)
                    if name is not None:
                        log.info("frontier.reseeded", tranche=name)
        except LumbungError as error:
            log.warning("frontier.not_reseeded", reason=str(error))
        await asyncio.sleep(INTERVAL_SECONDS)

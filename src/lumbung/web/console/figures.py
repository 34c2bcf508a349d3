"""Figures that many pages and live streams share: counted once in a while, not once a reader."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from fastapi import FastAPI, Request

from lumbung.bootstrap import System
from lumbung.errors import LumbungError
from lumbung.governance.actions.people import is_single_handed
from lumbung.governance.audit.credibility import credibility_proposals
from lumbung.governance.reports.funnel import FunnelReport, funnel_report
from lumbung.governance.reports.objective import MONTH_SECONDS, measured_funnel, objective_report
from lumbung.governance.reports.quality import (
    agreement,
    blocking_loss,
    estimates,
    figures_for,
    plan_labels,
    recall_by_stage,
    reliability_diagram,
)
from lumbung.model.job import STAGES
from lumbung.model.profile import Profile
from lumbung.store import audits, console, documents, governed, jobs, ledger, search
from lumbung.store.database import Database

FUNNEL_SECONDS = 1.0
QUALITY_SECONDS = 30.0
ALONE_SECONDS = 10.0
HOLDINGS_SECONDS = 15.0
LATEST_SHOWN = 9
PLANNED_MARGIN = 0.02
DAY_SECONDS = 86400.0
Value = TypeVar("Value")


class Kept(Generic[Value]):
    """A value that is made again when it is old; whoever comes meanwhile waits for the one making."""

    def __init__(self, make: Callable[[], Awaitable[Value]], seconds: float) -> None:
        self._make, self._seconds = make, seconds
        self._lock = asyncio.Lock()
        self._made_at = float("-inf")
        self._value: Value | None = None
        self._making: asyncio.Task[None] | None = None

    def _old(self) -> bool:
        return self._value is None or time.monotonic() - self._made_at > self._seconds

    @property
    def age_seconds(self) -> float:
        return time.monotonic() - self._made_at

    async def now(self) -> Value:
        async with self._lock:
            if self._old():
                self._value = await self._make()
                self._made_at = time.monotonic()
            assert self._value is not None
            return self._value

    async def soon(self, patience_seconds: float = 0.1) -> Value | None:
        """A new value if it comes soon, else the last, however old, while it is on its way; None before the first."""
        self.begin()
        if self._old() and self._making is not None:
            await asyncio.wait([self._making], timeout=patience_seconds)
        return self._value

    def begin(self) -> None:
        """Have it made, unless it is new or being made; nobody waits."""
        if self._old() and (self._making is None or self._making.done()):
            self._making = asyncio.create_task(self._renew())

    async def _renew(self) -> None:
        try:
            await self.now()
        except LumbungError:
            self._made_at = float("-inf")


class SharedFigures:
    def __init__(self, system: System) -> None:
        self._system = system
        self.funnel: Kept[FunnelReport] = Kept(self._funnel, FUNNEL_SECONDS)
        self.pages_per_second: Kept[float] = Kept(self._pages_per_second, FUNNEL_SECONDS)
        self.rates: Kept[list[dict[str, Any]]] = Kept(self._rates, FUNNEL_SECONDS)
        self.quality: Kept[dict[str, Any]] = Kept(self._quality, QUALITY_SECONDS)
        self.holdings: Kept[dict[str, Any]] = Kept(self._holdings, HOLDINGS_SECONDS)
        self._signing: dict[tuple[str, str], Kept[dict[str, Any]]] = {}
        self.log: Kept[dict[str, Any]] = Kept(self._log, 0.0)
        self.single_handed: Kept[bool] = Kept(self._single_handed, ALONE_SECONDS)

    async def _funnel(self) -> FunnelReport:
        async with self._system.people.transaction() as tx:
            return await funnel_report(tx)

    async def _holdings(self) -> dict[str, Any]:
        """What the library holds, counted for all readers of its home page together."""
        async with self._system.people.transaction() as tx:
            by_category, totals = Counter[str | None](), Counter[str]()
            for row in await search.published(tx):
                by_category[row["category"]] += row["entries"]
                totals[row["owner"]] += row["entries"]
            return {
                "by_category": by_category,
                "by_region": await search.by_region(tx),
                "latest": await search.latest(tx, LATEST_SHOWN),
                "totals": totals,
            }

    def signing(self, category: str, risk: str) -> Kept[dict[str, Any]]:
        """What a sign-off would rest on now."""

        async def counted() -> dict[str, Any]:
            address = self._system.addresses.people or ""
            return await asyncio.to_thread(asyncio.run, signing_figures(address, category, risk))

        return self._signing.setdefault((category, risk), Kept(counted, FUNNEL_SECONDS))

    async def _log(self) -> dict[str, Any]:
        """Whether the chain of the log and the rows that it seals hold; a long log takes longer than a page may."""
        async with self._system.people.transaction() as tx:
            return {
                "broken": await governed.broken_links(tx),
                "unsealed": await governed.unsealed_rows(tx),
                "lines": (await governed.head(tx))[0],
                "at": datetime.now(UTC),
            }

    async def _single_handed(self) -> bool:
        async with self._system.people.transaction() as tx:
            return await is_single_handed(tx)

    async def _pages_per_second(self) -> float:
        async with self._system.people.transaction() as tx:
            return await documents.pages_per_second(tx)

    async def _rates(self) -> list[dict[str, Any]]:
        """What each stage did and spent, by outcome."""
        async with self._system.people.transaction() as tx:
            done = await jobs.figures(tx)
            costs = await ledger.by_stage(tx, 30 * DAY_SECONDS)
        by_stage: dict[str, dict[str, Any]] = {}
        for row in done:
            each = by_stage.setdefault(row["stage"], {"stage": row["stage"], "outcomes": {}, "busy_seconds": 0.0})
            each["outcomes"][row["outcome"]] = row["jobs"]
            each["busy_seconds"] += row["busy_seconds"]
        for each in by_stage.values():
            total = sum(each["outcomes"].values())
            each["jobs_a_second"] = total / each["busy_seconds"] if each["busy_seconds"] else 0.0
            each["micros"] = sum(row["micros"] or 0 for row in costs if row["stage"] == each["stage"])
        return sorted(by_stage.values(), key=lambda each: STAGES.index(each["stage"]))

    async def _quality(self) -> dict[str, Any]:
        """In a thread with a connection of its own: estimates over very many samples hold up nobody's page."""
        return await asyncio.to_thread(
            asyncio.run, quality_figures(self._system.addresses.people or "", self._system.profile)
        )


async def signing_figures(address: str, category: str, risk: str) -> dict[str, Any]:
    database = Database(address, size=1)
    await database.open()
    try:
        async with database.transaction() as tx:
            return await figures_for(tx, category, risk)
    finally:
        await database.close()


async def quality_figures(address: str, profile: Profile) -> dict[str, Any]:
    """Eq. (2) as it stands: what is new, what it cost, and all that the labels say about the precision that bounds it."""
    database = Database(address, size=1)
    await database.open()
    try:
        async with database.transaction() as tx:
            precision = await estimates(tx)
            return {
                "day": await console.spent(tx, DAY_SECONDS),
                "month": await objective_report(tx, MONTH_SECONDS),
                "funnel": await measured_funnel(tx),
                "overall": precision.pop("*"),
                "by_category": precision,
                "p_min": (await governed.values_now(tx))["audit.p_min"],
                "loop": await audits.loop_closure(tx),
                "bars": await reliability_diagram(tx),
                "credibility": await credibility_proposals(tx, profile),
                "recalls": await recall_by_stage(tx),
                "blocking": await blocking_loss(tx),
                "agreement": await agreement(tx),
                "plan": await plan_labels(tx, PLANNED_MARGIN),
            }
    finally:
        await database.close()


def prepare(app: FastAPI, system: System) -> None:
    app.state.figures = SharedFigures(system)


def figures_of(request: Request) -> SharedFigures:
    return request.app.state.figures  # type: ignore[no-any-return]

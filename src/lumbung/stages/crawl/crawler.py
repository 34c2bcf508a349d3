"""Stage 1: lease the best URLs among the hosts that may be asked now, fetch, keep the evidence, rank the links."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from lumbung.errors import TransientError
from lumbung.ports.failpoints import Passage
from lumbung.stages.crawl.visit import Visit, Visitor
from lumbung.store import frontier, governed, stages
from lumbung.store.database import Database
from lumbung.store.frontier import Lease
from lumbung.telemetry import log

LEASE_SECONDS = 90.0
LONGEST_WAIT_SECONDS = 5.0


@dataclass
class CrawlLimits:
    """What ends a run before the frontier does."""

    pages: int | None = None


class Crawler:
    """Runs until stopped, or until its page limit is reached."""

    def __init__(self, database: Database, visitor: Visitor, hosts_at_once: int, passage: Passage) -> None:
        self._database = database
        self._visitor = visitor
        self._hosts_at_once = hosts_at_once
        self._passage = passage
        self._visits: set[asyncio.Task[None]] = set()
        self._notice = asyncio.Event()
        self._stopping = asyncio.Event()
        self.limits = CrawlLimits()
        self.pages = 0

    def stop(self) -> None:
        self._stopping.set()
        self._notice.set()

    async def run(self) -> None:
        listening = asyncio.create_task(self._listen())
        try:
            while not self._stopping.is_set():
                await self._turn()
        finally:
            listening.cancel()
            await asyncio.gather(listening, *self._visits, return_exceptions=True)

    async def _turn(self) -> None:
        self._notice.clear()
        try:
            leases = await self._lease()
            wait_seconds = LONGEST_WAIT_SECONDS if leases else await self._wait_seconds()
        except TransientError as error:
            log.info("crawl.waits", reason=str(error))
            wait_seconds = 0.2
            leases = []
        for host, group in groupby(leases, key=lambda lease: lease.host):
            visit = asyncio.create_task(self._visit_host(host, list(group)))
            self._visits.add(visit)
            visit.add_done_callback(self._ended)
        if not leases or len(self._visits) >= self._hosts_at_once:
            await self._until_notice(wait_seconds)

    def _ended(self, visit: asyncio.Task[None]) -> None:
        self._visits.discard(visit)
        self._notice.set()
        if not visit.cancelled() and visit.exception() is not None:
            log.error("crawl.visit_failed", reason=repr(visit.exception()))

    async def _lease(self) -> list[Lease]:
        room = self._hosts_at_once - len(self._visits)
        if self.limits.pages is not None:
            room = min(room, self.limits.pages - self.pages - len(self._visits))
        if room <= 0:
            return []
        async with self._database.transaction() as tx:
            if any(row["name"] == "crawl" and row["paused_reason"] for row in await stages.all_stages(tx)):
                return []
            rows = await governed.values_now(tx)
            await frontier.give_back_expired(tx)
            leases = await frontier.lease(
                tx,
                self._visitor.token,
                room,
                float(rows["crawl.host_delay_seconds"]),
                LEASE_SECONDS,
                1 if self.limits.pages is not None else 20,
            )
        self._visitor.rows = rows
        if leases:
            self._passage("crawl.leased")
        return leases

    async def _wait_seconds(self) -> float:
        async with self._database.transaction() as tx:
            delay = float(self._visitor.rows.get("crawl.host_delay_seconds", 5.0))
            seconds = await frontier.seconds_to_next_slot(tx, delay)
        return LONGEST_WAIT_SECONDS if seconds is None else min(LONGEST_WAIT_SECONDS, max(0.01, seconds))

    async def _visit_host(self, host: str, leases: Sequence[Lease]) -> None:
        """One request at a time; the host is free again, with its delay, in the transaction that ends the last."""
        for place, lease in enumerate(leases):
            last = place == len(leases) - 1
            visit = await self._visitor.visit(lease)
            self._passage("crawl.fetched")
            await self._keep(visit, last or lease.delay > 0)
            self._passage("crawl.committed")
            self.pages += visit.counts_as_page
            if visit.ends_turn:
                return

    async def _keep(self, visit: Visit, free_host: bool) -> None:
        while True:
            try:
                async with self._database.transaction() as tx:
                    await self._visitor.commit(tx, visit, free_host or visit.ends_turn)
            except TransientError as error:
                log.info("crawl.keeps_later", url=visit.lease.url, reason=str(error))
                await asyncio.sleep(0.2)
                continue
            return

    async def _listen(self) -> None:
        while True:
            try:
                async for _ in self._database.listen([frontier.FRONTIER_CHANNEL, stages.STAGE_CHANNEL]):
                    self._notice.set()
            except TransientError:
                await asyncio.sleep(0.2)

    async def _until_notice(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._notice.wait(), seconds)
        except TimeoutError:
            return



"""Stage 1: lease the best URLs among the hosts that may be asked now, visit them, keep what came of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from lumbung.equations.backoff import Backoff
from lumbung.errors import LumbungError, TransientError
from lumbung.ports.failpoints import Passage
from lumbung.providers.fetch.polite import pause
from lumbung.stages.crawl.commits import CommitQueue
from lumbung.stages.crawl.keeping import Keeper
from lumbung.stages.crawl.lanes import AHEAD_SECONDS, Lanes
from lumbung.stages.crawl.links import Ranking, weights_from
from lumbung.stages.crawl.upkeep import Upkeep
from lumbung.stages.crawl.visit import Visitor
from lumbung.store import frontier, governed, hosts, stages
from lumbung.store.database import Database
from lumbung.store.frontier import Lease
from lumbung.store.hosts import FRONTIER_CHANNEL, HOST_CHANNEL, NO_RUN_DELAY, FreedHost, Lane, Rooms, RunDelay
from lumbung.telemetry import begin_step, log
from lumbung.text.denylist import Denylist
from lumbung.text.url import registrable_domain

LEASE_SECONDS = 20.0
RENEWAL_SHARE = 0.25
SAFE_SHARE = 0.8
"""For how much of its time after a renewal a lease is relied upon: the database's clock may be a little ahead."""
LONGEST_WAIT_SECONDS = 5.0
SHORTEST_WAIT_SECONDS = 0.05
LOOK_SECONDS = AHEAD_SECONDS / 2
RELEASE_SECONDS = 0.5
BORROW_SECONDS = 10.0
URLS_WITHOUT_DELAY = 20
GOVERNED_SECONDS = 2.0


@dataclass
class CrawlLimits:
    """What holds for one run alone: what ends it before the frontier does, and hosts with a pace of their own."""

    pages: int | None = None
    pace: RunDelay = NO_RUN_DELAY


class Crawler:
    """Runs until stopped, or until its page limit is reached."""

    def __init__(
        self,
        database: Database,
        visitor: Visitor,
        lanes: Lanes,
        passage: Passage,
        upkeep: Upkeep | None = None,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._database = database
        self._visitor = visitor
        self._lanes = lanes
        self._passage = passage
        self._lease_seconds = lease_seconds
        self._keeper = Keeper(visitor)
        self._commits = CommitQueue(database, self._keeper, passage)
        self._upkeep = upkeep or Upkeep(database, visitor)
        self._visits: dict[str, asyncio.Task[None]] = {}
        self._held_until: dict[str, float] = {}
        self._borrowed_hosts: set[str] = set()
        self._notice = asyncio.Event()
        self._renewal = asyncio.Event()
        self._stopping = asyncio.Event()
        self._paused = False
        self._default_delay = 5.0
        self._governed_until = 0.0
        self._released_until = 0.0
        self.limits = CrawlLimits()
        self.pages = 0
        visitor.borrow = self._borrowed

    def stop(self) -> None:
        self._stopping.set()
        self._notice.set()

    async def run(self) -> None:
        background = [
            asyncio.create_task(each)
            for each in (self._listen(), self._keep_leases(), self._commits.run(), self._upkeep.run())
        ]
        try:
            while not self._stopping.is_set():
                self._check(background)
                await self._turn()
            await asyncio.gather(*self._visits.values(), return_exceptions=True)
            await self._commits.drain()
        finally:
            for task in (*background, *self._visits.values()):
                task.cancel()
            await asyncio.gather(*background, *self._visits.values(), return_exceptions=True)

    def _check(self, background: Sequence[asyncio.Task[None]]) -> None:
        for task in background:
            if task.done():
                task.result()

    async def _turn(self) -> None:
        self._notice.clear()
        try:
            wait_seconds = await self._lease()
        except TransientError as error:
            log.info("crawl.waits", reason=str(error))
            wait_seconds = 0.2
        await self._until_notice(wait_seconds)

    def _start_visits(self, leases: Sequence[Lease]) -> None:
        for host, group in groupby(leases, key=lambda lease: lease.host):
            urls = list(group)
            lane = Lane(urls[0].lane)
            self._lanes.enter(host, lane)
            visit = self._visits[host] = asyncio.create_task(self._visit_host(host, urls))
            visit.add_done_callback(partial(self._ended, host, lane, urls[0].delay))

    def _ended(self, host: str, lane: Lane, delay: float, visit: asyncio.Task[None]) -> None:
        """A host that must be let alone for long is found by the next look."""
        was_full = not self._rooms()[lane].hosts or self._pages_left() == 0
        self._visits.pop(host, None)
        self._held_until.pop(host, None)
        self._lanes.leave(host)
        if was_full or delay < LOOK_SECONDS:
            self._notice.set()
        if not visit.cancelled() and visit.exception() is not None:
            log.error("crawl.visit_failed", host=host, reason=repr(visit.exception()))

    def _rooms(self) -> Rooms:
        return self._lanes.rooms(self._visitor.asked_since, time.monotonic())

    def _pages_left(self) -> int | None:
        if self.limits.pages is None:
            return None
        return max(0, self.limits.pages - self.pages - len(self._visits))

    async def _lease(self) -> float:
        """Starts what may be asked; returns the seconds until it is worth while to look again."""
        await self._read_governed()
        rooms, pages_left = self._rooms(), self._pages_left()
        if self._paused or pages_left == 0:
            return LONGEST_WAIT_SECONDS
        if not any(room.hosts for room in rooms.values()):
            return self._seconds_to_look(None)
        urls = URLS_WITHOUT_DELAY if pages_left is None else 1
        prompt_seconds = self._lanes.prompt_seconds
        asked = time.monotonic()
        async with self._database.transaction() as tx:
            if asked >= self._released_until:
                await hosts.release_expired(tx, self._default_delay, self.limits.pace)
                self._released_until = asked + RELEASE_SECONDS
            leases = await frontier.lease(
                tx,
                self._visitor.token,
                rooms,
                self._default_delay,
                self._lease_seconds,
                urls,
                self.limits.pace,
                hosts_at_most=pages_left,
                prompt_seconds=prompt_seconds,
            )
            unread = self._visitor.policies.unread(lease.host for lease in leases)
            if unread:
                self._visitor.policies.load(unread, await hosts.policies(tx, unread))
            next_slot = await hosts.seconds_to_next_slot(tx, rooms, prompt_seconds)
        for lease in leases:
            self._held_until[lease.host] = asked + SAFE_SHARE * self._lease_seconds
        if leases:
            self._passage("crawl.leased")
        self._start_visits(leases)
        return self._seconds_to_look(next_slot)

    def _seconds_to_look(self, next_slot: float | None) -> float:
        """A moment before the next turn, and soon enough for the hosts in hand once they are free again."""
        longest = LOOK_SECONDS if self._visits else LONGEST_WAIT_SECONDS
        if not all(room.hosts for room in self._rooms().values()):
            longest = min(longest, self._lanes.seconds_to_room(self._visitor.asked_since, time.monotonic()))
        seconds = longest if next_slot is None else next_slot - LOOK_SECONDS
        return min(longest, max(SHORTEST_WAIT_SECONDS, seconds))

    async def _read_governed(self) -> None:
        """The rows in force, read anew every few seconds."""
        if time.monotonic() < self._governed_until:
            return
        async with self._database.transaction() as tx:
            self._paused = any(row["name"] == "crawl" and row["paused_reason"] for row in await stages.all_stages(tx))
            rows = await governed.values_now(tx)
        self._default_delay = float(rows.get("crawl.host_delay_seconds", 5.0))
        self._keeper.pages_per_host = int(rows.get("crawl.pages_per_host", 2_000))
        self._keeper.backoff = Backoff.from_rows(rows)
        self._visitor.max_depth = int(rows.get("crawl.max_depth", 4))
        self._visitor.ranking = Ranking(
            self._upkeep.weights or weights_from(rows),
            float(rows.get("crawl.priority.exploration", 0.0)),
            Denylist(each["pattern"] for each in rows.get("sources.denylist") or ()),
        )
        self._governed_until = time.monotonic() + GOVERNED_SECONDS

    async def _visit_host(self, host: str, leases: Sequence[Lease]) -> None:
        """One request at a time; the host is free again, with its delay, in the transaction that ends the last."""
        pages = 0
        await pause(leases[0].wait)
        for place, lease in enumerate(leases):
            if not self._holds(host):
                return
            step = begin_step("crawl", None, url=lease.url)
            visit = await self._visitor.visit(lease)
            visit.trace = step.trace
            step.end()
            self._passage("crawl.fetched")
            pages += visit.asked and visit.counts_as_page
            visit.frees_host = visit.ends_turn or place == len(leases) - 1
            visit.turn_pages = pages
            self.pages += visit.counts_as_page
            kept = await self._commits.put(visit)
            if visit.frees_host:
                await kept
                return

    def _holds(self, host: str) -> bool:
        return time.monotonic() < self._held_until.get(host, 0.0)

    async def _keep_leases(self) -> None:
        """Renews what is in hand; a host that was lost or stopped is dropped at once, in the middle of a request too."""
        while True:
            self._renewal.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._renewal.wait(), RENEWAL_SHARE * self._lease_seconds)
            asked = time.monotonic()
            before = set(self._visits)
            if not before:
                continue
            try:
                async with self._database.transaction() as tx:
                    held = await hosts.renew(
                        tx, self._visitor.token, sorted(before | self._borrowed_hosts), self._lease_seconds
                    )
                renewed = {host for host, is_renewed in held.items() if is_renewed}
                self._held_until |= dict.fromkeys(renewed & set(self._visits), asked + SAFE_SHARE * self._lease_seconds)
                lost = before - set(held)
            except TransientError as error:
                log.info("crawl.leases_not_renewed", reason=str(error))
                lost = {host for host in before if not self._holds(host)}
            for host in lost & set(self._visits):
                if not self._commits.is_committing(host):
                    self._visits[host].cancel()

    @asynccontextmanager
    async def _borrowed(self, host: str) -> AsyncIterator[bool]:
        """A turn at a host that another host's redirect names, within a bounded wait."""
        delay = await self._borrow(host)
        self._borrowed_hosts.add(host)
        try:
            yield delay is not None
        finally:
            self._borrowed_hosts.discard(host)
            if delay is not None:
                with suppress(LumbungError):
                    async with self._database.transaction() as tx:
                        ended = [FreedHost(host, delay)]
                        await hosts.free(tx, self._visitor.token, ended, self._keeper.pages_per_host)

    async def _borrow(self, host: str) -> float | None:
        give_up = time.monotonic() + BORROW_SECONDS
        while True:
            async with self._database.transaction() as tx:
                await hosts.know_hosts(tx, {host: registrable_domain(host)})
                delay = await hosts.borrow(
                    tx, self._visitor.token, host, self._default_delay, self._lease_seconds, self.limits.pace
                )
            if delay is not None or time.monotonic() > give_up:
                return delay
            await asyncio.sleep(0.5)

    async def _listen(self) -> None:
        while True:
            try:
                async for channel in self._database.listen([FRONTIER_CHANNEL, HOST_CHANNEL, stages.STAGE_CHANNEL]):
                    if channel == HOST_CHANNEL:
                        self._renewal.set()
                    if channel == stages.STAGE_CHANNEL:
                        self._governed_until = 0.0
                    self._notice.set()
            except TransientError:
                await asyncio.sleep(0.2)

    async def _until_notice(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._notice.wait(), seconds)

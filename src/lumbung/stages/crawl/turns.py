"""Turns at a host for a program beside the crawl: the same slots, leases, cooldowns and stops, one request at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from uuid import uuid4

from lumbung.errors import LumbungError, PolicyRefused, TransientError
from lumbung.providers.fetch.polite import TooLongToWait, Turn
from lumbung.stages.crawl.crawler import LEASE_SECONDS, RENEWAL_SHARE
from lumbung.store import governed, hosts
from lumbung.store.database import Database, Transaction
from lumbung.store.hosts import FreedHost
from lumbung.text.url import registrable_domain

LONGEST_WAIT_SECONDS = 300.0
SHORTEST_LOOK_SECONDS, LONGEST_LOOK_SECONDS = 0.05, 1.0


class EngineTurns:
    """Hosts are given in turn by the database of the running engines."""

    def __init__(self, database: Database, max_wait_seconds: float = LONGEST_WAIT_SECONDS) -> None:
        self._database = database
        self._token = uuid4()
        self._max_wait_seconds = max_wait_seconds

    @asynccontextmanager
    async def turn(self, host: str, delay_seconds: float) -> AsyncIterator[Turn]:
        """Waits for the host's turn; PolicyRefused when it is stopped. The delay in force is the engines' own.

        `delay_seconds` counts where nobody has bound the host to another one.
        """
        turn = Turn(await self._taken(host, delay_seconds))
        renewing = asyncio.create_task(self._renew(host))
        started = time.monotonic()
        try:
            yield turn
        finally:
            ended = time.monotonic()
            renewing.cancel()
            await self._free(host, turn, ended - started, ended)

    async def _taken(self, host: str, delay_seconds: float) -> float:
        give_up = time.monotonic() + self._max_wait_seconds
        while True:
            async with self._database.transaction() as tx:
                await hosts.know_hosts(tx, {host: registrable_domain(host)})
                await hosts.release_expired(tx, delay_seconds)
                await self._refuse_stopped(tx, host)
                delay = await hosts.borrow(tx, self._token, host, delay_seconds, LEASE_SECONDS)
                seconds = 0.0 if delay is not None else await hosts.seconds_to_slot_of(tx, host)
            if delay is not None:
                return delay
            if time.monotonic() + seconds > give_up:
                raise TooLongToWait(host, seconds)
            await asyncio.sleep(min(LONGEST_LOOK_SECONDS, max(SHORTEST_LOOK_SECONDS, seconds)))

    async def _refuse_stopped(self, tx: Transaction, host: str) -> None:
        why = await hosts.stop_reason(tx, host)
        if why is not None:
            raise PolicyRefused(f"{host} is not asked: {why}", reason=why)

    async def _renew(self, host: str) -> None:
        while True:
            await asyncio.sleep(RENEWAL_SHARE * LEASE_SECONDS)
            with suppress(TransientError):
                async with self._database.transaction() as tx:
                    await hosts.renew(tx, self._token, [host], LEASE_SECONDS)

    async def _free(self, host: str, turn: Turn, service_seconds: float, ended: float) -> None:
        """Where the database is away, the lease runs out by itself."""
        with suppress(LumbungError):
            async with self._database.transaction() as tx:
                rows = await governed.values_now(tx)
                budget = int(rows.get("crawl.pages_per_host", 2_000))
                freed = FreedHost(
                    host,
                    turn.pause_seconds,
                    ended_ago_seconds=time.monotonic() - ended,
                    service_seconds=service_seconds,
                )
                await hosts.free(tx, self._token, [freed], budget)

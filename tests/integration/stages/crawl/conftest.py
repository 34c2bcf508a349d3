from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager

import pytest
from tests.integration.stages.crawl.tiny_web import TinyWeb

from lumbung.profiles.loader import load_profile
from lumbung.providers.fetch.addresses import AddressGuard, parse_network
from lumbung.providers.fetch.fetcher import Fetcher
from lumbung.providers.fetch.limits import FetchLimits
from lumbung.providers.fetch.resolver import Endpoint
from lumbung.providers.parser.pool import ParserPool
from lumbung.runtime.heartbeat import start_beating
from lumbung.stages.crawl.crawler import Crawler
from lumbung.stages.crawl.lanes import Lanes
from lumbung.stages.crawl.links import LinkRanker
from lumbung.stages.crawl.upkeep import Upkeep
from lumbung.stages.crawl.visit import Visitor
from lumbung.store import frontier
from lumbung.store.database import Database
from lumbung.store.frontier import FrontierUrl
from lumbung.text.gate import Gate
from lumbung.text.url import host_of, normalize, registrable_domain

PROFILE = load_profile("pdbi")
GATE = Gate(PROFILE)
RANKER = LinkRanker(PROFILE)


class Bench:
    """A real crawler on a real database, asking a server of the test's own."""

    def __init__(self, database: Database, web: TinyWeb, reader: ParserPool) -> None:
        self.database, self.web, self.reader = database, web, reader

    async def seed(self, *urls: str, delay: float | None = 0.0) -> None:
        rows = []
        for url in map(normalize, urls):
            host = host_of(url)
            rows.append(FrontierUrl(url, host, registrable_domain(host), 100.0, 0))
        async with self.database.transaction() as tx:
            await frontier.add(tx, rows, "test")
            if delay is not None:
                await frontier.set_delay(tx, [(row.host, row.domain) for row in rows], delay)

    def visitor(self, refused_hosts: frozenset[str] = frozenset(), names: dict[str, int] | None = None) -> Visitor:
        known = {host for host, _ in self.web.answers} | set(names or {})
        self.fetcher = Fetcher(
            "LumbungBot/0.1",
            AddressGuard([parse_network("127.0.0.1")]),
            FetchLimits(redirects=0, connect_seconds=3.0, grace_seconds=0.5, stall_seconds=2.0),
            {(host, port): Endpoint("127.0.0.1", self.web.port) for host in known for port in (80, 443)},
            ask_public=True,
        )
        return Visitor(self.fetcher, self.reader, GATE, RANKER, "LumbungBot/0.1", refused_hosts)

    async def crawl(
        self, within: float = 60.0, visitor: Visitor | None = None, upkeep_seconds: float = 15.0
    ) -> Crawler:
        """Until the frontier is dry."""
        visitor = visitor or self.visitor()
        upkeep = Upkeep(self.database, visitor, upkeep_seconds)
        crawler = Crawler(self.database, visitor, Lanes(32), lambda _: None, upkeep)
        running = asyncio.create_task(crawler.run())
        end = time.monotonic() + within
        try:
            while not await self.is_dry():
                assert time.monotonic() < end, "the frontier did not run dry"
                if running.done():
                    running.result()
                await asyncio.sleep(0.05)
        finally:
            crawler.stop()
            await asyncio.wait_for(running, 60)
            await self.fetcher.close()
        return crawler

    async def is_dry(self) -> bool:
        async with self.database.transaction() as tx:
            return await frontier.is_dry(tx)

    async def rows(self, query: str, **parameters: object) -> list[dict[str, object]]:
        async with self.database.transaction() as tx:
            return await tx.rows(query, parameters)

    async def ends(self) -> dict[str, tuple[str, str | None]]:
        rows = await self.rows("select url, state, reason from frontier")
        return {str(row["url"]): (str(row["state"]), row["reason"]) for row in rows}


@pytest.fixture
def bench(logins):
    @asynccontextmanager
    async def opened(web: TinyWeb):
        database = Database(logins.machine, size=6)
        await database.open()
        beating = await start_beating(database)
        async with web, ParserPool(1) as reader:
            try:
                yield Bench(database, web, reader)
            finally:
                beating.cancel()
                await database.close()

    return opened

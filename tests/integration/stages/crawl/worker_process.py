"""A crawler as a process of its own: python -m tests.integration.stages.crawl.worker_process URL PORT HOSTS LEASE"""

from __future__ import annotations

import asyncio
import sys

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
from lumbung.stages.crawl.visit import Visitor
from lumbung.store.database import Database


async def main(url: str, port: int, hosts: int, lease_seconds: float) -> None:
    database = Database(url, size=4)
    await database.open()
    fetcher = Fetcher(
        "LumbungBot/0.1",
        AddressGuard([parse_network("127.0.0.1")]),
        FetchLimits(redirects=0),
        {(f"h{number}.example", 80): Endpoint("127.0.0.1", port) for number in range(hosts)},
    )
    visitor = Visitor(fetcher, ParserPool(1), None, LinkRanker(load_profile("pdbi")), "LumbungBot/0.1")
    beating = await start_beating(database)
    print("ready", flush=True)
    try:
        await Crawler(database, visitor, Lanes(32), lambda _: None, lease_seconds=lease_seconds).run()
    finally:
        beating.cancel()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])))

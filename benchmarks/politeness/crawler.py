"""One crawler as a process of its own, its wall clock set off: DATABASE PORT HOSTS OFFSET"""

from __future__ import annotations

import asyncio
import sys
import time

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


def set_off_clocks(seconds: float) -> None:
    """This machine's idea of the time is wrong, and its monotonic clock began elsewhere."""
    wall, steady = time.time, time.monotonic
    time.time = lambda: wall() + seconds
    time.monotonic = lambda: steady() + 1000.0 + seconds


async def main(url: str, port: int, hosts: int, offset: float) -> None:
    set_off_clocks(offset)
    database = Database(url, size=3)
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
        await Crawler(database, visitor, Lanes(64), lambda _: None).run()
    finally:
        beating.cancel()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])))

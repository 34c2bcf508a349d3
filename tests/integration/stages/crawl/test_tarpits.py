"""Hosts that hold on to whoever asks them, many more than a crawler has places, beside others that answer.

Two crawls at the same moments of one process, one of them beside tarpits: their requests are counted, not timed, so that
a busy machine slows both alike.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager

import pytest
from tests.integration.stages.crawl.conftest import Bench
from tests.integration.stages.crawl.tiny_web import Answer, TinyWeb

from lumbung.providers.parser.pool import ParserPool
from lumbung.runtime.ending import end_all
from lumbung.runtime.heartbeat import start_beating
from lumbung.stages.crawl.crawler import Crawler
from lumbung.stages.crawl.lanes import Lanes
from lumbung.store.database import Database

HTML = {"Content-Type": "text/html"}
NEVER = Answer(b"x", 200, HTML, seconds=600.0)
SLOWLY = Answer(b" " * 4000, 200, HTML, drip=True)
PLACES = 12
POLITE, TARPITS = 10, 60
PAGES_A_HOST = 60
COUNTED = 200
DELAY_SECONDS = 0.5
PROMPT_SECONDS = 0.25
LEAST_SHARE = 0.9


def polite_hosts(kind: str) -> list[str]:
    return [f"{kind}{number}.example" for number in range(POLITE)]


def tarpits() -> list[str]:
    """Whoever leases by name meets them first."""
    return [f"jahat{number}.example" for number in range(TARPITS)]


def web_with_tarpits(welcome: Answer | None) -> TinyWeb:
    """Hosts that hold on; those with a welcome say at once what crawlers may ask, and hold on to the pages."""
    web = TinyWeb()
    web.endless = True
    for host in (*polite_hosts("tenang"), *polite_hosts("ramai")):
        web.add(f"http://{host}/robots.txt", Answer(b"", 404))
    for number, host in enumerate(tarpits()):
        web.add(f"http://{host}/robots.txt", welcome or NEVER)
        for page in range(PAGES_A_HOST):
            web.add(f"http://{host}/lubang-{page}", NEVER if number % 2 else SLOWLY)
    return web


@asynccontextmanager
async def crawling(logins, web: TinyWeb, reader: ParserPool, hosts: list[str], pits: list[str]):
    database = Database(logins.machine, size=6)
    await database.open()
    beating = await start_beating(database)
    made = Bench(database, web, reader)
    await made.seed(
        *(f"http://{host}/lubang-{page}" for host in pits for page in range(PAGES_A_HOST)), delay=DELAY_SECONDS
    )
    await made.seed(*(f"http://{host}/p{page}" for host in hosts for page in range(PAGES_A_HOST)), delay=DELAY_SECONDS)
    crawler = Crawler(database, made.visitor(), Lanes(PLACES, prompt_seconds=PROMPT_SECONDS), lambda _: None)
    running = asyncio.create_task(crawler.run())
    try:
        yield running
    finally:
        await end_all([running])
        await made.fetcher.close()
        beating.cancel()
        await database.close()


def asked(web: TinyWeb, kind: str) -> int:
    return sum(each.host.startswith(kind) for each in web.log)


def met(web: TinyWeb, kind: str) -> int:
    """Hosts that were asked for a page."""
    return len({each.host for each in web.log if each.host.startswith(kind) and each.path.startswith("/p")})


@pytest.mark.parametrize("welcome", [None, Answer(b"", 404)], ids=["from the first request on", "at the pages"])
async def test_hosts_beside_far_more_tarpits_than_places_keep_nine_tenths_of_their_turns(logins, twin_logins, welcome):
    """Counted from when each of them has been met."""
    web = web_with_tarpits(welcome)
    async with web, ParserPool(1) as reader:
        beside = crawling(logins, web, reader, polite_hosts("ramai"), tarpits())
        alone = crawling(twin_logins, web, reader, polite_hosts("tenang"), [])
        async with beside as with_tarpits, alone as without:

            async def until(is_so: Callable[[], bool]) -> None:
                while not is_so():
                    assert not with_tarpits.done()
                    assert not without.done()
                    await asyncio.sleep(0.05)

            await until(lambda: met(web, "ramai") == met(web, "tenang") == POLITE)
            ramai, tenang = asked(web, "ramai"), asked(web, "tenang")
            await until(lambda: asked(web, "tenang") >= tenang + COUNTED)
            assert asked(web, "jahat") > PLACES
            assert (asked(web, "ramai") - ramai) / (asked(web, "tenang") - tenang) >= LEAST_SHARE

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.integration.providers.fetch.local_servers import Handler, Serve, Server, answer

from lumbung.errors import SettingsError
from lumbung.providers.fetch.addresses import AddressGuard
from lumbung.providers.fetch.fetcher import Fetcher
from lumbung.providers.fetch.limits import Reason, Verdict
from lumbung.providers.fetch.polite import HostTurns
from lumbung.providers.fetch.visitor import RobotsFolder, Visitor, user_agent

DELAY = 0.1


def site(pages: dict[str, bytes]) -> Handler:
    async def handle(path: str, writer: asyncio.StreamWriter) -> None:
        writer.write(pages.get(path, answer(b"", "404 Not Found")))

    return handle


@asynccontextmanager
async def visitor(guard: AddressGuard, folder: Path) -> AsyncIterator[Visitor]:
    async with Fetcher("Lumbung/0.1", guard) as fetcher:
        turns = HostTurns(folder / "turns", 30.0, max_wait_seconds=2.0)
        yield Visitor(fetcher, turns, RobotsFolder(folder / "robots"), "Lumbung/0.1", DELAY)


def gaps(server: Server) -> list[float]:
    times = [when for when, _ in server.requests]
    return [later - earlier for earlier, later in zip(times, times[1:], strict=False)]


async def test_robots_are_asked_first_and_every_request_waits_its_turn(
    serve: Serve, loopback: AddressGuard, tmp_path: Path
) -> None:
    server = await serve(site({"/a": answer(b"satu"), "/b": answer(b"dua")}))
    async with visitor(loopback, tmp_path) as visits:
        both = await asyncio.gather(visits.visit(server.url("/a")), visits.visit(server.url("/b")))
    assert {result.content for result in both} == {b"satu", b"dua"}
    assert server.paths()[0] == "/robots.txt"
    assert min(gaps(server)) >= DELAY


async def test_a_disallowed_page_is_not_asked_for(serve: Serve, loopback: AddressGuard, tmp_path: Path) -> None:
    robots = answer(b"User-agent: lumbung\nDisallow: /rahasia\n")
    server = await serve(site({"/robots.txt": robots, "/rahasia/a": answer(), "/a": answer()}))
    async with visitor(loopback, tmp_path) as visits:
        refused = await visits.visit(server.url("/rahasia/a"))
        fetched = await visits.visit(server.url("/a"))
    assert (refused.verdict, refused.reason, refused.detail) == (Verdict.REFUSED, Reason.ROBOTS, "Disallow: /rahasia")
    assert fetched.fetched
    assert server.paths() == ["/robots.txt", "/a"]


async def test_robots_are_kept_for_the_next_program(serve: Serve, loopback: AddressGuard, tmp_path: Path) -> None:
    server = await serve(site({"/a": answer()}))
    for _ in range(2):
        async with visitor(loopback, tmp_path) as visits:
            assert (await visits.visit(server.url("/a"))).fetched
    assert server.paths() == ["/robots.txt", "/a", "/a"]
    assert min(gaps(server)) >= DELAY


@pytest.mark.parametrize("status", ["500 Oops", "503 Busy", "429 Slow down"])
async def test_robots_that_cannot_be_had_disallow_and_are_asked_again_by_the_next_program(
    serve: Serve, loopback: AddressGuard, tmp_path: Path, status: str
) -> None:
    server = await serve(site({"/robots.txt": answer(b"", status), "/a": answer()}))
    for _ in range(2):
        async with visitor(loopback, tmp_path) as visits:
            result = await visits.visit(server.url("/a"))
            assert (result.verdict, result.reason) == (Verdict.REFUSED, Reason.ROBOTS_UNREACHABLE)
    assert server.paths() == ["/robots.txt", "/robots.txt"]


async def test_a_crawl_delay_is_kept_when_it_is_longer_than_ours(
    serve: Serve, loopback: AddressGuard, tmp_path: Path
) -> None:
    robots = answer(b"User-agent: *\nCrawl-delay: 0.4\n")
    server = await serve(site({"/robots.txt": robots, "/a": answer(), "/b": answer()}))
    async with visitor(loopback, tmp_path) as visits:
        await visits.visit(server.url("/a"))
        await visits.visit(server.url("/b"))
    assert server.paths() == ["/robots.txt", "/a", "/b"]
    assert min(gaps(server)) >= 0.4


async def test_a_host_that_asks_for_more_patience_gets_it(serve: Serve, loopback: AddressGuard, tmp_path: Path) -> None:
    server = await serve(site({"/a": answer(b"", "429 Too Many", "Retry-After: 60"), "/b": answer()}))
    async with visitor(loopback, tmp_path) as visits:
        first = await visits.visit(server.url("/a"))
        second = await visits.visit(server.url("/b"))
    assert first.status == 429
    assert (second.verdict, second.reason) == (Verdict.REFUSED, Reason.DELAY)


async def test_each_hop_of_a_redirect_obeys_robots_and_waits(
    serve: Serve, loopback: AddressGuard, tmp_path: Path
) -> None:
    pages = {
        "/robots.txt": answer(b"User-agent: *\nDisallow: /tertutup\n"),
        "/a": answer(b"", "302 Found", "Location: /b"),
        "/b": answer(b"sampai"),
        "/c": answer(b"", "302 Found", "Location: /tertutup"),
        "/d": answer(b"", "302 Found", "Location: http://169.254.169.254/"),
        "/e": answer(b"", "302 Found", "Location: /e"),
    }
    server = await serve(site(pages))
    async with visitor(loopback, tmp_path) as visits:
        results = {path: await visits.visit(server.url(path)) for path in ("/a", "/c", "/d", "/e")}
    assert results["/a"].content == b"sampai"
    assert results["/a"].redirects == ((302, server.url("/b")),)
    assert (results["/c"].verdict, results["/c"].reason) == (Verdict.REFUSED, Reason.ROBOTS)
    assert (results["/d"].verdict, results["/d"].reason) == (Verdict.REFUSED, Reason.ADDRESS)
    assert results["/e"].reason is Reason.REDIRECT_LOOP
    assert "/tertutup" not in server.paths()
    assert min(gaps(server)) >= DELAY


@pytest.mark.parametrize("header", ["X-Robots-Tag: noai", "X-Robots-Tag: noindex", "TDM-Reservation: 1"])
async def test_an_opt_out_in_the_headers_is_obeyed(
    serve: Serve, loopback: AddressGuard, tmp_path: Path, header: str
) -> None:
    server = await serve(site({"/a": answer(b"isi", "200 OK", header)}))
    async with visitor(loopback, tmp_path) as visits:
        result = await visits.visit(server.url("/a"))
    assert (result.verdict, result.reason, result.content) == (Verdict.REFUSED, Reason.OPT_OUT, b"")


def test_the_user_agent_says_who_we_are_and_where_to_write() -> None:
    assert user_agent("Lumbung/1.2", "https://budaya.id/bot") == "Lumbung/1.2 (+https://budaya.id/bot)"
    assert user_agent("Lumbung/1.2", "bot@budaya.id") == "Lumbung/1.2 (+mailto:bot@budaya.id)"
    assert user_agent("Lumbung/1.2", None) == "Lumbung/1.2"
    for contact in ("nobody", "a@b\r\nX-Evil: 1", "a b@c", "é@b.id", "a@b)"):
        with pytest.raises(SettingsError, match="LUMBUNG_CONTACT"):
            user_agent("Lumbung/1.2", contact)

"""What hosts ask of us is obeyed, and recorded with its reason."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest
from tests.integration.stages.crawl.tiny_web import Answer, TinyWeb, page

from lumbung.archive.reading import ArchivedAnswer
from lumbung.runtime.ending import end_all
from lumbung.stages.crawl.archives import take_in
from lumbung.store import frontier, hosts
from lumbung.store.hosts import FAILURES_BEFORE_REST, FreedHost, Lane, Room

HTML = {"Content-Type": "text/html"}


def robots(text: str, status: int = 200, **headers: str) -> Answer:
    return Answer(text.encode(), status, {"Content-Type": "text/plain", **headers})


async def test_robots_are_read_once_and_bind_every_page(bench):
    web = TinyWeb()
    web.add("http://a.example/robots.txt", robots("User-agent: *\nDisallow: /tutup"))
    web.add("http://a.example/", page("Tari Satu", "/tutup/x", "/buka"))
    web.add("http://a.example/buka", page("Tari Dua"))
    web.add("http://a.example/tutup/x", page("Tari Tiga"))
    async with bench(web) as made:
        await made.seed("http://a.example/")
        await made.crawl()
        ends = await made.ends()
    assert ends["http://a.example/tutup/x"] == ("refused", "robots.txt: Disallow: /tutup")
    assert ends["http://a.example/buka"][0] == "fetched"
    assert web.paths("a.example").count("/robots.txt") == 1
    assert "/tutup/x" not in web.paths("a.example")


async def test_a_server_error_for_robots_means_that_nothing_is_asked_and_the_host_rests(bench):
    web = TinyWeb()
    web.add("http://a.example/robots.txt", robots("x", 503))
    web.add("http://a.example/", page("Tari"))
    async with bench(web) as made:
        await made.seed("http://a.example/")
        await made.crawl()
        [host] = await made.rows("select note, cooldown_until > lumbung_now() as resting from host")
        [notice] = await made.rows("select kind, host from crawl_notice")
        ends = await made.ends()
    assert web.paths("a.example") == ["/robots.txt"]
    assert host["resting"] and "robots.txt could not be read" in host["note"]
    assert notice == {"kind": "robots", "host": "a.example"}
    assert ends["http://a.example/"][0] == "waiting"


async def test_robots_that_cannot_be_read_for_tls_mean_that_nothing_is_asked_and_the_host_rests(bench):
    """It speaks plain HTTP where TLS is due; the page that it would give without is not asked for."""
    web = TinyWeb()
    web.add("http://a.example/", page("Tari"))
    async with bench(web) as made:
        await made.seed("https://a.example/")
        await made.crawl()
        [host] = await made.rows("select note, cooldown_until > lumbung_now() as resting from host")
    assert host["resting"]
    assert host["note"] == "robots.txt could not be read: nothing may be asked"
    assert web.log == []


async def test_whom_a_redirect_names_is_asked_only_as_its_own_robots_allow(bench):
    web = TinyWeb()
    web.add("http://a.example/lama", Answer(b"", 302, {"Location": "http://b.example/tutup"}))
    web.add("http://a.example/aman", Answer(b"", 301, {"Location": "https://b.example/buka"}))
    web.add("http://b.example/robots.txt", robots("User-agent: *\nDisallow: /tutup"))
    web.add("http://b.example/tutup", page("Tari"))
    async with bench(web) as made:
        await made.seed("http://a.example/lama", "http://a.example/aman")
        await made.crawl()
        ends = await made.ends()
    assert ends["http://b.example/tutup"] == ("refused", "robots.txt: Disallow: /tutup")
    assert "/tutup" not in web.paths("b.example")
    assert ends["https://b.example/buka"][0] == "waiting"


async def test_robots_are_followed_over_redirects_to_another_host(bench):
    web = TinyWeb()
    web.add("http://a.example/robots.txt", Answer(b"", 301, {"Location": "http://b.example/aturan.txt"}))
    web.add("http://b.example/aturan.txt", robots("User-agent: *\nDisallow: /"))
    web.add("http://a.example/", page("Tari"))
    async with bench(web) as made:
        await made.seed("http://a.example/")
        await made.seed("http://b.example/lain", delay=0.0)
        await made.crawl()
        ends = await made.ends()
    assert ends["http://a.example/"] == ("refused", "robots.txt: Disallow: /")
    assert "/" not in web.paths("a.example")


@pytest.mark.parametrize(
    ("path", "answer", "reason"),
    [
        ("/.well-known/tdmrep.json", Answer(b'[{"location": "/", "tdm-reservation": 1}]'), "opt-out: tdmrep.json"),
        ("/ai.txt", robots("User-agent: *\nDisallow: /"), "opt-out: ai.txt"),
    ],
)
async def test_reservations_of_a_whole_site_are_found_before_its_first_page(bench, path, answer, reason):
    web = TinyWeb()
    web.add(f"http://a.example{path}", answer)
    web.add("http://a.example/", page("Tari"))
    async with bench(web) as made:
        await made.seed("http://a.example/")
        await made.crawl()
        state, why = (await made.ends())["http://a.example/"]
    assert (state, why[: len(reason)]) == ("refused", reason)
    assert "/" not in web.paths("a.example")


@pytest.mark.parametrize(
    ("headers", "markup", "reason"),
    [
        ({"X-Robots-Tag": "noai"}, "", "opt-out: noai"),
        ({"TDM-Reservation": "1"}, "", "opt-out: tdm-reservation"),
        ({}, "<meta name='robots' content='noarchive'>", "opt-out: noarchive"),
    ],
)
async def test_a_page_that_opts_out_is_not_kept(bench, headers, markup, reason):
    web = TinyWeb()
    answer = page("Tari")
    web.add(
        "http://a.example/",
        Answer(answer.body.replace(b"</title>", b"</title>" + markup.encode()), 200, HTML | headers),
    )
    async with bench(web) as made:
        await made.seed("http://a.example/")
        await made.crawl()
        state, why = (await made.ends())["http://a.example/"]
        assert await made.rows("select 1 from document") == []
    assert (state, why[: len(reason)]) == ("refused", reason)


async def test_a_host_that_is_asked_too_much_rests_as_long_as_it_says(bench):
    web = TinyWeb()
    web.add("http://a.example/", Answer(b"pelan", 429, {"Retry-After": "1200"}))
    web.add("http://a.example/lain", page("Tari"))
    async with bench(web) as made:
        await made.seed("http://a.example/", "http://a.example/lain")
        await made.crawl()
        [host] = await made.rows(
            "select extract(epoch from cooldown_until - lumbung_now())::float8 as left, note from host"
        )
    assert 1100 < host["left"] <= 1200
    assert host["note"] == "blocked: too-many-requests"
    assert "/lain" not in web.paths("a.example")


async def test_a_challenge_with_a_good_status_is_a_block(bench):
    web = TinyWeb()
    web.add("http://a.example/", Answer(b"<html><title>Just a moment...</title><body></body></html>", 200, HTML))
    async with bench(web) as made:
        await made.seed("http://a.example/")
        await made.crawl()
        [notice] = await made.rows("select kind, text from crawl_notice")
    assert notice == {"kind": "blocked", "text": "status 200, challenge"}


async def leased_by(made, token):
    """What one crawler is given, one URL at a time."""
    async with made.database.transaction() as tx:
        return await frontier.lease(tx, token, {lane: Room(4) for lane in Lane}, 0.0, 60.0, 1)


async def end_turn(made, token, host, *, failed):
    async with made.database.transaction() as tx:
        await hosts.free(tx, token, [FreedHost(host, 0.0, failed=failed)], 1000)


async def test_a_host_that_keeps_failing_rests_for_all_crawlers_and_each_rest_ends_with_one_probe(bench):
    """To the crawl each host is a provider, and its row the breaker that all workers share."""
    host, crawlers = "h0.example", [uuid4() for _ in range(16)]
    async with bench(TinyWeb()) as made:
        await made.seed(*(f"http://{host}/{number}" for number in range(40)))
        for crawler in crawlers[:FAILURES_BEFORE_REST]:
            assert len(await leased_by(made, crawler)) == 1
            await end_turn(made, crawler, host, failed=True)
        for still_fails in (True, False):
            assert await leased_by(made, crawlers[0]) == [], "it rests"
            await made.rows("update host set cooldown_until = null returning name")
            given = await asyncio.gather(*(leased_by(made, crawler) for crawler in crawlers))
            [prober] = [crawler for crawler, leases in zip(crawlers, given, strict=True) if leases]
            await end_turn(made, prober, host, failed=still_fails)
        assert len(await leased_by(made, crawlers[0])) == 1
        assert await made.rows("select failures from host") == [{"failures": 0}]


async def test_three_answers_that_forbid_put_the_host_to_rest(bench):
    web = TinyWeb()
    for number in range(6):
        web.add(f"http://a.example/{number}", Answer(b"tidak", 403))
    async with bench(web) as made:
        await made.seed(*(f"http://a.example/{number}" for number in range(6)), delay=0.01)
        await made.crawl()
        ends = await made.ends()
    asked = [path for path in web.paths("a.example") if path.strip("/").isdigit()]
    assert len(asked) == 3
    assert sorted(state for url, (state, _) in ends.items() if url[-1].isdigit()) == ["refused"] * 3 + ["waiting"] * 3


async def test_the_library_itself_is_never_asked(bench):
    web = TinyWeb()
    web.add("http://a.example/", page("Tari", "http://perpustakaan.example/entri"))
    web.add("http://perpustakaan.example/", page("Tari"))
    async with bench(web) as made:
        await made.seed("http://a.example/", "http://perpustakaan.example/")
        await made.crawl(visitor=made.visitor(frozenset({"perpustakaan.example"})))
        ends = await made.ends()
    assert ends["http://perpustakaan.example/"] == ("refused", "the library itself")
    assert "http://perpustakaan.example/entri" not in ends
    assert web.paths("perpustakaan.example") == []


async def test_a_stopped_host_is_dropped_in_the_middle_of_its_turn(bench):
    import asyncio

    web = TinyWeb()
    web.endless = True
    web.service_seconds = 0.2
    web.add("http://a.example/p0", page("Tari", "/p1"))
    async with bench(web) as made:
        await made.seed("http://a.example/p0")
        running = asyncio.create_task(made.crawl())
        while "/p3" not in web.paths("a.example"):
            await asyncio.sleep(0.02)
        async with made.database.transaction() as tx:
            await hosts.stop(tx, ["a.example"], "the operator said so")
        await asyncio.sleep(0.6)
        asked = len(web.log)
        await asyncio.sleep(0.8)
        assert len(web.log) == asked
        await end_all([running])


async def test_an_archive_brings_no_page_of_the_library_nor_of_a_host_that_opted_out(bench):
    text = "Tari Piring adalah tarian tradisional Minangkabau dari Sumatera Barat yang diiringi talempong. " * 6
    markup = f"<html lang=id><title>Tari Piring</title><article><h1>Tari Piring</h1><p>{text}</p></article>".encode()
    pages = [
        ArchivedAnswer(f"http://{host}.example/tari", 200, (("content-type", "text/html"),), markup)
        for host in ("perpustakaan", "menolak", "museum")
    ]
    async with bench(TinyWeb()) as made:
        async with made.database.transaction() as tx:
            await hosts.stop_host(tx, "menolak.example", "the owner asked", opted_out=True)
        visitor = made.visitor(frozenset({"perpustakaan.example"}))
        assert await take_in(pages, visitor, made.database) == (1, 2)
        await made.fetcher.close()
        refused = await made.rows("select subject, reason from refusal order by subject")
        kept = await made.rows("select url from document")
    assert [row["url"] for row in kept] == ["http://museum.example/tari"]
    assert [row["reason"] for row in refused] == ["archive: the host is stopped", "the library itself"]

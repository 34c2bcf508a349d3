"""What becomes of pages: found once, kept with their evidence, led on, or left with a reason."""

from __future__ import annotations

import gzip
import threading

from fastwarc.warc import ArchiveIterator, WarcRecordType
from tests.integration.providers.parser.test_recognition import SCAN
from tests.integration.stages.crawl.tiny_web import Answer, TinyWeb, page

from lumbung.archive.threaded import ThreadedArchive
from lumbung.archive.warc import WarcFolder
from lumbung.governance.reports.frontier import frontier_report
from lumbung.governance.steward.archiver import archive_once
from lumbung.stages.crawl import visit
from lumbung.stages.crawl.upkeep import learn
from lumbung.store import learning
from lumbung.text.sitemap import read_link_source

XML = {"Content-Type": "application/xml"}
HTML = {"Content-Type": "text/html; charset=utf-8"}


async def test_a_page_is_kept_as_sent_and_its_links_are_its_offspring(bench):
    web = TinyWeb()
    answer = page("Tari Topeng", "/a", "/b", "/a#x", "http://lain.example/c")
    web.add("http://a.example/", Answer(gzip.compress(answer.body), 200, HTML | {"Content-Encoding": "gzip"}))
    for path in ("/a", "/b"):
        web.add(f"http://a.example{path}", page(f"Tari {path}"))
    web.add("http://lain.example/c", page("Tari C"))
    async with bench(web) as made:
        await made.seed("http://a.example/")
        await made.seed("http://lain.example/c")
        await made.crawl()
        [document] = await made.rows("select * from document where url = 'http://a.example/'")
        offspring = await made.rows("select new_links from offspring where document = %(id)s", id=document["id"])
        jobs = await made.rows("select payload from job where stage = 'extract'")
    assert bytes(document["body"]) == answer.body
    assert gzip.decompress(bytes(document["wire"])) == answer.body
    assert ["Content-Encoding", "gzip"] in document["headers"]
    assert offspring == [{"new_links": 2}]
    assert document["gate"]["passed"]
    assert len(jobs) == 4


async def test_a_scan_is_kept_for_whoever_can_read_its_letters(bench):
    web = TinyWeb()
    pdf = {"Content-Type": "application/pdf"}
    web.add("http://a.example/scan.pdf", Answer(SCAN, 200, pdf))
    web.add("http://a.example/reserved.pdf", Answer(SCAN, 200, pdf | {"X-Robots-Tag": "noarchive, noai"}))
    async with bench(web) as made:
        await made.seed("http://a.example/scan.pdf")
        await made.seed("http://a.example/reserved.pdf")
        await made.crawl()
        kept = await made.rows("select id, url, body from document where url like '%%.pdf'")
        jobs = await made.rows("select payload from job where stage = 'extract'")
    assert [(row["url"], bytes(row["body"])) for row in kept] == [("http://a.example/scan.pdf", SCAN)]
    assert [job["payload"] for job in jobs] == [{"document": kept[0]["id"]}]


async def test_redirects_are_addresses_like_any_other_and_end(bench):
    web = TinyWeb()
    web.add("http://a.example/lama", Answer(b"", 301, {"Location": "/baru"}))
    web.add("http://a.example/baru", page("Tari"))
    for number in range(9):
        web.add(f"http://a.example/r{number}", Answer(b"", 302, {"Location": f"/r{number + 1}"}))
    async with bench(web) as made:
        await made.seed("http://a.example/lama", "http://a.example/r0")
        await made.crawl()
        ends = await made.ends()
    assert ends["http://a.example/lama"] == ("fetched", "redirect")
    assert ends["http://a.example/baru"][0] == "fetched"
    assert ends["http://a.example/r5"] == ("failed", "too many redirects")
    assert "http://a.example/r6" not in ends


async def test_a_page_under_another_address_is_asked_under_its_canonical_one(bench):
    web = TinyWeb()
    copy = page("Tari").body.replace(b"</title>", b"</title><link rel='canonical' href='/tari'>")
    web.add("http://a.example/tari", Answer(copy, 200, HTML))
    web.add("http://a.example/cetak/tari", Answer(copy, 200, HTML))
    async with bench(web) as made:
        await made.seed("http://a.example/cetak/tari")
        await made.crawl()
        ends = await made.ends()
        documents = await made.rows("select url from document")
    assert ends["http://a.example/cetak/tari"] == ("refused", "canonical address: http://a.example/tari")
    assert documents == [{"url": "http://a.example/tari"}]


async def test_a_page_that_says_it_is_not_there_is_no_page(bench):
    web = TinyWeb()
    web.add("http://a.example/", page("Halaman tidak ditemukan", text="Maaf, halaman ini tidak ditemukan."))
    async with bench(web) as made:
        await made.seed("http://a.example/")
        await made.crawl()
        assert (await made.ends())["http://a.example/"] == ("refused", "trap: soft-404")


async def test_calendars_are_not_entered(bench):
    web = TinyWeb()
    web.add("http://a.example/", page("Tari", "/agenda/2026/01", "/agenda/2026/02", "/tari"))
    web.add("http://a.example/tari", page("Tari"))
    async with bench(web) as made:
        await made.seed("http://a.example/")
        await made.crawl()
        assert not any("agenda" in url for url in await made.ends())


async def test_a_pattern_that_gave_nothing_is_left_after_its_trial(bench):
    web = TinyWeb()
    web.add("http://a.example/q1", page("Tari"))
    async with bench(web) as made:
        await made.seed("http://a.example/q1")
        await made.rows("insert into host_shape values ('a.example', 'a.example/q{n}', 150, 0) returning 1")
        visitor = made.visitor()
        visitor.shapes.load([{"shape": "a.example/q{n}", "pages": 150, "yielding": 0}])
        await made.crawl(visitor=visitor)
        assert (await made.ends())["http://a.example/q1"] == ("refused", "trap: fruitless-pattern /q{n}")
    assert "/q1" not in web.paths("a.example")


async def test_a_packed_robots_file_is_obeyed_and_archived_as_sent(bench, tmp_path):
    packed = gzip.compress(b"User-agent: *\nDisallow: /tertutup/\n", mtime=0)
    web = TinyWeb()
    web.add("http://a.example/robots.txt", Answer(packed, 200, {"Content-Encoding": "gzip"}))
    web.add("http://a.example/tertutup/a", page("Tari"))
    async with bench(web) as made:
        await made.seed("http://a.example/tertutup/a")
        await made.crawl()
        assert (await made.ends())["http://a.example/tertutup/a"][0] == "refused"
        archive = WarcFolder(tmp_path, "x")
        await archive_once(made.database, ThreadedArchive(archive), lambda _: None)
        [file] = archive.names()
    with (tmp_path / file).open("rb") as stream:
        responses = ArchiveIterator(stream, record_types=WarcRecordType.response)
        robots = next(each for each in responses if each.headers["WARC-Target-URI"] == "http://a.example/robots.txt")
        assert robots.http_headers["Content-Encoding"] == "gzip"
        assert robots.reader.read() == packed


async def test_a_sitemap_is_read_beside_the_loop(bench, monkeypatch):
    """A list of the largest size takes seconds, in which the loop serves other hosts."""
    readers = []

    def noted(content, url):
        readers.append(threading.current_thread())
        return read_link_source(content, url)

    monkeypatch.setattr(visit, "read_link_source", noted)
    web = TinyWeb()
    web.add("http://a.example/robots.txt", Answer(b"Sitemap: http://a.example/peta.xml", 200))
    web.add("http://a.example/peta.xml", Answer(b"<urlset><url><loc>http://a.example/b</loc></url></urlset>", 200, XML))
    for path in ("/", "/b"):
        web.add(f"http://a.example{path}", page("Tari"))
    async with bench(web) as made:
        await made.seed("http://a.example/")
        await made.crawl()
        assert (await made.ends())["http://a.example/b"][0] == "fetched"
    assert readers
    assert threading.main_thread() not in readers


async def test_sitemaps_feeds_and_journals_lead_on(bench):
    web = TinyWeb()
    web.add("http://a.example/robots.txt", Answer(b"Sitemap: http://a.example/peta.xml", 200))
    web.add(
        "http://a.example/peta.xml",
        Answer(b"<urlset><url><loc>http://a.example/dari-peta</loc></url></urlset>", 200, XML),
    )
    feed = page("Tari").body.replace(
        b"</title>", b"</title><link rel='alternate' type='application/rss+xml' href='/rss'>"
    )
    web.add("http://a.example/", Answer(feed, 200, HTML))
    web.add(
        "http://a.example/rss",
        Answer(b"<rss><channel><item><link>http://a.example/dari-umpan</link></item></channel></rss>", 200, XML),
    )
    record = (
        b"<OAI-PMH><ListRecords><record><header/><metadata><dc xmlns:dc='http://purl.org/dc/elements/1.1/'>"
        b"<dc:identifier>http://a.example/dari-jurnal</dc:identifier></dc></metadata></record></ListRecords></OAI-PMH>"
    )
    web.add("http://a.example/oai?metadataPrefix=oai_dc&verb=ListRecords", Answer(record, 200, XML))
    web.add("http://a.example/oai", Answer(b"<OAI-PMH><error code='badVerb'/></OAI-PMH>", 200, XML))
    for name in ("peta", "umpan", "jurnal"):
        web.add(f"http://a.example/dari-{name}", page(f"Tari {name}"))
    async with bench(web) as made:
        await made.seed("http://a.example/", "http://a.example/oai")
        await made.crawl()
        ends = await made.ends()
    for name in ("peta", "umpan", "jurnal"):
        assert ends[f"http://a.example/dari-{name}"][0] == "fetched", name
    assert ends["http://a.example/peta.xml"] == ("fetched", "link source: sitemap")


async def test_hostile_hosts_end_bounded_and_do_not_slow_the_others(bench):
    web = TinyWeb()
    web.add("http://baik.example/", page("Tari", *(f"/tari-{number}" for number in range(30))))
    for number in range(30):
        web.add(f"http://baik.example/tari-{number}", page(f"Tari {number}"))
    web.add("http://jahat.example/tetes", Answer(b" " * 40, 200, HTML, drip=True))
    web.add(
        "http://jahat.example/atribut",
        Answer(b"<html><body " + b" ".join(b"a%d=1" % n for n in range(20_000)) + b">", 200, HTML),
    )
    web.add("http://jahat.example/dalam", Answer(b"<html>" + b"<div>" * 50_000, 200, HTML))
    web.add(
        "http://jahat.example/bom", Answer(gzip.compress(b"<p>" * 9_000_000), 200, HTML | {"Content-Encoding": "gzip"})
    )
    web.add("http://jahat.example/tajuk", Answer(b"x", 200, {"X-Besar": "g" * 100_000}))
    async with bench(web) as made:
        await made.seed("http://baik.example/", delay=0.1)
        await made.seed(*(f"http://jahat.example/{name}" for name in ("tetes", "atribut", "dalam", "bom", "tajuk")))
        await made.rows("update host set page_budget = 20 where name = 'baik.example' returning 1")
        await made.crawl(within=90)
        ends = await made.ends()
        [good] = await made.rows("select pages, stopped from host where name = 'baik.example'")
    assert {
        url.rpartition("/")[2]: state for url, (state, _) in ends.items() if "jahat" in url and "sitemap" not in url
    } == {
        "tetes": "failed",
        "atribut": "refused",
        "dalam": "refused",
        "bom": "failed",
        "tajuk": "failed",
    }
    requests = [asked.started for asked in web.log if asked.host == "baik.example"]
    assert max(after - before for before, after in zip(requests, requests[1:], strict=False)) < 1.0
    assert good["pages"] == 20


async def test_a_host_stops_at_its_page_budget_and_says_so(bench):
    web = TinyWeb()
    web.add("http://a.example/", page("Tari", *(f"/tari-{number}" for number in range(12))))
    for number in range(12):
        web.add(f"http://a.example/tari-{number}", page(f"Tari {number}"))
    async with bench(web) as made:
        await made.seed("http://a.example/", delay=0.01)
        await made.rows("update host set page_budget = 5 returning 1")
        await made.crawl()
        [host] = await made.rows("select pages, stopped from host")
        [notice] = await made.rows("select kind from crawl_notice")
    assert host == {"pages": 5, "stopped": "page budget reached"}
    assert notice == {"kind": "budget"}


async def test_a_mirror_host_is_left_and_named(bench):
    web = TinyWeb()
    links = [f"/tari-{number}" for number in range(12)]
    for host in ("asli.example", "cermin.example"):
        web.add(f"http://{host}/", page("Tari", *links))
        for link in links:
            web.add(f"http://{host}{link}", page(f"Tari {link}"))
    async with bench(web) as made:
        await made.seed("http://asli.example/")
        await made.crawl()
        await made.seed("http://cermin.example/")
        visitor = made.visitor()
        await made.crawl(visitor=visitor)
        from lumbung.stages.crawl.upkeep import Upkeep

        await Upkeep(made.database, visitor).once()
        rows = await made.rows("select name, mirror_of, stopped from host where mirror_of is not null")
    assert rows == [{"name": "cermin.example", "mirror_of": "asli.example", "stopped": "a mirror of asli.example"}]


async def test_the_priority_learns_from_what_pages_gave_and_can_be_reset(bench):
    web = TinyWeb()
    web.add("http://a.example/", page("Tari", "/baik", "/buruk"))
    for name in ("baik", "buruk"):
        web.add(f"http://a.example/{name}", page(f"Tari {name}"))
    async with bench(web) as made:
        await made.seed("http://a.example/")
        await made.crawl()
        await made.rows("update document set sketch = '{1}' returning 1")
        async with made.database.transaction() as tx:
            assert await learn(tx) == 2
            model = await learning.model(tx)
            assert model is not None
            assert model["updates"] == 2
            await learning.reset_model(tx)
            assert await learning.model(tx) is None


async def test_the_monitor_tells_why_the_frontier_stands_still(bench):
    web = TinyWeb()
    web.add("http://a.example/", page("Tari", "/x"))
    web.add(
        "http://a.example/x",
        page("Tari X", "http://sering.example/1", "http://sering.example/2", "http://sering.example/3"),
    )
    async with bench(web) as made:
        async with made.database.transaction() as tx:
            assert (await frontier_report(tx)).standstill == ["Nothing was ever seeded; inject a tranche."]
        await made.seed("http://a.example/")
        await made.crawl()
        async with made.database.transaction() as tx:
            report = await frontier_report(tx)
    assert report.standstill == ["The frontier is dry: every address that was found has been asked for or refused."]
    assert report.offspring_mean is not None
    assert report.offspring_mean.low <= report.offspring_mean.value <= report.offspring_mean.high
    assert report.needs_tranche
    assert [each["host"] for each in report.suggestions] == ["sering.example"]
    assert report.as_json()["waiting"] == 0

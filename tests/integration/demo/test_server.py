"""The demo world as a visitor sees it: over HTTP, host by host, without our crawler."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urldefrag, urljoin, urlsplit

import aiohttp
import pypdfium2
from lxml import etree, html

from lumbung.demo.pages import load_world, world_folder
from lumbung.demo.server import DemoWorld

HOSTILE_PATHS = ("/bom-gzip", "/bersarang", "/atribut", "/tajuk-raksasa", "/tetes", "/bukan-html", "/lingkaran")
OAI = "{http://www.openarchives.org/OAI/2.0/}"
DC = "{http://purl.org/dc/elements/1.1/}"


class Visitor:
    """Asks the demo world by host name; remembers nothing but the session."""

    def __init__(self, world: DemoWorld, session: aiohttp.ClientSession) -> None:
        self.world = world
        self.session = session

    async def get(self, url: str, *, redirects: bool = False) -> tuple[aiohttp.ClientResponse, bytes]:
        parts = urlsplit(url)
        path = parts.path or "/"
        where = f"http://127.0.0.1:{self.world.port}{path}" + (f"?{parts.query}" if parts.query else "")
        headers = {"Host": parts.netloc}
        async with self.session.get(where, headers=headers, allow_redirects=redirects) as response:
            return response, await response.read()


@asynccontextmanager
async def visiting(addresses: int = 1) -> AsyncIterator[Visitor]:
    world = DemoWorld(addresses=addresses)
    await world.start()
    try:
        async with aiohttp.ClientSession() as session:
            yield Visitor(world, session)
    finally:
        await world.stop()


def seeds(*tranches: str) -> list[str]:
    found = []
    for tranche in tranches:
        text = world_folder().joinpath("tranches", tranche).read_text(encoding="utf-8")
        found += [row["url"] for row in csv.DictReader(text.splitlines())]
    return found


def links_of(url: str, content_type: str, body: bytes) -> list[str]:
    if "xml" in content_type:
        return [str(element.text) for element in etree.fromstring(body).iter(f"{DC}identifier")]
    if content_type != "text/html" or not body:
        return []
    found = html.fromstring(body.decode("utf-8", errors="replace")).xpath("//a/@href")
    return [urldefrag(urljoin(url, str(target)))[0] for target in found]


async def reachable(visitor: Visitor, start: list[str]) -> set[str]:
    """Breadth first over the world's own links; the trap, the bombs and the slow host's waiting are left out."""
    visitor.world.sites = {host: site for host, site in load_world().items() if host != "lambat.example"}
    seen: set[str] = set(start)
    queue = list(start)
    fetched: set[str] = set()
    while queue:
        url = queue.pop()
        parts = urlsplit(url)
        if parts.path.startswith("/agenda") or parts.path in HOSTILE_PATHS:
            continue
        response, body = await visitor.get(url)
        fetched.add(url)
        found = links_of(url, response.content_type, body)
        if "Location" in response.headers:
            found.append(urljoin(url, response.headers["Location"]))
        for target in found:
            if target not in seen and urlsplit(target).netloc in visitor.world.sites:
                seen.add(target)
                queue.append(target)
    return fetched


def test_two_hundred_pages_of_thirty_hosts_are_reachable_from_the_tranches() -> None:
    async def scenario() -> tuple[set[str], set[str]]:
        async with visiting() as visitor:
            first = await reachable(visitor, seeds("01-portal.csv"))
            every = await reachable(visitor, seeds("01-portal.csv", "02-sumatra.csv", "03-kalimantan.csv"))
            return first, every

    first, every = asyncio.run(scenario())
    assert len(every) >= 200
    assert len({urlsplit(url).netloc for url in every}) >= 30
    later = {"melayu-sumatra.example", "budaya-borneo.example", "senjata-pusaka.example"}
    assert not {urlsplit(url).netloc for url in first} & later
    assert {urlsplit(url).netloc for url in every} >= later
    items = {page.url for site in load_world().values() for page in site.item_pages()}
    assert {urlsplit(url).netloc for url in items - every} == {"lambat.example"}


def test_each_host_answers_its_robots_and_xml_parses() -> None:
    async def scenario() -> None:
        async with visiting() as visitor:
            for host, site in visitor.world.sites.items():
                response, _ = await visitor.get(f"http://{host}/robots.txt")
                assert response.status == site.robots_status, host
                if site.sitemap:
                    _, body = await visitor.get(f"http://{host}/sitemap.xml")
                    assert len(etree.fromstring(body)) > 1

    asyncio.run(scenario())


def test_the_journal_is_harvested_over_oai_pmh_to_its_last_record() -> None:
    async def scenario() -> list[str]:
        found: list[str] = []
        async with visiting() as visitor:
            query = "verb=ListRecords&metadataPrefix=oai_dc"
            while query:
                _, body = await visitor.get(f"http://jurnal-budaya.example/oai?{query}")
                tree = etree.fromstring(body)
                found += [str(element.text) for element in tree.iter(f"{DC}identifier")]
                tokens = [element.text for element in tree.iter(f"{OAI}resumptionToken")]
                query = f"verb=ListRecords&resumptionToken={tokens[0]}" if tokens else ""
            _, body = await visitor.get("http://jurnal-budaya.example/oai?verb=Nothing")
            assert b'code="badVerb"' in body
            _, body = await visitor.get("http://jurnal-budaya.example/oai?verb=Identify")
            assert b"<protocolVersion>2.0</protocolVersion>" in body
        return found

    found = asyncio.run(scenario())
    assert sorted(found) == sorted(page.url for page in load_world()["jurnal-budaya.example"].item_pages())


def test_pdfs_have_a_text_layer() -> None:
    async def scenario() -> bytes:
        async with visiting() as visitor:
            response, body = await visitor.get("http://jurnal-budaya.example/pdf/i-la-galigo.pdf")
            assert response.content_type == "application/pdf"
            return body

    text = pypdfium2.PdfDocument(asyncio.run(scenario()))[0].get_textpage().get_text_bounded()
    assert "I La Galigo adalah naskah kuno dari Sulawesi Selatan" in text.replace("\r\n", " ")


def test_opt_outs_blocks_and_redirects_are_answered_as_written() -> None:
    async def scenario() -> None:
        async with visiting() as visitor:
            response, _ = await visitor.get("http://cadangan-tdm.example/artikel/tari-topeng")
            assert response.headers["tdm-reservation"] == "1"
            _, body = await visitor.get("http://cadangan-tdm.example/.well-known/tdmrep.json")
            assert b'"tdm-reservation": 1' in body
            _, body = await visitor.get("http://tanpa-ai.example/tari-gandrung")
            assert b'<meta name="robots" content="noai, noimageai" />' in body
            response, _ = await visitor.get("http://blokir.example/antre")
            assert (response.status, response.headers["Retry-After"]) == (429, "3600")
            response, _ = await visitor.get("http://pindah.example/rumah/joglo")
            assert (response.status, response.headers["Location"]) == (301, "/arsip/joglo")
            response, _ = await visitor.get("http://tidak-ada.example/")
            assert response.status == 421
            response, _ = await visitor.get("http://museum-kain.example/tidak-ada")
            assert response.status == 404

    asyncio.run(scenario())


def test_the_calendar_never_ends() -> None:
    async def scenario() -> None:
        async with visiting() as visitor:
            url = "http://kalender-acara.example/agenda/2026/01"
            for _ in range(30):
                response, body = await visitor.get(url)
                assert response.status == 200
                url = urljoin(url, str(html.fromstring(body).xpath("//a[text()='Bulan berikutnya']/@href")[0]))
            assert url.endswith("/agenda/2028/07")

    asyncio.run(scenario())


def test_the_bomb_is_bounded_and_small_on_the_wire() -> None:
    async def scenario() -> tuple[int, int]:
        async with visiting() as visitor:
            response, body = await visitor.get("http://jahat.example/bom-gzip")
            return int(response.headers["Content-Length"]), len(body)

    wire, unpacked = asyncio.run(scenario())
    assert wire < 200_000
    assert 16_000_000 < unpacked < 32_000_000


def test_every_request_is_remembered_with_its_begin_and_end() -> None:
    async def scenario() -> None:
        async with visiting() as visitor:
            await visitor.get("http://museum-kain.example/koleksi/batik-kawung")
            await visitor.get("http://museum-kain.example/gambar/kawung.png")
            first, second = visitor.world.requests
            assert (first.host, first.path, first.status) == ("museum-kain.example", "/koleksi/batik-kawung", 200)
            assert first.ended is not None
            assert second.ended is not None
            assert first.started <= first.ended <= second.started <= second.ended

    asyncio.run(scenario())


def test_a_slow_page_ends_no_sooner_than_its_delay() -> None:
    async def scenario() -> float:
        async with visiting() as visitor:
            await visitor.get("http://lambat.example/wedang-uwuh")
            [record] = visitor.world.requests
            assert record.ended is not None
            return record.ended - record.started

    assert asyncio.run(scenario()) >= load_world()["lambat.example"].delay_seconds


def test_hosts_lines_name_every_host_once_and_may_spread_over_addresses() -> None:
    async def scenario() -> list[str]:
        async with visiting(addresses=3) as visitor:
            return visitor.world.hosts_lines()

    lines = asyncio.run(scenario())
    assert [line.split()[0] for line in lines] == sorted(load_world())
    places = {line.split()[1] for line in lines}
    assert {place.split(":")[0] for place in places} == {"127.0.0.1", "127.0.0.2", "127.0.0.3"}
    assert len({place.split(":")[1] for place in places}) == 1

"""The public library over real HTTP."""

from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager
from dataclasses import replace

import aiohttp
import pytest
from lxml import html

from lumbung.bootstrap import Addresses, LocalNames, System
from lumbung.config import Settings
from lumbung.governance.installation import install
from lumbung.profiles.loader import load_profile
from lumbung.store import entries
from lumbung.store.database import Database
from lumbung.store.entries import HumanEntry
from lumbung.web.console.figures import SharedFigures
from lumbung.web.server import web_server

PROFILE = load_profile("pdbi")
NASTY = "<script>alert(1)</script>\u202e{{7*7}}"


def entry(identity, title, body, category="tarian"):
    return HumanEntry(
        identity,
        category,
        title,
        title.lower(),
        ["Alias " + NASTY],
        [],
        ["ID-SB"],
        "ID-SB",
        body,
        [],
        None,
        "CC-BY-4.0",
        "reference",
        identity,
        None,
    )


@pytest.fixture
def served(logins, tmp_path):
    @asynccontextmanager
    async def opened(web=None):
        people, machine = Database(logins.people), Database(logins.machine)
        await people.open()
        await machine.open()
        async with people.transaction() as tx:
            await install(tx, PROFILE)
            await entries.write_human(tx, entry("a1", "Tari Piring", "Tarian dari Minangkabau. " + NASTY), None)
            await entries.write_human(tx, entry("a2", "Tari Lilin", "Tarian dengan lilin."), None)
        settings = Settings.model_validate(
            {"data_dir": tmp_path, "web": {"port": 0} | (web or {}), "crawl": {"contact": "https://contoh.example/"}}
        )
        system = System(
            settings, Addresses(None, logins.machine, logins.people, ""), machine, people, PROFILE, LocalNames()
        )
        try:
            async with (
                web_server(system) as address,
                aiohttp.ClientSession(address, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session,
            ):
                yield session, people
        finally:
            await people.close()
            await machine.close()

    return opened


async def get(session, path, **headers):
    async with session.get(path, headers=headers, allow_redirects=False) as answer:
        return answer, await answer.text()


async def test_home_search_and_entry_are_served_in_both_languages(served):
    async with served() as (session, _):
        for path in (
            "/",
            "/cari",
            "/cari?q=piring",
            "/entri/a1",
            "/entri/a1/riwayat",
            "/entri/a1/riwayat/1",
            "/robot",
            "/entri/a1/perbaiki",
            "/entri/a1/turunkan",
        ):
            answer, text = await get(session, path, **{"Accept-Language": "en"})
            assert answer.status == 200, path
            assert 'lang="en"' in text
            assert len(text) < 60_000
        _, indonesian = await get(session, "/?bahasa=id")
        assert "Kategori" in indonesian
        _, english = await get(session, "/?bahasa=en")
        assert "Categories" in english


async def test_a_page_of_a_category_or_a_province_bears_its_name(served):
    async with served() as (session, _):
        for path, heading in (
            ("/cari?kategori=tarian&bahasa=id", "Tarian"),
            ("/cari?kategori=tarian&bahasa=en", "Dances"),
            ("/cari?wilayah=ID-SB&bahasa=en", "Sumatera Barat"),
            ("/cari?kategori=tarian&wilayah=ID-SB&bahasa=en", "Dances · Sumatera Barat"),
            ("/cari?kategori=tarian&q=piring&bahasa=en", "Results for “piring”"),
            ("/cari?kategori=tidak-ada&bahasa=id", "Jelajahi"),
        ):
            _, text = await get(session, path)
            assert f"<h1>{heading}</h1>" in text, path
            assert f"<title>{heading} · " in text, path


async def test_whoever_mistyped_is_offered_names_that_are_there(served):
    async with served() as (session, people):
        for typed in ("tari+piirng", "piringg", "tari+pring", "pirnig"):
            answer, text = await get(session, f"/cari?q={typed}")
            assert answer.status == 200
            assert '<li><a href="/entri/a1">Tari Piring</a></li>' in text, typed
            assert 'class="card"' not in text
        for typed in ("piring", "sepeda+motor"):
            _, text = await get(session, f"/cari?q={typed}")
            assert "Mungkin yang Anda maksud" not in text
        async with people.transaction() as tx:
            await tx.run("update entry set status = 'withdrawn' where identity = 'a1'")
        _, text = await get(session, "/cari?q=tari+piirng")
        assert "Tari Piring" not in text


async def test_related_are_those_of_the_place_before_others_of_the_kind_and_never_its_own_supplement(served):
    async with served() as (session, people):
        async with people.transaction() as tx:
            await entries.write_human(tx, entry("a0", "Musik", "x", "musik-dan-lagu"), None)
            await entries.write_human(tx, entry("b1", "Angguk", "Tarian."), None)
            await entries.write_human(tx, entry("s1", "Tari Lilin — data pelengkap", "x"), None)
            await tx.run("update entry set regions = '{ID-JT}' where identity = 'b1'")
            await tx.run("update entry set supplement_of = 'a2', owner = 'machine' where identity = 's1'")
        _, text = await get(session, "/entri/a2")
        shown = re.findall(r'<h3><a href="/entri/(\w+)">', text)
        assert shown == ["a1", "b1"]


async def test_an_entry_is_cited_by_an_address_that_leads_to_it(served):
    async with served() as (session, _):
        answer, text = await get(session, "/entri/a1")
        assert f". {answer.url.origin()}/entri/a1" in text


async def test_every_field_of_a_page_is_inert(served):
    async with served() as (session, _):
        answer, text = await get(session, "/entri/a1")
        assert "<script" not in text
        assert "&lt;script&gt;" in text
        assert "{{7*7}}" in text
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Frame-Options"] == "DENY"
        _, searched = await get(session, "/cari?q=" + "%3Cscript%3Ealert(1)%3C/script%3E")
        assert "<script" not in searched


async def test_an_entry_that_nobody_put_into_a_category_is_read_like_any_other(served):  # noqa: F811
    async with served() as (session, people):
        async with people.transaction() as tx:
            bare = replace(entry("k1", "Tari Tanpa Golongan", "Isi.", category=None), regions=[], primary_region="-")
            await entries.write_human(tx, bare, None)
        for path in ("", ".json", ".jsonld", "/riwayat", "/riwayat/1", "/perbaiki", "/turunkan"):
            answer, text = await get(session, f"/entri/k1{path}")
            assert answer.status == 200, path
        for path in (
            "/cari?q=golongan",
            "/feed.atom",
            "/oai?verb=ListRecords&metadataPrefix=oai_dc",
            "/api/v1/entries",
        ):
            answer, text = await get(session, path)
            assert answer.status == 200 and "Tari Tanpa Golongan" in text, path


async def test_files_of_people_stand_on_their_page_and_none_of_them_acts(served):  # noqa: F811
    """Names, addresses and objects, as an import takes them, whatever they say beside."""
    own = {"url": "https://a.example/t.pdf", "caption": "Naskah", "digest": "b" * 64, "page": "javascript:alert(1)"}
    files = [
        "foto.jpg",
        "https://a.example/tari.jpg",
        {"url": "https://a.example/p.jpg"},
        own,
        {"url": "ja\tvascript:alert(1)"},
    ]
    async with served() as (session, people):
        async with people.transaction() as tx:
            await entries.write_human(tx, replace(entry("f1", "Tari Berkas", "Isi."), files=files), None)
        answer, text = await get(session, "/entri/f1")
        assert answer.status == 200
        told = html.fromstring(text)
        shown = [each.text_content() for each in told.xpath("//main//li") if "berkas" not in each.text_content()]
        assert shown[:4] == ["foto.jpg", "https://a.example/tari.jpg", "https://a.example/p.jpg", "Naskah"]
        acting = [link for link in told.xpath("//main//@href | //main//@src") if "script" in link or "/media/" in link]
        assert acting == []


async def test_a_removed_entry_is_gone_an_unknown_one_not_found_and_a_merged_one_redirects(served):
    async with served() as (session, people):
        async with people.transaction() as tx:
            await tx.run("update entry set status = 'tombstone', status_reason = 'permintaan' where identity = 'a2'")
            await tx.run("insert into redirect (identity, target, reason) values ('old', 'a1', 'merged')")
        answer, text = await get(session, "/entri/a2")
        assert answer.status == 410
        assert "permintaan" in text
        assert (await get(session, "/entri/none"))[0].status == 404
        answer, _ = await get(session, "/entri/old")
        assert (answer.status, answer.headers["Location"]) == (301, "/entri/a1")


def token_in(text):
    return text.split('name="token" value="')[1].split('"')[0]


async def test_a_site_owner_stops_the_crawler_at_once(served):
    async with served() as (session, people):
        _, text = await get(session, "/robot")
        async with session.post(
            "/robot", data={"token": token_in(text), "host": "https://Contoh.ID/x", "reason": "beban"}
        ) as answer:
            assert answer.status == 200
        async with people.transaction() as tx:
            row = await tx.row("select stopped, opted_out from host where name = 'contoh.id'")
        assert row["opted_out"]
        assert row["stopped"]


async def test_a_form_without_its_token_or_from_another_site_changes_nothing(served):
    async with served() as (session, people):
        async with session.post("/robot", data={"token": "x", "host": "contoh.id"}) as answer:
            assert answer.status == 422
        _, text = await get(session, "/robot")
        headers = {"Origin": "https://evil.example"}
        async with session.post(
            "/robot", data={"token": token_in(text), "host": "contoh.id"}, headers=headers
        ) as answer:
            assert answer.status == 403
        async with people.transaction() as tx:
            assert await tx.row("select 1 as one from host where name = 'contoh.id'") is None


async def test_readers_ask_for_corrections_and_removals(served):
    async with served() as (session, people):
        _, text = await get(session, "/entri/a1/perbaiki")
        async with session.post(
            "/entri/a1/perbaiki", data={"token": token_in(text), "text": "Tahunnya keliru."}
        ) as answer:
            assert answer.status == 200
            assert '<a href="/entri/a1">Tari Piring</a>' in await answer.text(), "the way back"
        _, text = await get(session, "/entri/a1/turunkan")
        data = {
            "token": token_in(text),
            "requester": "Ibu Sari",
            "contact": "sari@contoh.example",
            "reason": "milik keluarga",
        }
        async with session.post("/entri/a1/turunkan", data=data) as answer:
            assert answer.status == 200
            assert '<a href="/entri/a1">Tari Piring</a>' in await answer.text()
        async with people.transaction() as tx:
            assert await tx.value("select count(*) from correction") == 1
            assert await tx.value("select count(*) from takedown") == 1


async def test_pages_of_results_follow_each_other_without_gaps(served):
    async with served() as (session, people):
        async with people.transaction() as tx:
            for number in range(45):
                await entries.write_human(tx, entry(f"n{number:02}", f"Tari Nomor {number:02}", "Tarian."), None)
        seen, path = [], "/cari?q=tari"
        while path:
            _, text = await get(session, path)
            seen += [piece.split('"')[0] for piece in text.split('<h2><a href="/entri/')[1:]]
            path = (
                text.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&") if 'rel="next"' in text else None
            )
        assert len(seen) == len(set(seen)) == 47


async def test_entries_that_are_asked_again_and_again_at_once_are_always_answered(served):
    async with served() as (session, _):
        paths = [f"/entri/{identity}{form}" for identity in ("a1", "a2") for form in ("", ".json", "/riwayat")]
        paths += ["/api/v1/entries/a1"]
        for _turn in range(5):
            answers = await asyncio.gather(*(get(session, path) for path in paths * 4))
            assert {answer.status for answer, _ in answers} == {200}


async def test_what_can_be_got_can_be_asked_for_its_head(served):
    async with served() as (session, _):
        for path, status in (("/", 200), ("/cari?q=tari", 200), ("/entri/a1", 200), ("/entri/a1.json", 200), ("/sitemap.xml", 200), ("/tidak-ada", 404)):  # fmt: skip
            async with session.head(path) as head, session.get(path) as whole:
                assert (head.status, head.content_type) == (status, whole.content_type)
                assert await head.read() == b""
                assert int(head.headers["Content-Length"]) > 0
        async with session.head("/robot", headers={"Origin": "https://lain.example"}) as answer:
            assert answer.status == 200


async def test_search_engines_are_told_what_to_read(served):
    async with served() as (session, _):
        answer, text = await get(session, "/robots.txt")
        assert answer.content_type == "text/plain"
        assert f"Sitemap: {session._base_url}sitemap.xml" in text
        assert "Disallow: /ruang-kerja" in text


async def test_programs_are_told_of_merged_removed_and_unknown_entries_in_their_own_form(served):
    async with served() as (session, people):
        async with people.transaction() as tx:
            await entries.redirect(tx, "lama", "a1", "merged")
            await tx.run("update entry set status = 'tombstone', status_reason = 'permintaan' where identity = 'a2'")
        for prefix, form in (("/entri/", ".json"), ("/entri/", ".jsonld"), ("/api/v1/entries/", "")):
            async with session.get(f"{prefix}lama{form}", allow_redirects=False) as answer:
                assert (answer.status, answer.headers["Location"]) == (301, f"{prefix}a1{form}")
            for identity, status in (("a2", 410), ("tidak-ada", 404)):
                async with session.get(f"{prefix}{identity}{form}") as answer:
                    assert (answer.status, answer.content_type) == (status, "application/problem+json")


async def test_the_library_is_counted_before_the_first_reader_comes(served, monkeypatch):
    counted, count = asyncio.Event(), SharedFigures._holdings

    async def noticed(figures):
        found = await count(figures)
        counted.set()
        return found

    monkeypatch.setattr(SharedFigures, "_holdings", noticed)
    async with served() as (session, _):
        await asyncio.wait_for(counted.wait(), 60)
        _, text = await get(session, "/?bahasa=en")
        assert "2 entries written by people" in text
        assert 'kategori=tarian">Dances</a> <span class="muted">(2)</span>' in text

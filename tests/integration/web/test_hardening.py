"""What strangers try on the pages: framing, foreign forms, paths that climb, endless and odd forms, addresses that lead away."""

from __future__ import annotations

import asyncio
import re
from html import unescape

import aiohttp
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from yarl import URL

from lumbung.model.permission import Role
from lumbung.store import people
from lumbung.web.hardening import HEADERS
from tests.integration.web.console.conftest import TOKEN, office  # noqa: F401
from tests.integration.web.console.planted import plant_review

CLIMBING = (
    "/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/%2e%2e/config.py", "/static/....//app.py", "/static//etc/passwd",
    "/static/..%5c..%5capp.py", "/static/%c0%ae%c0%ae/app.py", "/static/fonts/../../app.py", "/media/../../etc/passwd",
    "/media/..%2f..%2fetc%2fpasswd", "/entri/..%2f..%2fetc%2fpasswd", "/entri/%2e%2e%2f.json", "/ruang-kerja/../static/../app.py",
)  # fmt: skip
LEADING_AWAY = (
    "//evil.example/",
    "//evil.example/cari/",
    "/%5cevil.example/",
    "/cari/",
    "/tulis/",
    "//evil.example/%2f..",
)


async def raw(browser, path, method="GET", **options):
    """The path as it is written, which no client has tidied."""
    address = URL(browser.address.rstrip("/") + path, encoded=True)
    async with browser.session.request(method, address, allow_redirects=False, **options) as answer:
        return answer, await answer.read()


async def test_every_answer_forbids_frames_foreign_scripts_and_guessing_of_types(office):  # noqa: F811
    browser = await office.at_work(Role.OPERATOR)
    asked = [("GET", path) for path in ("/", "/cari", "/tidak-ada", "/static/style.css", "/ruang-kerja", "/tulis")]
    asked += [("GET", path) for path in ("/api/v1/entries", "/api/v1/entries/x", "/entri/x.json", "/healthz", "/oai")]
    asked += [("POST", "/robot"), ("POST", "/ruang-kerja/mesin/crawl/jeda"), ("DELETE", "/"), ("GET", "/?q=%00")]
    for method, path in asked:
        answer, _ = await raw(browser, path, method)
        missing = [name for name in HEADERS if name not in answer.headers]
        assert missing == [], (method, path)
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"], path
        assert "unsafe" not in answer.headers["Content-Security-Policy"], path
    answer, _ = await raw(browser, "/robot", "POST", headers={"Sec-Fetch-Site": "cross-site"})
    assert (answer.status, answer.headers["X-Frame-Options"]) == (403, "DENY")


@pytest.mark.parametrize(
    ("path", "told"), [("/cari?q=tari", "Something went wrong on our side."), ("/api/v1/entries?q=tari", "went wrong")]
)
async def test_a_fault_of_ours_is_a_page_with_every_guard_and_tells_nothing_of_its_cause(
    office, monkeypatch, path, told
):  # noqa: F811
    async def fails(*_):
        raise RuntimeError("a secret of the machine")

    monkeypatch.setattr("lumbung.store.search.find", fails)
    answer, text = await office.stranger().get(path)
    assert answer.status == 500
    assert told in text
    assert "secret of the machine" not in text
    assert [name for name, value in HEADERS.items() if answer.headers.get(name) != value] == []


async def test_no_path_climbs_out_of_its_folder(office):  # noqa: F811
    browser = await office.at_work(*Role)
    for path in CLIMBING:
        answer, body = await raw(browser, path)
        assert answer.status in {303, 400, 404, 422}, path
        assert b"import annotations" not in body, path
        assert b"root:" not in body, path


async def test_no_address_leads_to_another_site(office):  # noqa: F811
    stranger = office.stranger()
    for path in LEADING_AWAY:
        answer, _ = await raw(stranger, path)
        onward = URL(answer.headers.get("Location", "/"))
        assert onward.host in {None, URL(office.address).host}, path
        assert not answer.headers.get("Location", "/").startswith("//"), path


async def test_no_page_links_to_the_site_that_its_address_names(office):  # noqa: F811
    """The way to the other language keeps the address, and //evil.example is another site to a browser."""
    stranger, there = office.stranger(), URL("https://perpustakaan.example/")
    for method in ("GET", "POST"):
        for path in (*LEADING_AWAY, "///evil.example/x", "//evil.example/masuk", "/\\evil.example/"):
            _, body = await raw(stranger, path, method)
            hosts = {there.join(URL(unescape(each))).host for each in re.findall(r'href="([^"]+)"', body.decode())}
            assert hosts <= {there.host}, (method, path)


async def test_the_other_language_of_an_answer_to_a_form_is_a_page_that_opens(office):  # noqa: F811
    guardian = await office.at_work(*Role)
    for path, fields in (
        ("/ruang-kerja/makna/pratinjau", {"terms": "keris,,uji"}),
        ("/ruang-kerja/mesin/crawl/jeda", {"reason": ""}),
        ("/ruang-kerja/anggaran/peringatan/7", {"reason": ""}),
    ):
        _, text = await guardian.post(path, fields)
        onward = unescape(re.search(r'<a href="([^"]+)" hreflang=', text).group(1))
        answer, _ = await guardian.get(onward)
        assert answer.status == 200, (path, onward)


async def test_a_session_cookie_is_out_of_reach_of_scripts_and_other_sites(office):  # noqa: F811
    await office.person("rani", Role.AUDITOR, password="sebuah kata sandi panjang")
    answer, _ = await office.stranger().sign_in("rani")
    cookie = next(line for line in answer.headers.getall("Set-Cookie") if line.startswith("sesi="))
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


async def test_files_and_odd_forms_in_the_place_of_words_change_nothing(office):  # noqa: F811
    browser = await office.at_work(Role.CONTRIBUTOR, Role.OPERATOR)
    upload = aiohttp.FormData()
    for name in ("csrf", "title", "text"):
        upload.add_field(name, b"MZ\x90\x00<script>", filename="../../x.html", content_type="text/html")
    many = aiohttp.FormData([("csrf", browser.csrf), *((f"x{n}", "y") for n in range(5000))])
    headers = {"Content-Type": "multipart/form-data; boundary="}
    for options in (
        {"data": upload},
        {"data": many},
        {"data": b"--\r\n\x00", "headers": headers},
        {"json": {"csrf": 1}},
    ):
        answer, body = await raw(browser, "/tulis", "POST", **options)
        assert 400 <= answer.status < 500, (answer.status, body[:300])
    async with office.people.transaction() as tx:
        assert await tx.value("select count(*) from entry") == 0


async def test_an_endless_form_is_not_read(office):  # noqa: F811
    browser = await office.at_work(Role.CONTRIBUTOR)

    async def endless():
        for _ in range(4):
            yield b"title=" + b"x" * 1000

    answer, _ = await raw(browser, "/tulis", "POST", data=endless())
    assert answer.status == 411
    answer, _ = await raw(browser, "/robot", "POST", data=b"host=" + b"x" * 1_000_001)
    assert answer.status == 413


async def test_a_person_is_made_without_what_the_form_does_not_offer(office):  # noqa: F811
    browser = await office.at_work(Role.OPERATOR)
    sly = {"login": "tamu", "name": "Tamu", "password": "sebuah kata sandi panjang", "role": "operator", "grants": "*"}
    await browser.post("/ruang-kerja/orang", sly | {"machine": "1", "id": "1", "totp_secret": "A"})
    async with office.people.transaction() as tx:
        row = await tx.row("select id, machine, totp_secret from person where login = 'tamu'")
        assert (await people.actor_of(tx, row["id"])).grants == frozenset()
    assert (row["machine"], row["totp_secret"]) == (False, None)


@pytest.mark.parametrize("form", ["perbaiki", "turunkan"])
async def test_what_a_reader_sends_is_kept_without_control_characters_and_in_bounds(office, form):  # noqa: F811
    async with office.people.transaction() as tx:
        await plant_review(tx, "m1", status="published")
    stranger = office.stranger()
    _, text = await stranger.get(f"/entri/m1/{form}")
    words = "a\x00b\x1bc\u202ed\u2066e" + "x" * 10_000
    fields = {"token": TOKEN.search(text).group(1), "text": words, "reason": words}
    answer, _ = await stranger.post(f"/entri/m1/{form}", fields | {"requester": words, "contact": words})
    assert answer.status == 200
    async with office.people.transaction() as tx:
        column, table = ("text", "correction") if form == "perbaiki" else ("reason", "takedown")
        kept = await tx.row(f"select {column} as words, contact from {table}")
    assert kept["words"].startswith("abcdex")
    assert len(kept["words"]) <= 5000
    assert len(kept["contact"]) <= 200


async def test_a_server_without_its_database_lives_and_is_not_ready(office, engines, logins):  # noqa: F811
    browser, database = office.stranger(), conninfo_to_dict(logins.people)["dbname"]
    assert [(await raw(browser, path))[0].status for path in ("/healthz", "/readyz")] == [200, 200]
    with psycopg.connect(engines.postgres_url("superuser", "postgres"), autocommit=True) as superuser:
        superuser.execute(f"alter database {database} allow_connections false")
        superuser.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", (database,))
        async with asyncio.timeout(20):  # a page waits half a minute for a database that is being restarted
            assert [(await raw(browser, path))[0].status for path in ("/healthz", "/readyz")] == [200, 503]
        superuser.execute(f"alter database {database} allow_connections true")
    assert (await raw(browser, "/readyz"))[0].status == 200

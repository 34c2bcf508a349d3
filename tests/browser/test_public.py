"""The ways of a reader and of a site's owner through the public library."""

from __future__ import annotations

import time
from urllib.request import urlopen

import pytest

from lumbung.text.names import name_key
from tests.browser.conftest import DESKTOP, PHONE
from tests.integration.web.console.test_many import share

BOTH = [("id", PHONE), ("en", DESKTOP)]


def identity_of(harvested, title, owner="machine"):
    """By the key of its name, which is the same however the name is spelled."""
    [row] = harvested.rows(
        "select identity from entry where name_key = %(key)s and owner = %(owner)s and status = 'published'",
        key=name_key(title),
        owner=owner,
    )
    return row["identity"]


@pytest.fixture
def public_paths(harvested):
    machine, human = identity_of(harvested, "Tari Jaipong"), identity_of(harvested, "Angklung", "human")
    sacred = identity_of(harvested, "Rambu Solo'")
    return [
        "/",
        "/cari",
        "/cari?q=wayang&kategori=seni-pertunjukan",
        "/cari?q=tidakadasamasekali",
        f"/entri/{machine}",
        f"/entri/{human}",
        f"/entri/{sacred}",
        f"/entri/{machine}/diskusi",
        f"/entri/{machine}/riwayat",
        f"/entri/{machine}/riwayat/1",
        f"/entri/{machine}/perbaiki",
        f"/entri/{machine}/turunkan",
        "/robot",
    ]


@pytest.mark.parametrize(("language", "viewport"), BOTH)
def test_a_reader_finds_an_entry_by_its_old_spelling_and_sees_where_it_comes_from(reader, language, viewport):
    one = reader(language, viewport, javascript=False)
    page = one.page
    one.open("/")
    assert page.locator("html").get_attribute("lang") == language
    page.get_by_role("searchbox").fill("Wajang Koelit")
    page.locator("form.search button").click()
    page.get_by_role("link", name="Wayang Kulit — data pelengkap").click()
    first = page.locator("dl.facts details").first
    assert not first.locator("blockquote").first.is_visible()
    first.locator("summary").click()
    assert first.locator("blockquote").first.is_visible()
    assert first.locator("blockquote a").first.get_attribute("href").startswith("http://")
    page.locator(".doors a").first.click()
    assert page.url.endswith("/riwayat")
    assert page.locator("tbody tr").count() >= 1


@pytest.mark.parametrize(("language", "viewport"), BOTH)
def test_nothing_is_wider_than_the_screen(reader, public_paths, language, viewport):
    one = reader(language, viewport)
    for path in public_paths:
        one.open(path)
        widths = one.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert widths[0] <= widths[1], path


def test_the_language_can_be_changed_and_stays(reader):
    one = reader("id", javascript=False)
    one.open("/cari?q=batik")
    one.page.get_by_role("link", name="English").click()
    assert one.page.locator("html").get_attribute("lang") == "en"
    assert one.page.get_by_role("searchbox").input_value() == "batik"
    one.open("/robot")
    assert one.page.locator("html").get_attribute("lang") == "en"


def test_rivals_stand_side_by_side_with_their_sources(reader, harvested):
    one = reader("en", javascript=False)
    one.open(f"/entri/{identity_of(harvested, 'Tari Jaipong')}")
    disputed = one.page.locator("dl.facts .disputed")
    assert disputed.locator(".value").all_inner_texts() == ["1976", "1961"]
    assert "Sources disagree" in disputed.inner_text()
    assert all(quote.is_visible() for quote in disputed.locator("blockquote").all()), "without being opened first"
    assert disputed.locator("blockquote").count() == 2


def test_whoever_finds_nothing_is_led_on(reader):
    one = reader("en", javascript=False)
    one.open("/cari?q=zzzqqq&kategori=tarian")
    one.page.get_by_role("link", name="Search all categories and regions").click()
    assert one.page.url.endswith("/cari?q=zzzqqq")
    one.page.get_by_role("link", name="Browse by category or province").click()
    assert one.page.locator("h1").is_visible()
    answer = one.open("/tidak-ada")
    one.complaints.clear()
    assert answer.status == 404
    one.page.locator("main input[name=q]").fill("Angklung")
    one.page.locator("main button").click()
    one.page.get_by_role("link", name="Angklung", exact=True).wait_for()


def test_what_is_sacred_says_so_and_what_was_taken_down_is_gone(reader, harvested):
    one = reader("en", javascript=False)
    sacred = identity_of(harvested, "Rambu Solo'")
    one.open(f"/entri/{sacred}")
    assert "sacred" in one.page.locator(".notice").first.inner_text()
    assert one.page.locator(".mark.flag").count() >= 1
    [stone] = harvested.rows("select identity from entry where status = 'tombstone'")
    answer = one.open(f"/entri/{stone['identity']}")
    one.complaints.clear()
    assert answer.status == 410
    assert "persetujuan komunitas" in one.page.locator("main").inner_text()


@pytest.mark.parametrize(("language", "viewport"), BOTH)
def test_the_owner_of_a_site_stops_the_crawler(reader, harvested, language, viewport):
    site = f"situs-{language}.example"
    one = reader(language, viewport, javascript=False)
    one.open("/")
    one.page.locator('footer.site a[href="/robot"]').click()
    one.page.locator("#host").fill(site)
    one.page.locator("form[method=post] button").click()
    assert site in one.page.locator("main").inner_text()
    [host] = harvested.rows("select opted_out, stopped from host where name = %(site)s", site=site)
    assert host["opted_out"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_public_page_shuts_anybody_out(reader, public_paths, scheme):
    from axe_playwright_python.sync_playwright import Axe

    one = reader("id", PHONE if scheme == "dark" else DESKTOP, scheme=scheme)
    axe = Axe()
    for path in public_paths if scheme == "light" else public_paths[::2]:
        one.open(path)
        found = axe.run(one.page)
        assert found.violations_count == 0, f"{path}\n{found.generate_report()}"


def test_pages_are_small(reader, public_paths):
    one = reader("id")
    for path in public_paths:
        assert len(one.open(path).body()) < 60_000, path


def test_pages_cost_the_server_little(library_address, public_paths):
    """A tenth of a second of processor time at the demo's size, more where the machine is slow now; a third of the console's."""

    def seconds(path):
        started = time.process_time()
        with urlopen(library_address + path) as answer:
            assert answer.status == 200
            answer.read()
        return time.process_time() - started

    costs = {path: min(seconds(path) for _ in range(5)) for path in public_paths}
    most = share() / 3
    assert {path: cost for path, cost in costs.items() if cost > most} == {}

"""The console as people use it: keys, phone, restart of the server, and axe-core on every page."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from lumbung.governance.steward.verifying import verify_once
from lumbung.model.permission import Role
from lumbung.web.server import web_server
from tests.browser.conftest import PHONE
from tests.browser.console.conftest import violations
from tests.integration.web.console.conftest import PASSWORD
from tests.integration.web.console.pages import addresses, plant_everything
from tests.integration.web.console.planted import NASTY, plant_review, plant_samples

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_somebody_signs_in_and_out_with_the_keyboard(chromium, office):
    await office.person("siti", Role.AUDITOR, Role.OPERATOR, password=PASSWORD)
    context = await chromium.new_context(base_url=office.address, locale="id")
    page = await context.new_page()
    await page.goto("/ruang-kerja/akun")
    assert "/masuk?lanjut=" in page.url
    await page.focus("#login")
    for text in ("siti", PASSWORD):
        await page.keyboard.type(text)
        await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.locator("h1")).to_have_text("Akun saya")
    assert urlsplit(page.url).path == "/ruang-kerja/akun"
    await page.get_by_role("button", name="Keluar").press("Enter")
    await page.wait_for_url(office.address)
    await page.goto("/ruang-kerja")
    assert "/masuk" in page.url
    await context.close()


async def test_an_auditor_labels_thirty_facts_in_under_a_minute_of_keys(office, desk):
    async with office.people.transaction() as tx:
        await plant_samples(tx, 30)
    page = await desk(Role.AUDITOR)
    await page.goto("/ruang-kerja/audit")
    started = time.monotonic()
    for number in range(30):
        async with page.expect_navigation():
            await page.keyboard.press("a" if number % 3 else "1")
    assert time.monotonic() - started < 60
    assert "queue is empty" in await page.inner_text("main")
    async with office.people.transaction() as tx:
        assert await tx.value("select count(*) from label") == 30


async def test_on_a_phone_the_quote_stands_between_the_statement_and_its_buttons(office, desk):
    async with office.people.transaction() as tx:
        await plant_samples(tx, 1)
    page = await desk(Role.AUDITOR, viewport=PHONE)
    await page.goto("/ruang-kerja/audit")
    places = [
        (await page.locator(each).first.bounding_box())["y"] for each in ("article h2", "mark", "button[value=correct]")
    ]
    assert places == sorted(places)


async def test_the_review_queue_is_worked_by_keys_alone_with_undo(office, desk):
    async with office.people.transaction() as tx:
        for number in (1, 2, 3):
            await plant_review(tx, f"item-{number}", f"Tari {number} {NASTY if number == 2 else ''}")
    page = await desk(Role.AUDITOR, language="id")
    await page.goto("/ruang-kerja/tinjauan")
    for key, heading in (
        ("Enter", "Tari 1"),
        ("a", "Tari 2"),
        ("j", "Tari 3"),
        ("k", "Tari 2"),
        ("r", "Tari 3"),
        ("u", "Tari 2"),
    ):
        async with page.expect_navigation():
            await page.keyboard.press(key)
        assert (await page.locator("h1").inner_text()).startswith(heading), key
    assert "dibatalkan" in await page.inner_text("[role=status]")
    await page.locator("[name=reason]").first.focus()
    await page.keyboard.type("jauh")
    assert (await page.locator("h1").inner_text()).startswith("Tari 2")
    async with office.people.transaction() as tx:
        assert await tx.value("select count(*) from human_act where revoked_by is null") == 1


CUT_OFF = """[...document.querySelectorAll('.scroll')].filter(
    (each) => !each.querySelector('.matrix') && each.clientWidth && each.scrollWidth > each.clientWidth
).map((each) => [each.ariaLabel, each.scrollWidth, each.clientWidth])"""
"""Tables that a phone would have to be pushed sideways for; the matrix of coverage is one by its nature."""


async def test_on_a_phone_each_cell_of_a_wide_table_stands_under_its_column_s_name(office, desk):
    async with office.people.transaction() as tx:
        await plant_review(tx)
    page = await desk(Role.AUDITOR, viewport=PHONE)
    await page.goto("/ruang-kerja/tinjauan")
    cell = page.locator("tbody td").first
    named = await cell.evaluate("(each) => getComputedStyle(each, '::before').content")
    assert named == '"Category"'
    assert not await page.locator("thead").first.is_visible()
    desktop = await desk(Role.AUDITOR)
    await desktop.goto("/ruang-kerja/tinjauan")
    assert await desktop.locator("thead").first.is_visible()
    assert await desktop.locator("tbody td").first.evaluate("(each) => getComputedStyle(each, '::before').content") in {
        "none",
        "normal",
    }


async def test_every_page_passes_axe_on_a_desk_and_fits_a_phone(office, desk):
    page = await desk(*Role)
    asker = await office.person("peminta")
    async with office.people.transaction() as tx:
        planted = await plant_everything(tx, asker)
        await tx.run("insert into job (stage, key, state, reason) values ('extract', 'k', 'dead', 'broken')")
        await tx.run("insert into host (name, domain, stopped) values ('a.example', 'a.example', 'x')")
        await tx.run("insert into takedown (entry, requester, contact, reason) values ('h1', 'x', 'y', 'z')")
        await tx.run(
            "insert into archive_erasure (archive, archive_offset, url) values ('a.warc.gz', 1, 'http://a.example/' || repeat('sangat-panjang', 9))"
        )
        await plant_pair(tx)
    phone = await desk(*Role, viewport=PHONE, color_scheme="dark", language="id")
    for path in addresses(planted):
        await page.goto(path)
        assert await violations(page) == [], path
        await phone.goto(path)
        assert await phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
        assert await phone.evaluate(CUT_OFF) == [], path
    for path in ("", "/tinjauan", "/tinjauan/item-1", "/audit", "/otonomi", "/gagal", "/arsip"):
        await phone.goto("/ruang-kerja" + path)
        assert await violations(phone) == [], path


async def plant_pair(tx):
    await plant_review(tx, "item-8", "Tari Delapan")
    await plant_review(tx, "item-9", "Tari Sembilan")
    await tx.run(
        "insert into pair_verdict (a, b, score, verdict, decided_by, evidence, versions) values ('cand-item-8', "
        """'cand-item-9', .5, 'unsure', 'rule', '{"agree": ["name (spelling)"], "terms": {"cosine": 0.5}}', '{"rules": 1}')"""
    )


async def test_a_pair_is_judged_and_taken_back_by_keys_alone(office, desk):
    async with office.people.transaction() as tx:
        await plant_pair(tx)
    page = await desk(Role.AUDITOR, language="id", viewport=PHONE)
    await page.goto("/ruang-kerja/pasangan")
    for key, told in (
        ("r", "Antrean ini kosong."),
        ("u", "Tari Delapan ↔ Tari Sembilan"),
        ("a", "Antrean ini kosong."),
    ):
        async with page.expect_navigation():
            await page.keyboard.press(key)
        assert told in await page.inner_text("main"), key
    async with office.people.transaction() as tx:
        assert await tx.value("select string_agg(kind, ' ') from human_act where revoked_by is null") == "same"


@pytest.mark.parametrize(
    ("language", "verify", "done"), [("id", "Periksa arsip", "Utuh"), ("en", "Verify the archive", "Whole")]
)
async def test_an_operator_has_the_archive_verified(office, desk, language, verify, done):
    page = await desk(Role.OPERATOR, language=language)
    await page.goto("/ruang-kerja")
    await page.get_by_role("link", name="Arsip" if language == "id" else "Archive").click()
    form = page.locator("form[action$='/arsip/periksa']")
    await form.locator("[name=reason]").fill("setelah pindah diska")
    async with page.expect_navigation():
        await form.get_by_role("button", name=verify).press("Enter")
    await verify_once(office.system.machine, office.system.archive)
    await page.reload()
    assert done in await page.inner_text("main")


async def test_the_menu_is_folded_on_a_phone_and_opens_by_its_button(desk):
    page = await desk(Role.OPERATOR, language="id", viewport=PHONE)
    await page.goto("/ruang-kerja/mesin")
    link = page.get_by_role("link", name="Pekerjaan gagal")
    await expect(link).to_be_hidden()
    await page.locator("details.menu > summary").press("Enter")
    await link.click()
    await expect(page.locator("h1")).to_have_text("Pekerjaan gagal")


async def test_the_live_funnel_survives_a_restart_of_the_server(office, chromium):
    """The page is left open while its server goes and comes back on the same port; it never is reloaded."""
    worker = await office.at_work(Role.OPERATOR)
    settings = office.system.settings
    context = await chromium.new_context(locale="en")
    async with web_server(office.system) as address:
        web = settings.web.model_copy(update={"port": int(address.rstrip("/").rsplit(":", 1)[1])})
        office.system.settings = settings.model_copy(update={"web": web})
        await context.add_cookies([{"name": "sesi", "value": worker.token, "url": address}])
        page = await context.new_page()
        await page.goto(address + "ruang-kerja")
        await expect(page.locator("[data-live-state]")).to_have_text("Figures are live.")
        await page.evaluate("window.neverReloaded = true")
    async with office.people.transaction() as tx:
        await plant_review(tx)
    async with web_server(office.system):
        await expect(page.locator("[data-figure=review]")).to_have_text("1", timeout=20000)
        assert await page.evaluate("window.neverReloaded")
        await context.close()


async def test_acts_work_without_scripts(office, desk):
    page = await desk(Role.OPERATOR, java_script_enabled=False)
    await page.goto("/ruang-kerja/mesin")
    row = page.locator("tr", has=page.locator("th", has_text="crawl"))
    await row.locator("summary").click()
    await row.locator("[name=reason]").fill("perawatan")
    await row.get_by_role("button", name="Pause").click()
    assert "paused" in await page.inner_text("[role=status]")
    async with office.people.transaction() as tx:
        assert await tx.value("select paused_reason from stage where name = 'crawl'") == "perawatan"


@pytest.mark.parametrize(("language", "propose", "inject"), [("id", "Usulkan", "Tanam"), ("en", "Propose", "Inject")])
async def test_a_curator_proposes_a_tranche_and_injects_it(office, desk, language, propose, inject):
    page = await desk(Role.CURATOR, language=language, viewport=PHONE)
    await page.goto("/ruang-kerja/benih")
    form = page.locator("form[action$='/benih/usul']")
    await form.locator("[name=name]").fill("sumatra")
    await form.locator("[name=rows]").fill("http://museum.example/koleksi")
    async with page.expect_navigation():
        await form.get_by_role("button", name=propose).click()
    await page.goto("/ruang-kerja/benih")
    row = page.locator("tr", has=page.get_by_role("link", name="sumatra"))
    await row.locator("[name=reason]").fill("giliran pertama")
    async with page.expect_navigation():
        await row.get_by_role("button", name=inject).click()
    async with office.people.transaction() as tx:
        assert await tx.value("select count(*) from frontier where tranche = 'sumatra'") == 1


async def test_a_guardian_hides_an_entry_and_an_approver_stops_all(office, desk):
    async with office.people.transaction() as tx:
        await plant_review(tx, status="published")
    guardian = await desk(Role.GUARDIAN, language="id")
    await guardian.goto("/ruang-kerja/penurunan")
    form = guardian.locator("form[action$='/sembunyi']").first
    await form.locator("[name=identity]").fill("item-1")
    await form.locator("[name=reason]").fill("tidak untuk umum")
    async with guardian.expect_navigation():
        await form.get_by_role("button").click()
    hidden = (await guardian.inner_text("main")).split("Entri yang disembunyikan")[1]
    assert "Tari Piring" in hidden
    async with office.people.transaction() as tx:
        assert await tx.value("select hidden from entry where identity = 'item-1'")
    approver = await desk(Role.APPROVER, language="en", viewport=PHONE)
    await approver.goto("/ruang-kerja/otonomi")
    danger = approver.locator("section.danger")
    await danger.locator("[name=reason]").fill("something is wrong")
    async with approver.expect_navigation():
        await danger.get_by_role("button").click()
    async with office.people.transaction() as tx:
        assert await tx.value("select count(*) from stage where paused_reason is not null") > 0


@pytest.mark.parametrize(
    ("language", "write", "publish"), [("id", "Tulis entri", "Terbitkan"), ("en", "Write an entry", "Publish")]
)
async def test_a_contributor_writes_and_revises_without_scripts(office, desk, language, write, publish):
    page = await desk(Role.CONTRIBUTOR, language=language, java_script_enabled=False, viewport=PHONE)
    await page.goto("/")
    await page.get_by_role("link", name=write).first.click()
    await page.fill("#title", "Tari Piring")
    await page.select_option("#category", "tarian")
    await page.select_option("#regions", ["ID-SB", "ID-RI"])
    await page.fill("#text", "Tarian dari Minangkabau.")
    await page.get_by_role("button", name=publish).click()
    await expect(page.locator("h1")).to_have_text("Tari Piring")
    await page.locator(".doors a[href$='/ubah']").click()
    await page.fill("#text", "Tarian dengan piring di kedua tangan.")
    await page.get_by_role("button", name=publish).click()
    await expect(page.locator(".prose")).to_contain_text("kedua tangan")
    async with office.people.transaction() as tx:
        assert await tx.value("select max(revision) from entry") == 2


async def test_the_pages_for_writing_pass_axe(office, desk):
    async with office.people.transaction() as tx:
        await plant_review(tx, status="published")
    page = await desk(Role.MODERATOR, viewport=PHONE)
    for path in (
        "/tulis",
        "/entri/item-1",
        "/entri/item-1/ubah",
        "/entri/item-1/hapus",
        "/entri/item-1/riwayat",
        "/entri/item-1/diskusi",
    ):
        await page.goto(path)
        assert await violations(page) == [], path
        assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path

"""The console as people use it: keys, phone, restart of the server, and axe-core on every page."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from lumbung.model.permission import Role
from lumbung.store import entries
from lumbung.store.entries import HumanEntry
from lumbung.web.server import web_server
from tests.browser.conftest import PHONE
from tests.browser.console.conftest import violations
from tests.integration.web.console.conftest import PASSWORD
from tests.integration.web.console.planted import NASTY, plant_review, plant_samples

PAGES = (
    "", "/tinjauan", "/tinjauan/item-1", "/audit", "/otonomi", "/permintaan", "/cakupan", "/benih", "/frontier", "/bobot", "/makna", "/label?kategori=tarian", "/penurunan", "/mesin",
    "/gagal", "/anggaran", "/pengaturan", "/akun/faktor-kedua", "/orang", "/tetapan", "/catatan", "/akun", "/mutu",
    "/pasangan", "/sengketa", "/bayangan", "/angkatan", "/sumber", "/jelaskan?hal=Tari", "/catatan/periksa",
)  # fmt: skip


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


async def test_pages_pass_axe_on_a_desk_and_on_a_phone(office, desk):
    async with office.people.transaction() as tx:
        await plant_review(tx)
        await plant_samples(tx, 2)
        await entries.write_human(
            tx,
            HumanEntry("h1", "tarian", "Tari", "x", [], [], [], "-", "isi", [], None, None, "reference", "h1", None),
            None,
        )
        await tx.run("insert into job (stage, key, state, reason) values ('extract', 'k', 'dead', 'broken')")
        await tx.run("insert into host (name, domain, stopped) values ('a.example', 'a.example', 'x')")
        await tx.run("insert into takedown (entry, requester, contact, reason) values ('h1', 'x', 'y', 'z')")
    page = await desk(*Role)
    for path in PAGES:
        await page.goto("/ruang-kerja" + path)
        assert await violations(page) == [], path
    phone = await desk(Role.AUDITOR, viewport={"width": 360, "height": 740}, color_scheme="dark")
    for path in ("", "/tinjauan/item-1", "/audit"):
        await phone.goto("/ruang-kerja" + path)
        assert await violations(phone) == [], path
        assert await phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path


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
    assert "item-1" in await guardian.inner_text("main")
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
    for path in ("/tulis", "/entri/item-1", "/entri/item-1/ubah", "/entri/item-1/hapus", "/entri/item-1/riwayat"):
        await page.goto(path)
        assert await violations(page) == [], path
        assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path

"""Each role from the sign-in page to a result that stands in the log in their name, in both languages, on a phone."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from lumbung.model.permission import Role
from tests.browser.conftest import DESKTOP, PHONE
from tests.integration.web.console.conftest import PASSWORD
from tests.integration.web.console.planted import last_line, plant_review, plant_samples

pytestmark = pytest.mark.asyncio(loop_scope="module")
WHY = "pekerjaan hari ini"


async def sent(page, form, **fields):
    for name, value in fields.items():
        await form.locator(f"[name={name}]").fill(value)
    async with page.expect_navigation():
        await form.locator("button").first.press("Enter")


async def propose(page):
    await page.goto("/ruang-kerja/benih")
    form = page.locator("form[action$='/benih/usul']")
    await sent(page, form, name="jawa", rows="http://museum.example/koleksi", reason=WHY)


async def stop_everything(page):
    await page.goto("/ruang-kerja/otonomi")
    await sent(page, page.locator("section.danger form"), reason=WHY)


async def label(page):
    await page.goto("/ruang-kerja/audit")
    async with page.expect_navigation():
        await page.keyboard.press("a")


async def hide(page):
    await page.goto("/ruang-kerja/penurunan")
    await sent(page, page.locator("form[action$='/sembunyi']").first, identity="item-1", reason=WHY)


async def pause(page):
    await page.goto("/ruang-kerja/mesin")
    row = page.locator("tr", has=page.locator("form[action$='/crawl/jeda']"))
    await row.locator("summary").press("Enter")
    await sent(page, row.locator("form"), reason=WHY)


WORK = {
    Role.CURATOR: (propose, "add-tranche"),
    Role.APPROVER: (stop_everything, "emergency-stop"),
    Role.AUDITOR: (label, "label-sample"),
    Role.GUARDIAN: (hide, "hide-entry"),
    Role.OPERATOR: (pause, "pause-stage"),
}


@pytest.mark.parametrize(("language", "viewport"), [("id", PHONE), ("en", DESKTOP)])
@pytest.mark.parametrize("role", list(WORK))
async def test_a_role_signs_in_works_and_sees_the_result(chromium, office, role, language, viewport):
    person = await office.person("siti", role, password=PASSWORD)
    async with office.people.transaction() as tx:
        await plant_review(tx, status="published")
        await plant_samples(tx, 2)
    context = await chromium.new_context(base_url=office.address, locale=language, viewport=viewport)
    page = await context.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    await page.goto("/masuk")
    await page.fill("#login", "siti")
    await page.fill("#password", PASSWORD)
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/ruang-kerja")
    work, verb = WORK[role]
    await work(page)
    await expect(page.locator("main [role=status]").first).to_be_visible()
    assert await page.locator("html").get_attribute("lang") == language
    async with office.people.transaction() as tx:
        line = await last_line(tx)
    assert (line["verb"], line["person"]) == (verb, person)
    assert line["effect"]
    assert complaints == []
    await context.close()

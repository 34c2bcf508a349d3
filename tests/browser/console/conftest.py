"""A real browser against a real server; without Chromium these tests say so and are skipped."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from tests.browser.conftest import CHROMIUM, QUIET
from tests.integration.web.console.conftest import open_office

AXE = Path(__import__("axe_playwright_python").__file__).parent / "axe.min.js"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium():
    """One browser for a whole module of tests, in the loop that all of them run in; everybody has a context of their own."""
    if CHROMIUM is None:
        pytest.skip("NO BROWSER: chromium is not installed, so nothing was checked in a browser")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def office(logins, tmp_path):
    async with open_office(logins, tmp_path) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def desk(chromium, office):
    """Opens a page for somebody with these roles, signed in; every error of a script fails the test."""
    contexts, errors = [], []

    async def opened(*roles, language="en", **options):
        worker = await office.at_work(*roles, login=f"orang{len(contexts)}")
        context = await chromium.new_context(base_url=office.address, locale=language, **options)
        contexts.append(context)
        await context.add_cookies([{"name": "sesi", "value": worker.token, "url": office.address}])
        page = await context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda message: errors.append(message.text) if "Content Security Policy" in message.text else None,
        )
        page.set_default_timeout(20000)
        return page

    yield opened
    for context in contexts:
        await context.close()
    assert errors == []


async def violations(page):
    """What axe-core finds against WCAG 2.2 A and AA."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found = await page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations'], runOnly: {type: 'tag', values: "
        "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}})).violations"
    )
    return [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found]

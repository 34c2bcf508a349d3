"""The harvested library on a real server, and readers with a real browser; without Chromium these tests say so and are skipped."""

from __future__ import annotations

import asyncio
import shutil
import threading
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest

QUIET = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 360, "height": 740}
CHROMIUM = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)


@pytest.fixture(scope="session")
def library_address(harvested):
    """Served from a thread with an event loop of its own, so that a browser can be driven step by step."""
    from lumbung.bootstrap import open_system
    from lumbung.web.server import web_server

    ready, stop, told = threading.Event(), [], []

    async def serve():
        over = asyncio.Event()
        stop.append((asyncio.get_running_loop(), over))
        async with open_system(harvested.settings) as system, web_server(system) as address:
            told.append(address)
            ready.set()
            await over.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(60)
    yield told[0].rstrip("/")
    loop, over = stop[0]
    loop.call_soon_threadsafe(over.set)
    thread.join()


@dataclass
class Reader:
    page: object
    address: str
    complaints: list = field(default_factory=list)
    strangers: list = field(default_factory=list)

    def open(self, path):
        return self.page.goto(self.address + path)


@pytest.fixture(scope="module")
def chromium_process():
    """One browser for a whole module of tests; every reader has a context of their own in it."""
    if CHROMIUM is None:
        pytest.skip("NO BROWSER: chromium is not installed, so nothing was checked in a browser")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def reader(library_address, chromium_process):
    """Opens a page in a language, on a screen, with or without scripts; a complaint or a request to a stranger fails the test."""
    opened = []

    def make(language, viewport=DESKTOP, *, javascript=True, scheme="light"):
        context = chromium_process.new_context(
            locale=language, viewport=viewport, java_script_enabled=javascript, color_scheme=scheme
        )
        one = Reader(context.new_page(), library_address)
        one.page.on("pageerror", lambda error: one.complaints.append(str(error)))
        one.page.on("console", lambda message: one.complaints.append(message.text) if message.type == "error" else None)
        one.page.on(
            "request",
            lambda request: (
                one.strangers.append(request.url) if urlsplit(request.url).hostname != "127.0.0.1" else None
            ),
        )
        opened.append(one)
        return one

    yield make
    for one in opened:
        one.page.context.close()
    assert [complaint for one in opened for complaint in one.complaints] == []
    assert [url for one in opened for url in one.strangers] == []

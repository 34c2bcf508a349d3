"""A served installation with one person a role, each with a browser of their own."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager

import aiohttp
import pytest

from lumbung.bootstrap import Addresses, LocalNames, System
from lumbung.config import Settings
from lumbung.governance.actions.people import create_person, grant_role
from lumbung.governance.installation import install
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, Role
from lumbung.profiles.loader import load_profile
from lumbung.store import people as people_store
from lumbung.store.database import Database
from lumbung.web.server import web_server

PROFILE = load_profile("pdbi")
PASSWORD = "sebuah kata sandi panjang"
TOKEN = re.compile(r'name="token" value="([^"]+)"')
CSRF = re.compile(r'name="csrf" value="([^"]+)"')


class Browser:
    """Somebody at the console: opens pages and sends the forms that stand on them."""

    def __init__(self, session, address):
        self.session, self.address = session, address
        self.csrf = ""

    async def get(self, path, **options):
        async with self.session.get(path, allow_redirects=options.pop("follow", True), **options) as answer:
            text = await answer.text()
            found = CSRF.search(text)
            self.csrf = found.group(1) if found else self.csrf
            return answer, text

    async def post(self, path, data=None, follow=True, **options):
        fields = [("csrf", self.csrf), *(data.items() if isinstance(data, dict) else data or [])]
        async with self.session.post(path, data=aiohttp.FormData(fields), allow_redirects=follow, **options) as answer:
            return answer, await answer.text()

    async def sign_in(self, login, password=PASSWORD, path="/masuk", code=""):
        _, text = await self.get(path)
        fields = {"token": TOKEN.search(text).group(1), "login": login, "password": password, "code": code}
        async with self.session.post(path, data=fields, allow_redirects=False) as answer:
            return answer, await answer.text()


class Office:
    def __init__(self, system, address, people):
        self.system, self.address, self.people = system, address, people
        self.sessions = []

    def stranger(self):
        session = aiohttp.ClientSession(
            self.address, cookie_jar=aiohttp.CookieJar(unsafe=True), headers={"Accept-Language": "en"}
        )
        self.sessions.append(session)
        return Browser(session, self.address)

    async def person(self, login, *roles, scope="*", password=None):
        async with self.people.transaction() as tx:
            number = await create_person(tx, OPERATOR_AT_THE_MACHINE, login, f"Orang {login}", password)
            for role in roles:
                await grant_role(tx, OPERATOR_AT_THE_MACHINE, number, role, "for the test", scope)
            return number

    async def at_work(self, *roles, login=None, scope="*"):
        """Signed in without the slow hash: the session is opened where sign-in opens it."""
        number = await self.person(
            (login or "-".join(["kerja", *(role.value for role in roles)]))[:40], *roles, scope=scope
        )
        async with self.people.transaction() as tx:
            opened = await people_store.open_session(tx, number)
        browser = self.stranger()
        browser.session.cookie_jar.update_cookies({"sesi": opened.token}, aiohttp.client.URL(self.address))
        browser.csrf, browser.person, browser.token = opened.csrf, number, opened.token
        return browser


@asynccontextmanager
async def open_office(logins, folder):
    people, machine = Database(logins.people), Database(logins.machine)
    await people.open()
    await machine.open()
    async with people.transaction() as tx:
        await install(tx, PROFILE)
    settings = Settings.model_validate({"data_dir": folder, "web": {"port": 0}})
    system = System(
        settings, Addresses(None, logins.machine, logins.people, ""), machine, people, PROFILE, LocalNames()
    )
    try:
        async with web_server(system) as address:
            office = Office(system, address, people)
            try:
                yield office
            finally:
                for session in office.sessions:
                    await session.close()
    finally:
        await people.close()
        await machine.close()


@pytest.fixture
async def office(logins, tmp_path):
    async with open_office(logins, tmp_path) as opened:
        yield opened


__all__ = ["Role"]

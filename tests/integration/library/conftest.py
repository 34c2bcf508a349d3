"""A served reference library, a machine account in it, and a proxy that breaks the wire on purpose."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from random import Random

import aiohttp
import psycopg
import pytest
from aiohttp import web

from lumbung.bootstrap import Addresses, LocalNames, System
from lumbung.config import Settings
from lumbung.governance.installation import install
from lumbung.profiles.loader import load_profile
from lumbung.providers.library.http import HttpLibrary
from lumbung.providers.library.mapping import Mapping, load_mapping
from lumbung.store import people as people_store
from lumbung.store.database import Database
from lumbung.web.server import web_server

PROFILE = load_profile("pdbi")
REFERENCE = load_mapping(files("lumbung.providers.library").joinpath("reference-mapping.toml"))


@dataclass
class Served:
    system: System
    address: str
    token: str
    superuser: str

    def mapping(self, address: str | None = None, timeout_seconds: float = 10.0) -> Mapping:
        base = f"{(address or self.address).rstrip('/')}/api/v1"
        return REFERENCE.model_copy(update={"base_url": base, "timeout_seconds": timeout_seconds})

    def http(self, address: str | None = None, timeout_seconds: float = 10.0, read_only: bool = False) -> HttpLibrary:
        return HttpLibrary(self.mapping(address, timeout_seconds), self.token, read_only)

    async def empty(self) -> None:
        async with await psycopg.AsyncConnection.connect(self.superuser, autocommit=True) as connection:
            await connection.execute(
                "set session_replication_role = replica; truncate publication, fact_claim, fact, revision, redirect, entry_search, "
                "index_fact, entry_sketch, entry, claim, candidate, page_text, document, job, outbox, batch restart identity cascade"
            )


@pytest.fixture
def reference(logins, tmp_path):
    @asynccontextmanager
    async def opened():
        people, machine = Database(logins.people), Database(logins.machine)
        await people.open()
        await machine.open()
        async with people.transaction() as tx:
            await install(tx, PROFILE)
            person = await people_store.add(tx, "mesin", "Mesin", None, machine=True)
            token = await people_store.issue_token(tx, person, "publish", ["publish"])
        settings = Settings.model_validate({"data_dir": tmp_path, "web": {"port": 0, "api_requests_per_minute": 0}})
        system = System(
            settings, Addresses(None, logins.machine, logins.people, ""), machine, people, PROFILE, LocalNames()
        )
        try:
            async with web_server(system) as address:
                yield Served(system, address, token, logins.superuser)
        finally:
            await people.close()
            await machine.close()

    return opened


WRITE_FAULTS = ("before", "cut", "late", "slow", "twice", "failed-after", "failed-before")
READ_FAULTS = ("before", "failed-before", "stale")


def cut(request: web.Request) -> None:
    """The wire breaks, unless whoever asked has hung up already."""
    if request.transport is not None:
        request.transport.abort()


class FaultyWire:
    """Forwards to the library; by its seed it drops, delays, doubles, reorders and fails what passes."""

    def __init__(self, target: str, seed: int, share: float, patience_seconds: float) -> None:
        self._target = target.rstrip("/")
        self._random = Random(seed)
        self._share = share
        self._patience = patience_seconds
        self._stale: dict[str, tuple[int, bytes, dict[str, str]]] = {}
        self._late: list[asyncio.Task[object]] = []
        self.injected: list[str] = []

    async def drain(self) -> None:
        await asyncio.gather(*self._late)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        writes = request.method != "GET"
        fault = None
        if self._random.random() < self._share:
            fault = self._random.choice(WRITE_FAULTS if writes else READ_FAULTS)
            self.injected.append(fault)
        if fault == "before":
            cut(request)
        if fault == "failed-before":
            return web.Response(status=503)
        if fault in ("late", "before"):
            if fault == "late":
                self._late.append(asyncio.create_task(self._later(request, body)))
            return web.Response(status=504)
        if fault == "stale" and request.path_qs in self._stale:
            status, old, headers = self._stale[request.path_qs]
            return web.Response(status=status, body=old, headers=headers)
        answer = await self._forward(request, body)
        if fault == "twice":
            answer = await self._forward(request, body)
        if fault == "cut":
            cut(request)
        if fault == "slow":
            await asyncio.sleep(self._patience)
        if fault == "failed-after":
            return web.Response(status=500)
        if not writes:
            self._stale.setdefault(request.path_qs, answer)
        status, content, headers = answer
        return web.Response(status=status, body=content, headers=headers)

    async def _later(self, request: web.Request, body: bytes) -> None:
        await asyncio.sleep(0.02)
        await self._forward(request, body)

    async def _forward(self, request: web.Request, body: bytes) -> tuple[int, bytes, dict[str, str]]:
        kept = {
            name: value for name, value in request.headers.items() if name.lower() not in ("host", "content-length")
        }
        async with (
            aiohttp.ClientSession() as session,
            session.request(request.method, self._target + request.path_qs, data=body, headers=kept) as answer,
        ):
            return answer.status, await answer.read(), {"Content-Type": "application/json"}


@pytest.fixture
def faulty():
    @asynccontextmanager
    async def opened(target, seed, share=0.4, patience_seconds=0.12):
        wire = FaultyWire(target, seed, share, patience_seconds)
        app = web.Application(client_max_size=10_000_000)
        app.router.add_route("*", "/{path:.*}", wire.handle)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            yield wire, f"http://127.0.0.1:{runner.addresses[0][1]}"
            await wire.drain()
        finally:
            await runner.cleanup()

    return opened

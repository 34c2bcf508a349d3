"""One harvest of the demo world, through the real fetcher, queue and database, shared by all tests that look at it."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import dict_row

from lumbung.bootstrap import open_system
from lumbung.config import Settings
from lumbung.demo.curation import reap, sow
from lumbung.demo.script import local_names, prepare, round_off, until_dry
from lumbung.demo.server import DemoWorld, RequestRecord
from lumbung.funnel import running_funnel
from lumbung.store import entries
from tests.conftest import fresh_database

LONGEST_TRANCHE_SECONDS = 120


@dataclass
class Told:
    """What can be known of a harvest only while it runs."""

    requests: list[RequestRecord]
    asked_before: dict[str, set[str]]
    """By tranche: the hosts that had been asked before it was injected."""
    human_digests: list[str]
    """Of all human records, before and after."""


@dataclass
class Harvest:
    settings: Settings
    database: psycopg.Connection[dict[str, Any]]
    told: Told

    def rows(self, query: str, **values: Any) -> list[dict[str, Any]]:
        return self.database.execute(query, values).fetchall()

    def asked(self, url: str) -> bool:
        return any(f"http://{each.host}{each.path}" == url for each in self.told.requests)


async def harvest(settings: Settings) -> Told:
    world = DemoWorld()
    told = Told(world.requests, {}, [])
    await world.start()
    try:
        async with open_system(settings, names=local_names(world)) as system:

            async def note_human_records() -> None:
                async with system.people.transaction() as tx:
                    told.human_digests.append(await entries.human_digest(tx))

            await prepare(system, world, lambda _: None)
            await note_human_records()
            async with running_funnel(system, "demo") as running:
                while True:
                    asked = {each.host for each in world.requests}
                    tranche = await sow(system, lambda _: None)
                    if tranche is None:
                        break
                    told.asked_before[tranche] = asked
                    await asyncio.wait_for(until_dry(system, running, lambda _: None), LONGEST_TRANCHE_SECONDS)
                    await reap(system, tranche, lambda _: None)
            await round_off(system)
            await note_human_records()
    finally:
        await world.stop()
    return told


@contextmanager
def harvested_library(engines, template, folder):
    """Harvests into a database of its own, which is gone afterwards."""
    with fresh_database(engines, template) as logins:
        settings = Settings.model_validate(
            {
                "data_dir": folder,
                "database_owner_url": logins.owner,
                "database_machine_url": logins.machine,
                "database_url": logins.people,
                "nats_url": engines.nats_url,
                "web": {"port": 0},
            }
        )
        told = asyncio.run(harvest(settings))
        with psycopg.connect(logins.superuser, row_factory=dict_row, autocommit=True) as database:
            yield Harvest(settings, database, told)

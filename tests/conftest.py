"""One pair of real engines for the whole test run, and databases made from a migrated template."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psycopg
import pytest
import uvloop
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from lumbung.runtime.engines import Engines, RunningEngines
from lumbung.store.migrate import migrate
from tests import memory

if TYPE_CHECKING:
    from tests.demo_harvest import Harvest

TEMPLATE = "lumbung_template"
LOOKS_AT_THE_HARVEST = frozenset({"tests/browser/test_public.py", "tests/acceptance/demo/test_branches.py"})

# No test depends on the speed of the machine it runs on.
settings.register_profile("lumbung", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lumbung")


def pytest_configure(config: pytest.Config) -> None:
    taken = memory.take()
    if taken:
        config.add_cleanup(lambda: memory.leave(taken))


class OneHarvest(LoadFileScheduling):
    """Whole files to a process, and to one of them all files that look at the demo's harvest, which is made once."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return "the harvest" if file in LOOKS_AT_THE_HARVEST else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> OneHarvest | None:
    return OneHarvest(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.fixture(scope="session")
def event_loop_policy() -> uvloop.EventLoopPolicy:
    """The loop that the program itself runs on."""
    return uvloop.EventLoopPolicy()


@pytest.fixture(scope="session")
def engines() -> Iterator[RunningEngines]:
    """PostgreSQL and NATS in a folder of this run's own."""
    folder = Path(tempfile.mkdtemp(prefix="lumbung-engines-"))
    try:
        with Engines.attach(folder / "data", fsync=False) as running:
            yield running
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Logins:
    """The three logins of one test database."""

    def __init__(self, engines: RunningEngines, database: str) -> None:
        self.owner = engines.postgres_url("owner", database)
        self.machine = engines.postgres_url("machine", database)
        self.people = engines.postgres_url("people", database)
        self.superuser = engines.postgres_url("superuser", database)


@pytest.fixture(scope="session")
def template(engines: RunningEngines) -> str:
    with psycopg.connect(engines.postgres_url("superuser", "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {TEMPLATE} owner lumbung_owner")
    with psycopg.connect(engines.postgres_url("superuser", TEMPLATE), autocommit=True) as connection:
        connection.execute("create extension if not exists vector")
    logins = Logins(engines, TEMPLATE)
    migrate(logins.owner, logins.machine, logins.people)
    return TEMPLATE


@contextmanager
def fresh_database(engines: RunningEngines, template: str) -> Iterator[Logins]:
    name = f"test_{uuid4().hex[:12]}"
    admin = engines.postgres_url("superuser", "postgres")
    with psycopg.connect(admin, autocommit=True) as connection:
        # Copied as files it takes a tenth of the time that it takes through the log.
        connection.execute(f"create database {name} template {template} strategy file_copy owner lumbung_owner")
    yield Logins(engines, name)
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"drop database if exists {name} with (force)")


@pytest.fixture
def logins(engines: RunningEngines, template: str) -> Iterator[Logins]:
    """A database of the test's own, with the schema and nothing in it."""
    with fresh_database(engines, template) as database:
        yield database


@pytest.fixture
def twin_logins(engines: RunningEngines, template: str) -> Iterator[Logins]:
    """A second one, for what must come out the same twice."""
    with fresh_database(engines, template) as database:
        yield database


@pytest.fixture(scope="session")
def harvested(engines: RunningEngines, template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harvest]:
    """The demo world, harvested once for the whole run."""
    from tests.demo_harvest import harvested_library

    with harvested_library(engines, template, tmp_path_factory.mktemp("demo")) as harvest:
        yield harvest

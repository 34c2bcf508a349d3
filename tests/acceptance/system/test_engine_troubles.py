"""Databases, ports and folders that are not as they should be: one sentence, the right exit code, nothing half-done."""

from __future__ import annotations

import socket

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from tests.acceptance.system.program import Program

PASSWORD = "tidak-benar"


@pytest.fixture
def program(tmp_path) -> Program:
    return Program(tmp_path / "data", {"LUMBUNG_WEB__PORT": "0"})


def at_server(program: Program, owner: str, machine: str, people: str, nats: str) -> None:
    program.environment = {
        "LUMBUNG_DATABASE_OWNER_URL": owner,
        "LUMBUNG_DATABASE_MACHINE_URL": machine,
        "LUMBUNG_DATABASE_URL": people,
        "LUMBUNG_NATS_URL": nats,
    }


def with_password(url: str, password: str) -> str:
    return make_conninfo("", **conninfo_to_dict(url) | {"password": password})


@pytest.mark.parametrize("login", ["owner", "machine", "people"])
def test_a_wrong_password_is_told_at_once_and_not_repeated(program, logins, engines, login):
    urls = {name: getattr(logins, name) for name in ("owner", "machine", "people")}
    urls[login] = with_password(urls[login], PASSWORD)
    at_server(program, **urls, nats=engines.nats_url)
    told = program.complaint("status", expect=1)
    assert "turns this login away" in told and f"lumbung_{login}" in told
    assert PASSWORD not in told


def test_a_database_that_is_not_there_is_told(program, logins, engines):
    missing = make_conninfo("", **conninfo_to_dict(logins.owner) | {"dbname": "tiada"})
    at_server(program, missing, logins.machine, logins.people, engines.nats_url)
    assert 'database "tiada" does not exist' in program.complaint("status", expect=1)


def test_a_port_in_use_is_told_before_anything_starts(program):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        program.environment["LUMBUNG_WEB__PORT"] = str(port)
        told = program.complaint("up", expect=1)
    assert f"127.0.0.1:{port}" in told and "LUMBUNG_WEB__PORT" in told
    assert not (program.data_dir / "engines").exists()


HARVEST = ("harvest", "--seed", "http://a.example/", "--pages", "1")


@pytest.mark.parametrize(
    ("command", "settings", "told"),
    [
        (("up",), {"LLM__MODEL": "qwen3"}, "llm.model is set and llm.base_url is not"),
        (("up",), {"LLM__FALLBACK__1__BASE_URL": "http://127.0.0.1:9/v1"}, "llm.fallback.1.model is not"),
        (("up",), {"LIBRARY__MAPPING": "/no/such.toml"}, "/no/such.toml"),
        (("up",), {"OCR__PROGRAM": "no-such-program"}, "not installed"),
        (("up",), {"MAIL__SERVER": "post"}, "host:port"),
        (HARVEST, {"LLM__BASE_URL": "http://127.0.0.1:9/v1", "LLM__MODEL": "unheard-of"}, "price of unheard-of"),
    ],
)
def test_a_service_that_is_named_badly_is_told_before_anything_starts(program, command, settings, told):
    program.environment |= {f"LUMBUNG_{name}": value for name, value in settings.items()}
    assert told in program.complaint(*command, expect=1)
    assert not program.data_dir.exists()


@pytest.mark.parametrize("command", [("up",), HARVEST])
def test_a_broker_that_turns_us_away_is_told_before_anything_is_added_or_started(program, logins, engines, command):
    urls = {name: getattr(logins, name) for name in ("owner", "machine", "people")}
    at_server(program, **urls, nats=f"nats://lumbung:{PASSWORD}@{engines.nats_url.rpartition('@')[2]}")
    program.environment["LUMBUNG_WEB__PORT"] = "0"
    told = program.complaint(*command, expect=1)
    assert "NATS turns this login away" in told and PASSWORD not in told
    with psycopg.connect(logins.owner) as owner:
        assert owner.execute("select count(*) from frontier").fetchone() == (0,)


def test_an_unknown_profile_is_told_before_anything_starts(program):
    program.environment["LUMBUNG_PROFILE"] = "atlantis"
    assert "atlantis" in program.complaint("status", expect=2)
    assert not (program.data_dir / "engines").exists()


def test_a_second_up_on_one_data_folder_is_told_who_works_there_and_other_commands_share_the_engines(program):
    first = program.start("up")
    try:
        first.until(lambda line: line.startswith("Lumbung runs"))
        told = program.complaint("up", expect=2)
        assert f"process {first.process.pid}" in told and "lumbung down" in told
        told = program.complaint("harvest", "--pages", "1", expect=2)
        assert f"process {first.process.pid}" in told and "--pages" in told
        assert program("status")
    finally:
        program("down")
        assert first.end() == 130

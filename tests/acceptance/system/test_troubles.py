"""What is wrong and what to do, in one sentence, with the right exit code, and nothing half-done."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest
from tests.acceptance.system.program import Program

WITHOUT_ROOTS_POWER = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""Root writes everywhere; without these two it is held by the permissions of its own folders."""


@pytest.fixture
def program(tmp_path) -> Program:
    return Program(tmp_path / "data")


def test_an_unknown_setting_is_named(program):
    program.environment = {"LUMBUNG_COLOUR": "red"}
    assert program.complaint("status", expect=1) == "There is no setting colour; `lumbung settings` lists them."
    assert not program.data_dir.exists()


def test_settings_are_listed_though_one_is_wrong_and_the_complaint_is_the_same(program):
    program.environment = {"LUMBUNG_COLOUR": "red", "LUMBUNG_LOG_LEVEL": "info"}
    done = program.run("settings", "--json")
    assert done.returncode == 1
    assert "There is no setting colour" in done.stderr and "defaults" in done.stderr
    listed = {record["name"]: record for record in map(json.loads, done.stdout.splitlines())}
    assert (listed["log_level"]["value"], listed["log_level"]["origin"]) == ("warning", "default")


def test_a_doctor_names_every_service_that_is_named_badly_at_once(program):
    program.environment = {
        "LUMBUNG_LLM__BASE_URL": "http://127.0.0.1:9/v1",
        "LUMBUNG_LLM__MODEL": "unheard-of",
        "LUMBUNG_MAIL__SERVER": "post",
        "LUMBUNG_DATABASE_URL": "postgresql://a:b@127.0.0.1:1/lumbung",
    }
    done = program.run("doctor", "--json")
    wrong = {each["check"]: each["detail"] for each in map(json.loads, done.stdout.splitlines()) if not each["ok"]}
    assert done.returncode == 1
    assert {"model", "mail", "engines"} <= set(wrong)
    assert "llm.input_micros_per_million" in wrong["model"]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("LUMBUNG_CRAWL__REQUESTS_AT_ONCE", "many", "crawl.requests_at_once"),
        ("LUMBUNG_LOG_LEVEL", "loud", "log_level"),
        ("LUMBUNG_NATS_REPLICAS", "0", "nats_replicas"),
    ],
)
def test_a_setting_of_the_wrong_type_is_named(program, name, value, words):
    program.environment = {name: value}
    assert words in program.complaint("status", expect=1)
    assert not program.data_dir.exists()


def test_a_half_written_settings_file_is_named(program, tmp_path):
    (tmp_path / "lumbung.toml").write_text('[llm]\nmodel = "qw', encoding="utf-8")
    told = program.complaint("status", expect=1, folder=tmp_path)
    assert "lumbung.toml cannot be read" in told and "correct it or move it away" in told


def test_a_database_that_does_not_answer_is_told(program):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"postgresql://lumbung:geheim@127.0.0.1:{taken.getsockname()[1]}/lumbung"
        program.environment = {
            "LUMBUNG_DATABASE_URL": url,
            "LUMBUNG_DATABASE_MACHINE_URL": url,
            "LUMBUNG_DATABASE_OWNER_URL": url,
            "LUMBUNG_NATS_URL": "nats://127.0.0.1:1",
        }
        told = program.complaint("status", expect=1)
    assert "PostgreSQL does not answer" in told and "geheim" not in told
    assert told.endswith("Connection refused; start it, or correct its URL.")


def test_a_database_without_its_other_addresses_is_told(program):
    program.environment = {"LUMBUNG_DATABASE_URL": "postgresql://people@127.0.0.1/lumbung"}
    assert "LUMBUNG_DATABASE_MACHINE_URL" in program.complaint("status", expect=1)


@pytest.mark.parametrize("place", ["/proc/lumbung/data", "/dev/null/data"])
def test_a_data_folder_that_cannot_be_written_is_told(program, place):
    told = Program(Path(place)).run("status", folder=program.data_dir.parent)
    assert told.returncode == 1
    assert place in told.stderr and told.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["status", "up"])
def test_a_read_only_data_folder_is_told(program, command):
    program.data_dir.mkdir(mode=0o500)
    program.prefix = WITHOUT_ROOTS_POWER if os.geteuid() == 0 else ()
    assert "may not be written" in program.complaint(command, expect=1)


def test_a_file_in_the_place_of_the_data_folder_is_told(program):
    program.data_dir.write_text("not a folder", encoding="utf-8")
    assert "is not a folder" in program.complaint("status", expect=1)
    assert program.data_dir.read_text(encoding="utf-8") == "not a folder"


@pytest.mark.parametrize(
    "arguments",
    [
        ("harvest", "--tranche", "/no/such/file.csv"),
        ("harvest", "--hosts", "/no/such/file.txt"),
        ("harvest", "--delay", "0"),
        ("up", "--stage", "sleep"),
        ("export", "--canonical", "--format", "csv"),
    ],
)
def test_wrong_usage_ends_with_code_two_before_anything_starts(program, arguments):
    assert program.complaint(*arguments, expect=2).endswith(".")
    assert not (program.data_dir / "engines").exists()


def test_an_unknown_command_or_option_ends_with_code_two(program):
    assert program.run("harvst").returncode == 2
    assert program.run("status", "--loudly").returncode == 2


def test_settings_are_listed_with_their_origin_and_secrets_are_masked(program):
    program.environment = {
        "LUMBUNG_LLM__API_KEY": "sk-very-secret",
        "LUMBUNG_DATABASE_URL": "postgresql://people:geheim@db.example/lumbung",
        "LUMBUNG_LLM__MODEL": "qwen3",
    }
    told = program("settings")
    assert "sk-very-secret" not in told and "geheim" not in told
    listed = {record["name"]: record for record in program.records("settings", "--json")}
    assert listed["llm.model"] == listed["llm.model"] | {"value": "qwen3", "origin": "environment"}
    assert listed["llm.api_key"]["value"] == "********"
    assert listed["log_level"]["origin"] == "default"

"""The program as a user runs it: import, harvest, interrupt, kill, resume, look, repair. One harvest is shared."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.acceptance.system.program import Program, demo_web

from lumbung.runtime.engines import Engines, RunningEngines

TRANCHE = Path(str(files("lumbung.demo"))) / "world" / "tranches" / "03-kalimantan.csv"
CORPUS = Path(str(files("lumbung.demo"))) / "corpus" / "human.jsonl"
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def hosts(tmp_path_factory) -> Iterator[Path]:
    yield from demo_web(tmp_path_factory.mktemp("web"))


@pytest.fixture(scope="module")
def imported(tmp_path_factory) -> Path:
    """A data folder with the human corpus in it, and its engines stopped."""
    folder = tmp_path_factory.mktemp("barn") / "data"
    with Engines.attach(folder, fsync=False):
        told = Program(folder)("library", "import", CORPUS)
    assert told.startswith("92 added")
    return folder


@pytest.fixture(scope="module")
def harvest_line(hosts) -> list[str | Path]:
    return ["harvest", "--tranche", TRANCHE, "--hosts", hosts, "--delay", "0", "--demo-governance", "--until-dry"]


@pytest.fixture(scope="module")
def barn(imported, harvest_line) -> Iterator[tuple[Program, RunningEngines]]:
    """A finished harvest without any trouble."""
    folder = shutil.copytree(imported, imported.parent / "calm", symlinks=True)
    with Engines.attach(folder, fsync=False) as engines:
        program = Program(folder)
        summary = json.loads(program(*harvest_line, "--json"))
        assert summary["pages"]["fetched"] > 5
        yield program, engines


@pytest.fixture(scope="module")
def calm_export(barn) -> str:
    return barn[0]("export", "--canonical", "--status", "all")


def test_an_interrupted_and_a_killed_harvest_resume_to_the_same_library(imported, harvest_line, calm_export):
    folder = shutil.copytree(imported, imported.parent / "rough", symlinks=True)
    with Engines.attach(folder, fsync=False):
        program = Program(folder)
        interrupted = program.start(*harvest_line)
        interrupted.until(lambda line: line.startswith("pages"))
        assert interrupted.interrupt() == 130
        killed = program.start(*harvest_line)
        killed.until(lambda line: line.startswith("pages") and not line.startswith("pages 0 "))
        killed.kill()
        program(*harvest_line)
        assert program("export", "--canonical", "--status", "all") == calm_export


def test_a_second_interrupt_ends_the_command_at_once(imported, harvest_line):
    folder = shutil.copytree(imported, imported.parent / "twice", symlinks=True)
    with Engines.attach(folder, fsync=False):
        started = Program(folder).start(*harvest_line)
        started.until(lambda line: line.startswith("pages"))
        assert started.interrupt(times=2) == 130


@pytest.fixture(scope="module")
def entries(barn) -> list[dict[str, Any]]:
    return barn[0].records("export", "--status", "all")


def test_what_people_wrote_is_exported_as_they_wrote_it(entries):
    corpus = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    human = [entry for entry in entries if entry["owner"] == "human"]
    assert sorted((entry["title"], entry["text"]) for entry in human) == sorted((e["title"], e["text"]) for e in corpus)
    assert all(entry["facts"] == [] for entry in human)


def test_every_fact_of_the_machine_carries_its_source_and_quote(entries):
    facts = [fact for entry in entries if entry["owner"] == "machine" for fact in entry["facts"]]
    assert facts
    assert all(source["url"] and source["quote"] for fact in facts for source in fact["sources"])
    assert all(fact["sources"] for fact in facts)


def test_status_and_doctor_say_what_there_is(barn):
    program, _ = barn
    status = json.loads(program("status", "--json"))
    assert status["entries"]["human published"] == 92
    assert status["jobs"] == {} and status["alarms"] == []
    findings = {finding["check"]: finding["ok"] for finding in program.records("doctor", "--json")}
    assert findings["postgresql"] and findings["nats"] and findings["machine login"] and findings["log"]


def test_explain_tells_of_a_page_and_refuses_what_it_does_not_know(barn):
    program, _ = barn
    page = json.loads(program("explain", "http://budaya-borneo.example/bubur-pedas", "--json"))
    assert "budaya-borneo.example" in json.dumps(page)
    assert "Nothing is known" in program.complaint("explain", "http://nowhere.example/x", expect=2)


def test_explain_tells_of_an_entry_and_of_a_decision(barn, entries):
    program, _ = barn
    entry = next(each for each in entries if each["owner"] == "machine" and each["facts"])
    told = json.loads(program("explain", entry["identity"], "--json"))
    assert told["title"] == entry["title"]
    assert {fact["value"] for fact in told["facts"]} == {fact["value"] for fact in entry["facts"]}
    decision = program("explain", str(told["decisions"][0]["id"]))
    assert "evidence:" in decision and "versions:" in decision and "node:" in decision


def test_a_backup_taken_beside_running_engines_is_the_same_library_elsewhere(barn, calm_export, tmp_path):
    program, _ = barn
    file = tmp_path / "backup.tar.gz"
    assert json.loads(program("backup", file, "--json")) == {"file": str(file), "bytes": file.stat().st_size}
    assert "is there already" in program.complaint("backup", file, expect=2)
    elsewhere = Program(tmp_path / "new")
    assert "Restored into" in elsewhere("restore", file)
    assert contents(elsewhere.data_dir / "archive") == contents(program.data_dir / "archive") != {}
    with Engines.attach(elsewhere.data_dir, fsync=False):
        assert elsewhere("export", "--canonical", "--status", "all") == calm_export
        assert elsewhere("verify").startswith("ok:")
        assert elsewhere.run("harvest", "--until-dry").returncode == 0
        assert elsewhere("export", "--canonical", "--status", "all") == calm_export
    assert "is not empty" in elsewhere.complaint("restore", file, expect=2)
    (tmp_path / "half.tar.gz").write_bytes(file.read_bytes()[:-1000])
    third = Program(tmp_path / "third")
    assert "cut off" in third.complaint("restore", tmp_path / "half.tar.gz", expect=2)
    assert "There is no file" in third.complaint("restore", tmp_path / "none.tar.gz", expect=2)
    assert not third.data_dir.exists()


def contents(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_importing_the_same_again_changes_nothing(barn, calm_export):
    program, _ = barn
    assert program("library", "import", CORPUS).startswith("0 added, 0 revised, 92 unchanged")
    assert "not understood" in program.complaint("reextract", "--where", "colour=red", expect=2)
    assert program("export", "--canonical", "--status", "all") == calm_export


def test_a_dead_letter_fails_the_harvest_is_listed_and_can_be_sent_again(barn):
    program, engines = barn
    with psycopg.connect(engines.postgres_url("superuser"), autocommit=True) as connection:
        connection.execute(
            "with added as (insert into job (stage, key, payload) values ('steward', 'acceptance', "
            """'{"verb": "no such verb"}') returning id) """
            "insert into outbox (stage, jobs) select 'steward', array[id] from added"
        )
    assert "1 new dead letters" in program.run("harvest", "--until-dry").stderr
    (letter,) = program.records("dead-letters", "list", "--json")
    assert letter["key"] == "acceptance" and "no such verb" in letter["reason"]
    (inspected,) = program.records("dead-letters", "inspect", str(letter["id"]), "--json")
    assert inspected == letter | {"trace": inspected["trace"]}
    assert f"reason      {letter['reason']}\n" in program("dead-letters", "inspect", str(letter["id"]))
    nobody = str(letter["id"] + 1_000_000)
    assert "There is no dead letter" in program.complaint("dead-letters", "inspect", nobody, expect=2)
    assert program("dead-letters", "redrive", "--matching", "nothing like it", "--reason", "test") == "0 sent again.\n"
    assert "no stage extrakt" in program.complaint("dead-letters", "list", "--stage", "extrakt", expect=2)
    wrong = ("dead-letters", "redrive", "--stage", "extrakt", "--reason", "test")
    assert "no stage extrakt" in program.complaint(*wrong, expect=2)
    assert program("dead-letters", "redrive", "--id", nobody, "--reason", "test") == "0 sent again.\n"
    assert program("dead-letters", "redrive", "--id", str(letter["id"]), "--reason", "test") == "1 sent again.\n"
    assert program("dead-letters", "list") == ""
    program("harvest", "--until-dry", expect=1)

from __future__ import annotations

import json

import psycopg
import pytest
from tests.acceptance.cli.conftest import running_installation


@pytest.fixture
def installation():
    """One for each test: what is tampered with is good for nothing else."""
    with running_installation() as running:
        yield running


def tamper(installation, *statements):
    with psycopg.connect(installation.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        for statement in statements:
            connection.execute(statement)


def test_verify_finds_what_was_changed_past_the_actions_and_exports_the_log(installation, tmp_path):
    log = tmp_path / "log.jsonl"
    assert installation.run("verify", "--export-log", str(log)).startswith("ok")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert all(after["previous_hash"] == before["hash"] for before, after in zip(lines, lines[1:], strict=False))
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"title":"Tari Piring","text":"Teks.","remote_id":"1"}\n')
    installation.run("library", "import", str(corpus))
    assert installation.records("verify")[-1]["ok"] is True
    tamper(
        installation,
        "update entry set body = 'Lain.' where owner = 'human'",
        "update governed set value = '0.1' where name = 'fusion.theta'",
        "update action set reason = 'x' where seq = 2",
    )
    *faults, summary = installation.records("verify", code=1)
    assert {fault["part"] for fault in faults} == {"log", "row", "human corpus"}
    assert next(fault for fault in faults if fault["part"] == "log")["where"] == 2
    assert summary["ok"] is False
    installation.run("verify", "--explain", "typed in from the paper", code=3)
    installation.account("jaga", "guardian")
    installation.login("jaga")
    *faults, _ = installation.records("verify", "--explain", "typed in from the paper", code=1)
    assert "human corpus" not in {fault["part"] for fault in faults}
    installation.run("user", "logout")


def test_a_log_rewritten_from_beginning_to_end_differs_from_what_was_seen_before(installation, tmp_path):
    """Whoever has every right in the database can forge the chain; who has the data folder too, not a copy kept elsewhere."""
    kept = tmp_path / "kept.jsonl"
    assert installation.run("verify", "--export-log", str(kept)).startswith("ok")
    assert installation.run("verify", "--against", str(kept)).startswith("ok")
    tamper(
        installation,
        """do $$ declare line record; last text := repeat('0', 64); begin
            for line in select * from action order by seq loop
                update action set previous_hash = last, reason = 'forged',
                    hash = action_digest(line.seq, line.at, line.person, line.verb, line.subject, 'forged', line.effect, last)
                where seq = line.seq returning hash into last;
            end loop;
            update action_head set hash = last;
        end $$""",
    )
    *faults, _ = installation.records("verify", code=1)
    assert "earlier verification" in " ".join(fault["fault"] for fault in faults if fault["part"] == "log")
    (installation.folder / "log-anchor.json").unlink()
    *faults, _ = installation.records("verify", "--against", str(kept), code=1)
    assert faults[0] == {"part": "log", "where": 1, "fault": "this line is not the one that kept.jsonl holds"}
    installation.run("verify", "--against", str(tmp_path / "none.jsonl"), code=2)

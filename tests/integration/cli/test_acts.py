"""What the console does, the command line does: the same actions, the same lines in the log, the same refusals."""

from __future__ import annotations

import asyncio
import csv
import io
import json

import psycopg
import pytest
from tests.integration.web.test_public import entry

from lumbung.cli import app as program
from lumbung.cli.identity import keep_token
from lumbung.config import load_settings
from lumbung.governance.installation import install
from lumbung.library.actions.requests import ask_for_correction, ask_for_removal
from lumbung.model.permission import Role
from lumbung.profiles.loader import load_profile
from lumbung.store import entries, people
from lumbung.store.database import Database


@pytest.fixture
def installation(logins, tmp_path, monkeypatch):
    """An installation with an entry, a request to remove it, and somebody of every role signed in."""
    for name, value in {
        "LUMBUNG_DATABASE_URL": logins.people,
        "LUMBUNG_DATABASE_MACHINE_URL": logins.machine,
        "LUMBUNG_NATS_URL": "nats://127.0.0.1:1",
        "LUMBUNG_DATA_DIR": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)

    async def prepare():
        database = Database(logins.people)
        await database.open()
        async with database.transaction() as tx:
            await install(tx, load_profile("pdbi"))
            await entries.write_human(tx, entry("s1", "Tari Payung", "Sebuah tarian."), None)
            await ask_for_removal(tx, "s1", "Keluarga", "k@example.org", "foto kami")
            for text in ("salah tahun", "salah nama"):
                await ask_for_correction(tx, "s1", text, None)
            person = await people.add(tx, "semua", "Semua", None)
            for role in Role:
                await people.grant(tx, person, role, "*", None, None)
            token = (await people.open_session(tx, person)).token
        await database.close()
        return token

    keep_token(load_settings()[0], asyncio.run(prepare()))
    return logins


def lumbung(*words):
    """Exit code 0 is demanded; the output comes back."""
    from typer.testing import CliRunner

    ended = CliRunner().invoke(program.app, list(words))
    if ended.exception is not None and not isinstance(ended.exception, SystemExit):
        raise ended.exception
    assert ended.exit_code == 0, ended.output
    return ended.stdout


def logged(logins):
    import psycopg

    with psycopg.connect(logins.superuser) as connection:
        rows = connection.execute(
            "select verb, subject, reason, person from action where person is not null order by seq"
        )
        return [tuple(row) for row in rows]


def test_entries_labels_and_requests_are_acted_on_with_their_lines_in_the_log(installation):
    why = ("--reason", "diuji")
    lumbung("library", "entry", "hide", "s1", *why)
    lumbung("library", "entry", "unhide", "s1", *why)
    lumbung(
        "library", "labels", "set", "s1", "--label", "tk-a", "--label", '{"code": "tk-ss", "community": "Nagari"}', *why
    )
    lumbung("library", "labels", "category", "ritual", "--label", "tk-cs", *why)
    [request] = [json.loads(line) for line in lumbung("library", "takedown", "list", "--json").splitlines()]
    lumbung("library", "takedown", "grant", str(request["id"]), *why)
    lumbung("library", "entry", "restore", "s1", *why)
    assert "tk-cs" in lumbung("library", "labels", "categories")
    told = logged(installation)
    assert [(verb, subject) for verb, subject, _, _ in told] == [
        ("hide-entry", "s1"),
        ("hide-entry", "s1"),
        ("set-labels", "s1"),
        ("set-labels", "category:ritual"),
        ("decide-takedown", "s1"),
        ("remove-entry", "s1"),
        ("restore-entry", "s1"),
    ]
    assert {(reason, person) for _, _, reason, person in told} == {("diuji", told[0][3])}


def test_a_correction_is_closed_from_the_command_line(installation):
    corrections = [json.loads(line) for line in lumbung("library", "correction", "list", "--json").splitlines()]
    first, second = [each["id"] for each in corrections]
    taken = json.loads(lumbung("library", "correction", "accept", str(first), "--reason", "diuji", "--json"))
    assert (taken["entry"], taken["pages"]) == ("s1", [])
    assert "stays" in lumbung("library", "correction", "decline", str(second), "--reason", "diuji")
    assert lumbung("library", "correction", "list", "--json") == ""
    assert [(verb, subject) for verb, subject, _, _ in logged(installation)] == [("decide-correction", "s1")] * 2


def test_hosts_tokens_and_lists_are_acted_on(installation, tmp_path):
    why = ("--reason", "diuji")
    lumbung("tranche", "host", "stop", "kalender.example", *why)
    lumbung("tranche", "host", "allow", "kalender.example", *why)
    lumbung("tranche", "host", "delay", "kalender.example", "--seconds", "30", *why)
    rules = tmp_path / "rules.csv"
    rules.write_text("type,rule,pattern,reason\nacademic,host,isi.ac.id,kampus\n", "utf-8")
    lumbung("tranche", "host", "types", str(rules), *why)
    listed = tmp_path / "peka.csv"
    told = list(csv.DictReader(lumbung("mode", "scope", "sensitive").splitlines()))
    assert {
        "term": "keramat",
        "category": "",
        "reason": "disakralkan oleh masyarakatnya",
        "reason_en": "held sacred by its community",
    } in told
    listed.write_text(lumbung("mode", "scope", "sensitive") + '"pusaka rahasia","","uji"\n', "utf-8")
    lumbung("mode", "scope", "set-sensitive", str(listed), *why)
    assert len(lumbung("user", "token", "issue", "portal", "--verb", "create-entry").strip()) > 20
    lumbung("user", "token", "revoke", "portal")
    lumbung("user", "create", "mesin", "--machine")
    assert len(lumbung("user", "token", "issue", "kirim", "--machine", "mesin", "--days", "30").strip()) > 20
    [listed] = map(json.loads, lumbung("user", "token", "list", "--machine", "mesin", "--json").splitlines())
    assert (listed["name"], listed["scopes"], listed["revoked_at"]) == ("kirim", ["publish"], None)
    lumbung("user", "token", "revoke", "kirim", "--machine", "mesin")
    assert [verb for verb, _, _, _ in logged(installation)] == [
        "stop-host", "allow-host", "set-host-delay", "ask", "set-sensitive-list", "issue-token", "revoke-token",
        "create-person", "issue-token", "revoke-token",
    ]  # fmt: skip


def test_samples_leave_as_a_table_that_neither_acts_nor_tells_the_second_reader_what_the_first_one_said(installation):
    with psycopg.connect(installation.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(
            "insert into sample (kind, stage, subject, attribute, value_key, category, stratum, inclusion, confidence, second_reading, place, shown) "
            "select 'publication', 'publish', 's' || n, 'fungsi', '=cmd|\u202ex' || n, 'tarian', 'tarian|plain', 0.25, 0.9, n = 1, 0.5, '{}' "
            "from generate_series(1, 2) n"
        )
        connection.execute(
            "insert into label (sample, person, reading, verdict, error_kind, action) "
            "select id, (select id from person where login = 'semua'), 1, 'incorrect', 'wrong place', (select max(seq) from action) from sample"
        )
    rows = {row["subject"]: row for row in csv.DictReader(io.StringIO(lumbung("mode", "samples")))}
    assert [(rows[name]["verdict"], rows[name]["error_kind"]) for name in ("s1", "s2")] == [
        ("", ""),
        ("incorrect", "wrong place"),
    ]
    assert {row["inclusion"] for row in rows.values()} == {"0.25"}
    assert {row["value_key"][:6] for row in rows.values()} == {"'=cmd|"} and "\u202e" not in str(rows)

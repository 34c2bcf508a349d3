"""What the database itself refuses, tried in plain SQL with the machine's login."""

from __future__ import annotations

import psycopg
import pytest

PAGE = "Tari Piring adalah tarian tradisional dari Sumatera Barat."


@pytest.fixture
def machine(logins):
    with psycopg.connect(logins.machine, autocommit=True) as connection:
        yield connection


@pytest.fixture
def people(logins):
    with psycopg.connect(logins.people, autocommit=True) as connection:
        yield connection


def add_page(connection, kind="item"):
    row = connection.execute(
        "insert into document (url, final_url, host, domain, digest, status, content_type, kind) "
        "values ('https://a.example/', 'https://a.example/', 'a.example', 'a.example', 'd', 200, 'text/html', %s) returning id",
        (kind,),
    ).fetchone()
    return row[0]


def add_candidate(connection):
    document = add_page(connection)
    connection.execute(
        "insert into page_text (document, cleaner, title, text, language, script) values (%s, '1', 't', %s, 'ind', 'Latn')",
        (document, PAGE),
    )
    connection.execute(
        "insert into candidate (digest, document, cleaner, segment, extractor, name, name_key, category) "
        "values ('c', %s, '1', 0, '1', 'Tari Piring', 'taripiring', 'tarian')",
        (document,),
    )
    return document


def add_claim(connection, document, quote, start, end):
    return connection.execute(
        "insert into claim (candidate, document, cleaner, attribute, value, value_key, quote, span, language, confidence) "
        "values ('c', %s, '1', 'asal', 'Sumatera Barat', 'sumatera barat', %s, int4range(%s, %s), 'ind', 0.9) returning id",
        (document, quote, start, end),
    ).fetchone()[0]


def add_human_entry(connection, status="published"):
    connection.execute(
        "insert into entry (identity, owner, status, title, name_key, body) values ('h', 'human', %s, 'Tari Piring', 'taripiring', 'Teks manusia')",
        (status,),
    )


def add_machine_entry(connection):
    connection.execute(
        "insert into entry (identity, owner, status, category, title, name_key) values ('m', 'machine', 'shadow', 'tarian', 'Tari Piring', 'taripiring')"
    )


def test_a_quote_that_stands_in_its_page_is_stored(machine):
    start = PAGE.index("Sumatera")
    assert add_claim(machine, add_candidate(machine), "Sumatera Barat", start, start + len("Sumatera Barat"))


@pytest.mark.parametrize(
    ("quote", "start", "end"), [("Sumatera Utara", 40, 54), ("Tari Piring", 1, 12), ("Tari", 0, 5)]
)
def test_a_quote_that_is_not_in_its_page_at_its_offsets_is_refused(machine, quote, start, end):
    document = add_candidate(machine)
    with pytest.raises(psycopg.errors.CheckViolation):
        add_claim(machine, document, quote, start, end)


@pytest.mark.parametrize(
    "statement",
    [
        "update page_text set text = 'Tari Piring adalah tarian dari Jambi.'",
        "update claim set value = 'Jambi'",
        "update claim set retracted = null",
        "update fact set value = 'Jambi', probability = 1",
        "update fact_claim set claim = 1",
        "update revision set content = '{}'",
        "update document set url = 'https://lain.example/'",
        "update document set digest = 'lain'",
        "update document set host = 'lain.example', domain = 'lain.example'",
    ],
)
def test_what_a_page_said_and_what_was_claimed_of_it_is_written_once(machine, people, statement):
    start = PAGE.index("Sumatera")
    add_claim(machine, add_candidate(machine), "Sumatera Barat", start, start + len("Sumatera Barat"))
    for login in (machine, people):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            login.execute(statement)


def test_the_machine_cannot_lift_an_opt_out(machine, people):
    people.execute(
        "insert into host (name, domain, stopped, opted_out) values ('a.example', 'a.example', 'asked', true)"
    )
    with pytest.raises(psycopg.errors.CheckViolation):
        machine.execute("update host set opted_out = false")
    machine.execute("update host set failures = 1")
    assert people.execute("update host set opted_out = false").rowcount == 1


def test_a_fact_without_a_source_is_refused(machine):
    add_machine_entry(machine)
    with pytest.raises(psycopg.errors.CheckViolation, match="without a source"):
        machine.execute(
            "insert into fact (entry, attribute, value, value_key, log_odds, probability, independent, state) "
            "values ('m', 'asal', 'x', 'x', 1, 0.7, 1, 'waiting')"
        )


def test_a_fact_cannot_lose_its_last_source(machine):
    start = PAGE.index("Sumatera")
    claim = add_claim(machine, add_candidate(machine), "Sumatera Barat", start, start + 14)
    add_machine_entry(machine)
    with machine.transaction():
        fact = machine.execute(
            "insert into fact (entry, attribute, value, value_key, log_odds, probability, independent, state) "
            "values ('m', 'asal', 'x', 'x', 1, 0.7, 1, 'waiting') returning id"
        ).fetchone()[0]
        machine.execute("insert into fact_claim values (%s, %s)", (fact, claim))
    with pytest.raises(psycopg.errors.CheckViolation, match="without a source"):
        machine.execute("delete from fact_claim where fact = %s", (fact,))


def test_the_machine_cannot_change_or_delete_a_human_entry(machine, people):
    add_human_entry(people)
    assert machine.execute("update entry set body = 'mesin' where identity = 'h'").rowcount == 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        machine.execute("truncate entry cascade")
    assert machine.execute("delete from entry where identity = 'h'").rowcount == 0
    assert people.execute("select body from entry where identity = 'h'").fetchone()[0] == "Teks manusia"


def test_the_machine_cannot_take_a_human_entry_or_hand_itself_one(machine, people):
    add_human_entry(people)
    add_machine_entry(machine)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        machine.execute(
            "insert into entry (identity, owner, status, title, name_key) values ('x', 'human', 'published', 'x', 'x')"
        )
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        machine.execute("update entry set owner = 'human' where identity = 'm'")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        machine.execute(
            "insert into entry (identity, owner, status, category, title, name_key) values ('h', 'machine', 'shadow', 'tarian', 'x', 'x') "
            "on conflict (identity) do update set owner = 'machine', body = 'mesin'"
        )
    assert people.execute("select owner, body from entry where identity = 'h'").fetchone() == ("human", "Teks manusia")


def test_the_machine_cannot_write_over_a_tombstone_or_make_one(machine, people):
    add_human_entry(people, status="tombstone")
    assert machine.execute("update entry set status = 'published' where identity = 'h'").rowcount == 0
    add_machine_entry(machine)
    with pytest.raises(psycopg.errors.CheckViolation):
        machine.execute("update entry set status = 'tombstone' where identity = 'm'")


def test_the_machine_cannot_add_facts_revisions_or_redirects_to_a_human_entry(machine, people):
    add_human_entry(people)
    add_machine_entry(machine)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        machine.execute(
            "insert into fact (entry, attribute, value, value_key, log_odds, probability, independent, state) "
            "values ('h', 'asal', 'x', 'x', 1, 0.7, 1, 'waiting')"
        )
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        machine.execute("insert into revision (entry, number, owner, content) values ('h', 2, 'machine', '{}')")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        machine.execute("insert into redirect (identity, target, reason) values ('h', 'm', 'x')")


def test_the_machine_cannot_speak_for_a_person(machine, people):
    add_machine_entry(machine)
    [person] = people.execute(
        "insert into person (login, name) values ('ratna', 'Ratna') returning id"
    ).fetchone()  # fmt: skip
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        machine.execute(
            "insert into revision (entry, number, owner, person, content) values ('m', 2, 'machine', %s, '{}')",
            (person,),
        )
    with pytest.raises(psycopg.errors.CheckViolation):
        machine.execute(
            "insert into pair_verdict (a, b, score, verdict, decided_by, evidence, versions) "
            "values ('a', 'b', 1, 'same', 'person', '{}', '{}')"
        )


def test_the_machine_writes_no_line_of_the_log_that_people_would_write(machine, people):
    """The operator at the machine signs without a name: such a line must not be the machine's to write."""
    for verb in ("explain-corpus-change", "approve-item", "set-labels", "set-constant", "ratify", "row", "install"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="signs for nobody"):
            machine.execute("select action_append(null, %s, '*', 'x', '{\"digest\": 999}')", (verb,))
    machine.execute("select action_append(null, 'inject-tranche', 'x', 'a standing order', '{}')")
    assert people.execute("select count(*) from action where effect ? 'digest'").fetchone()[0] == 0


@pytest.mark.parametrize("statement", ["evidence => '{}'", "versions => '{}'"])
def test_a_decision_without_evidence_or_versions_is_refused(machine, statement):
    values = {"evidence": '{"a": 1}', "versions": '{"a": 1}'} | {statement.split(" ")[0]: "{}"}
    with pytest.raises(psycopg.errors.CheckViolation):
        machine.execute(
            "insert into decision (subject, node, verdict, evidence, versions) values ('c', 'scope', 'in', %s, %s)",
            (values["evidence"], values["versions"]),
        )


def test_decisions_and_the_log_are_append_only(machine, people):
    machine.execute(
        "insert into decision (subject, node, verdict, evidence, versions) values ('c', 'scope', 'in', '{\"a\": 1}', '{\"a\": 1}')"
    )
    people.execute("select action_append(null, 'install', 'x', 'y', '{}')")
    for statement in ("update decision set verdict = 'out'", "delete from decision"):
        with pytest.raises(psycopg.errors.IntegrityConstraintViolation):
            machine.execute(statement)
    for login in (machine, people):
        for statement in ("update action set reason = 'z'", "delete from action"):
            with pytest.raises(psycopg.Error):
                login.execute(statement)


def test_the_bytes_of_an_encyclopaedia_cannot_be_stored(machine):
    add_page(machine, kind="encyclopaedia")
    for column in ("body", "wire"):
        with pytest.raises(psycopg.errors.CheckViolation):
            machine.execute(f"update document set {column} = 'x'")


def test_encyclopaedia_text_cannot_be_stored(machine):
    document = add_page(machine, kind="encyclopaedia")
    with pytest.raises(psycopg.errors.CheckViolation):
        machine.execute(
            "insert into page_text (document, cleaner, title, text, language, script) values (%s, '1', 't', 'x', 'ind', 'Latn')",
            (document,),
        )
    with pytest.raises(psycopg.errors.CheckViolation):
        machine.execute("update document set body = 'x' where id = %s", (document,))


def test_the_machine_cannot_change_what_governs_it(machine):
    for statement in (
        "insert into governed (name, version, value, action) values ('fusion.theta', 1, '0.1', 1)",
        "insert into role_grant (person, role) values (1, 'approver')",
        "insert into human_act (kind, a, action) values ('approve', 'c', 1)",
        "select password_hash from person",
        "select * from web_session",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            machine.execute(statement)


def test_the_machine_login_owns_nothing_and_cannot_bypass_row_security(machine):
    row = machine.execute("select rolsuper, rolbypassrls from pg_roles where rolname = current_user").fetchone()
    assert row == (False, False)
    assert machine.execute("select count(*) from pg_tables where tableowner = current_user").fetchone()[0] == 0

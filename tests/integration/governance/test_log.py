"""The log and the rows it seals: every edit, deletion and reordering in SQL is found and located."""

from __future__ import annotations

import psycopg
import pytest

from lumbung.governance.actions.constants import set_constant
from lumbung.governance.actions.demo_governance import demo_governance
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, Role
from lumbung.store import governed


async def faults(house):
    async with house.people.transaction() as tx:
        return await governed.broken_links(tx), await governed.unsealed_rows(tx)


def tamper(logins, *statements):
    """As a superuser who switches the triggers off."""
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        for statement in statements:
            connection.execute(statement)


async def test_an_untouched_log_holds(house):
    async with house.people.transaction() as tx:
        await demo_governance(tx, OPERATOR_AT_THE_MACHINE, house.profile, True)
    assert await faults(house) == ([], [])


@pytest.mark.parametrize("column", ["reason = 'other'", "person = 1", "at = at + interval '1 second'", "effect = '{}'", "verb = 'x'", "subject = 'x'"])
async def test_an_edited_line_is_found_at_its_place(house, logins, column):
    await house.person("ayu", Role.CURATOR)
    tamper(logins, f"update action set {column} where seq = 3")
    chain, _ = await faults(house)
    assert [row["seq"] for row in chain] == [3]
    assert "edited" in chain[0]["fault"]


async def test_a_line_rewritten_with_its_hash_breaks_the_next_one(house, logins):
    tamper(logins, "update action set reason = 'x', hash = action_digest(seq, at, person, verb, subject, 'x', effect, previous_hash) where seq = 5")
    chain, _ = await faults(house)
    assert [row["seq"] for row in chain] == [6]


async def test_a_deleted_line_is_found(house, logins):
    tamper(logins, "delete from action where seq = 5")
    chain, _ = await faults(house)
    assert chain[0]["seq"] == 6 and "missing" in chain[0]["fault"]


async def test_a_cut_end_is_found(house, logins):
    async with house.people.transaction() as tx:
        last, _ = await governed.head(tx)
    tamper(logins, f"delete from action where seq > {last - 3}")
    chain, _ = await faults(house)
    assert chain[-1]["seq"] == last and "end" in chain[-1]["fault"]


async def test_two_lines_that_changed_places_are_found(house, logins):
    tamper(
        logins,
        "update action set seq = -4 where seq = 4",
        "update action set seq = 4 where seq = 5",
        "update action set seq = 5 where seq = -4",
    )
    chain, _ = await faults(house)
    assert {row["seq"] for row in chain} >= {4, 5}


@pytest.mark.parametrize(
    ("statement", "subject", "fault"),
    [
        ("update governed set value = '0.1' where name = 'fusion.theta'", "governed:fusion.theta:1", "changed"),
        ("delete from governed where name = 'fusion.theta'", "governed:fusion.theta:1", "deleted"),
        ("insert into governed (name, version, value, action) values ('fusion.theta', 2, '0.1', 1)", "governed:fusion.theta:2", "past the log"),
        ("update role_grant set role = 'approver' where id = 1", "role_grant:1", "changed"),
        ("update sign_off set person = 1 where risk = 'law' and request = 1", "sign_off:1:law", "changed"),
    ],
)
async def test_rows_that_bind_the_machine_cannot_change_past_the_log(house, logins, statement, subject, fault):
    async with house.people.transaction() as tx:
        await demo_governance(tx, OPERATOR_AT_THE_MACHINE, house.profile, True)
        await tx.run("update role_grant set revoked_at = clock_timestamp() where id = 2")
    if "sign_off" in statement:
        statement = statement.replace("person = 1", "person = 2")
    tamper(logins, statement)
    chain, rows = await faults(house)
    assert chain == []
    assert [(row["subject"], fault in row["fault"]) for row in rows] == [(subject, True)]


async def test_no_login_of_ours_can_change_the_log_at_all(house, logins):
    for url in (logins.people, logins.machine, logins.owner):
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in ("update action set reason = 'x'", "delete from action", "update governed set value = '1'", "delete from label"):
                with pytest.raises(psycopg.Error):
                    connection.execute(statement)


async def test_what_was_in_force_at_a_moment_has_one_answer(house):
    approver = await house.person("ayu", Role.APPROVER)
    async with house.people.transaction() as tx:
        before = await tx.value("select clock_timestamp()")
    async with house.people.transaction() as tx:
        await set_constant(tx, approver, "fusion.theta", 0.9, "after the first audit")
    async with house.people.transaction() as tx:
        now = await tx.value("select clock_timestamp()")
        assert (await governed.in_force_at(tx, "fusion.theta", before))["value"] == 0.85
        newer = await governed.in_force_at(tx, "fusion.theta", now)
        line = await governed.line(tx, newer["action"])
    assert newer["value"] == 0.9
    assert (line["person"], line["reason"]) == (approver.person, "after the first audit")

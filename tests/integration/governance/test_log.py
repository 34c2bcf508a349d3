"""The log and the rows it seals: every edit, deletion and reordering in SQL is found and located."""

from __future__ import annotations

import psycopg
import pytest

from lumbung.errors import LumbungError
from lumbung.governance.actions.constants import set_constant
from lumbung.governance.actions.demo_governance import demo_governance
from lumbung.governance.actions.labels import plant_gold
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, Role
from lumbung.store import audits, governed
from lumbung.store.audits import NewSample
from lumbung.store.database import Database

SAMPLE = NewSample(
    "publication", "publish", "e", "asal", "k", "tarian", "tarian|plain", 0.05, 0.9, False, False, False, 0.3, {"title": "Tari"}
)  # fmt: skip


class RolledBack(Exception):
    """Ends a tampering transaction without a trace."""


@pytest.fixture
async def tampered(house, logins):
    """What is found after a superuser who switched the triggers off ran these statements; they are rolled back."""
    superuser = Database(logins.superuser)
    await superuser.open()
    async with house.people.transaction() as tx:
        await demo_governance(tx, OPERATOR_AT_THE_MACHINE, house.profile, True)
        await tx.run("update role_grant set revoked_at = clock_timestamp() where id = 2")
        await audits.add(tx, SAMPLE)

    async def found(*statements):
        try:
            async with superuser.transaction() as tx:
                await tx.run("set local session_replication_role = replica")
                for statement in statements:
                    await tx.run(statement)
                chain, rows = await governed.broken_links(tx), await governed.unsealed_rows(tx)
                raise RolledBack
        except RolledBack:
            return [(row["seq"], row["fault"]) for row in chain], [(row["subject"], row["fault"]) for row in rows]

    yield found
    await superuser.close()


async def test_an_untouched_log_holds_and_neither_a_revoked_grant_nor_a_sample_breaks_a_seal(tampered):
    assert await tampered() == ([], [])


async def test_an_edited_line_is_found_at_its_place(tampered):
    for change in (
        "reason = 'x'",
        "person = 1",
        "at = at + interval '1 second'",
        "effect = '{}'",
        "verb = 'x'",
        "subject = 'x'",
    ):
        chain, _ = await tampered(f"update action set {change} where seq = 3")
        assert chain == [(3, "this line was edited")], change


async def test_a_line_rewritten_together_with_its_hash_breaks_the_next_one(tampered):
    rehash = "hash = action_digest(seq, at, person, verb, subject, 'x', effect, previous_hash)"
    chain, _ = await tampered(f"update action set reason = 'x', {rehash} where seq = 5")
    assert chain == [(6, "this line does not follow the one before it")]


async def test_a_deleted_line_is_found(tampered):
    chain, _ = await tampered("delete from action where seq = 5")
    assert chain == [(6, "a line before this one is missing or was moved")]
    chain, _ = await tampered("delete from action where seq = 1")
    assert chain[0][0] == 2


async def test_a_cut_end_is_found(tampered):
    chain, rows = await tampered("delete from action where seq > (select seq - 3 from action_head)")
    assert [fault for _, fault in chain] == ["the end of the log is not the line last written"]
    chain, _ = await tampered("delete from action")
    assert len(chain) == 1


async def test_lines_that_changed_places_are_found(tampered):
    chain, _ = await tampered(
        "update action set seq = -4 where seq = 4",
        "update action set seq = 4 where seq = 5",
        "update action set seq = 5 where seq = -4",
    )
    assert {seq for seq, _ in chain} >= {4, 5}


async def test_a_line_slipped_in_at_the_end_is_found(tampered):
    chain, _ = await tampered(
        "insert into action select seq + 1, clock_timestamp(), null, 'set-mode', 'x', '', '{}', hash, 'made up' from action_head"
    )
    assert {fault for _, fault in chain} == {
        "this line was edited",
        "the end of the log is not the line last written",
    }


@pytest.mark.parametrize(
    ("statement", "subject", "fault"),
    [
        ("update governed set value = '0.1' where name = 'fusion.theta'", "governed:fusion.theta:1", "changed"),
        ("delete from governed where name = 'fusion.theta'", "governed:fusion.theta:1", "deleted"),
        (
            "insert into governed (name, version, value, action) values ('fusion.theta', 2, '0.1', 1)",
            "governed:fusion.theta:2",
            "past the log",
        ),
        ("update role_grant set role = 'approver' where id = 1", "role_grant:1", "changed"),
        ("update role_grant set revoked_at = null where id = 2", "role_grant:2", "changed"),
        ("update role_grant set revoked_at = clock_timestamp() where id = 1", "role_grant:1", "changed"),
        ("update sign_off set person = 2 where risk = 'law' and request = 1", "sign_off:1:law", "changed"),
        ("update sample set inclusion = 1", "sample:1", "changed"),
        ("delete from sample", "sample:1", "deleted"),
    ],
    ids=[
        "row changed",
        "row deleted",
        "row slipped in",
        "grant changed",
        "revocation undone",
        "grant revoked in secret",
        "signature changed",
        "probability changed",
        "sample deleted",
    ],  # fmt: skip
)
async def test_rows_that_bind_the_machine_cannot_change_past_the_log(tampered, statement, subject, fault):
    chain, rows = await tampered(statement)
    assert chain == []
    assert [(found, fault in told) for found, told in rows] == [(subject, True)]


async def test_no_login_of_ours_can_change_the_log_at_all(house, logins):
    for url in (logins.people, logins.machine, logins.owner):
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in (
                "update action set reason = 'x'",
                "delete from action",
                "update governed set value = '1'",
                "delete from label",
            ):
                with pytest.raises(psycopg.Error):
                    connection.execute(statement)


async def test_a_grant_is_revoked_once_and_nothing_else_about_it_changes(house):
    ayu = await house.person("ayu", Role.AUDITOR)
    async with house.people.transaction() as tx:
        await tx.run(
            "update role_grant set revoked_at = clock_timestamp() where person = %(person)s", {"person": ayu.person}
        )
    for change in (
        "revoked_at = null",
        "revoked_at = clock_timestamp()",
        "role = 'approver'",
        "expires_at = null, scope = 'x'",
    ):
        with pytest.raises(LumbungError):
            async with house.people.transaction() as tx:
                await tx.run(f"update role_grant set {change} where person = %(person)s", {"person": ayu.person})


async def test_the_log_does_not_tell_which_samples_are_gold(house):
    approver = await house.person("ayu", Role.APPROVER)
    async with house.people.transaction() as tx:
        made = await audits.add(tx, SAMPLE)
        gold = await plant_gold(tx, approver, made, "correct", "a known answer")
        lines = [row async for row in governed.whole_log(tx)]
    sealed = [row["effect"] for row in lines if row["verb"] == "row" and row["subject"].startswith("sample:")]
    assert [set(effect) for effect in sealed] == [{"digest"}, {"digest"}]
    planted = next(row for row in lines if row["verb"] == "plant-gold")
    told = {str(value) for value in (planted["subject"], *planted["effect"].values())}
    assert not told & {str(made), str(gold)}
    assert planted["effect"]["digest"] == sealed[1]["digest"]


async def test_what_was_in_force_at_a_moment_has_one_answer(house):
    approver = await house.person("ayu", Role.APPROVER)
    async with house.people.transaction() as tx:
        before = await tx.value("select clock_timestamp()")
    async with house.people.transaction() as tx:
        await set_constant(tx, approver, "fusion.theta", 0.9, "after the first audit")
    async with house.people.transaction() as tx:
        now = await tx.value("select clock_timestamp()")
        older, newer = [
            next(row for row in await governed.all_in_force_at(tx, at) if row["name"] == "fusion.theta")
            for at in (before, now)
        ]
        line = await governed.line(tx, newer["action"])
    assert (older["value"], newer["value"]) == (0.85, 0.9)
    assert (line["person"], line["reason"]) == (approver.person, "after the first audit")

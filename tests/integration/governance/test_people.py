"""Accounts, grants with scope and end, sessions and tokens."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from lumbung.errors import PermissionRefused, UsageError
from lumbung.governance.actions.people import (
    create_first_account,
    create_person,
    erase_person,
    first_account_link,
    grant_role,
    issue_machine_token,
    issue_token,
    revoke_machine_token,
    revoke_role,
    set_password,
)
from lumbung.governance.second_factor import code_at, new_secret
from lumbung.governance.sign_in import sign_in
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, Role, allow
from lumbung.store import people

PASSWORD = "empat kata yang panjang"


async def test_an_expired_or_revoked_grant_no_longer_counts(house):
    auditor = await house.person("ayu", Role.AUDITOR)
    async with house.people.transaction() as tx:
        soon = datetime.now(UTC) - timedelta(seconds=1)
        await grant_role(tx, OPERATOR_AT_THE_MACHINE, auditor.person, Role.GUARDIAN, "for a day", expires_at=soon)
        assert (await people.actor_of(tx, auditor.person)).grants == {(Role.AUDITOR, "*")}
        await revoke_role(tx, OPERATOR_AT_THE_MACHINE, auditor.person, Role.AUDITOR, "left the team")
        assert (await people.actor_of(tx, auditor.person)).grants == frozenset()
        history = await people.grant_history(tx, auditor.person)
    assert [(row["role"], row["revoked_at"] is None) for row in history] == [("auditor", False), ("guardian", True)]


async def test_a_grant_of_one_category_reaches_no_other(house):
    auditor = await house.person("ayu", Role.AUDITOR, scope="tarian")
    allow(auditor, "label-sample", "tarian")
    with pytest.raises(PermissionRefused):
        allow(auditor, "label-sample", "ritual")


async def test_nobody_gives_themselves_a_role_where_others_could(house):
    operator = await house.person("budi", Role.OPERATOR)
    async with house.people.transaction() as tx:
        await grant_role(tx, operator, operator.person, Role.CURATOR, "alone here")
    await house.person("citra", Role.AUDITOR)
    async with house.people.transaction() as tx:
        with pytest.raises(PermissionRefused, match="themselves"):
            await grant_role(tx, operator, operator.person, Role.APPROVER, "more power")


async def test_a_session_sees_the_grants_of_now_and_ends_with_the_password_and_the_person(house):
    async with house.people.transaction() as tx:
        person = await create_person(tx, OPERATOR_AT_THE_MACHINE, "ayu", "Ayu", PASSWORD)
        await grant_role(tx, OPERATOR_AT_THE_MACHINE, person, Role.AUDITOR, "reads")
    opened = await sign_in(house.people, "ayu", PASSWORD)
    async with house.people.transaction() as tx:
        assert (await people.actor_of_session(tx, opened.token)).actor.holds(Role.AUDITOR)
        await revoke_role(tx, OPERATOR_AT_THE_MACHINE, person, Role.AUDITOR, "done")
        assert not (await people.actor_of_session(tx, opened.token)).actor.holds(Role.AUDITOR)
        with pytest.raises(UsageError):
            await set_password(tx, OPERATOR_AT_THE_MACHINE, person, PASSWORD + "!")
        await set_password(tx, OPERATOR_AT_THE_MACHINE, person, PASSWORD + "!", "forgotten")
        assert await people.actor_of_session(tx, opened.token) is None
    again = await sign_in(house.people, "ayu", PASSWORD + "!")
    async with house.people.transaction() as tx:
        await erase_person(tx, OPERATOR_AT_THE_MACHINE, person, "asked for it")
        assert await people.actor_of_session(tx, again.token) is None
        row = await people.get(tx, person)
    assert (row["login"], row["name"]) == (None, None)


async def test_a_session_left_alone_is_over(house, logins):
    async with house.people.transaction() as tx:
        person = await create_person(tx, OPERATOR_AT_THE_MACHINE, "ayu", "Ayu", None)
        opened = await people.open_session(tx, person)
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("update web_session set seen_at = seen_at - interval '13 hours'")
    async with house.people.transaction() as tx:
        assert await people.actor_of_session(tx, opened.token) is None


async def test_tokens_and_passwords_are_kept_as_hashes_alone(house, logins):
    async with house.people.transaction() as tx:
        person = await create_person(tx, OPERATOR_AT_THE_MACHINE, "ayu", "Ayu", PASSWORD)
        session = await people.open_session(tx, person)
        token = await people.issue_token(tx, person, "script", ["label-sample"])
    with psycopg.connect(logins.superuser) as connection:
        stored = str(
            connection.execute(
                "select p::text, s.token_hash, t.token_hash from person p, web_session s, api_token t"
            ).fetchall()
        )
    assert PASSWORD not in stored and session.token not in stored and token not in stored
    assert "argon2" in stored


async def test_a_token_is_good_for_its_verbs_and_never_for_more_than_its_bearer(house):
    auditor = await house.person("ayu", Role.AUDITOR)
    async with house.people.transaction() as tx:
        token = await issue_token(tx, auditor, "script", ("label-sample", "set-mode"))
        actor = await people.actor_of_token(tx, token)
        allow(actor, "label-sample")
        for verb in ("adjudicate-sample", "set-mode"):
            with pytest.raises(PermissionRefused):
                allow(actor, verb, reason="why not")
        await people.revoke_token(tx, auditor.person, "script")
        assert await people.actor_of_token(tx, token) is None


async def test_a_token_is_issued_for_verbs_that_exist_and_may_end(house):
    auditor = await house.person("ayu", Role.AUDITOR)
    async with house.people.transaction() as tx:
        with pytest.raises(UsageError, match="no verb label-samples"):
            await issue_token(tx, auditor, "script", ("label-samples",))
        over = await issue_token(tx, auditor, "script", ("label-sample",), datetime.now(UTC) - timedelta(seconds=1))
        assert await people.actor_of_token(tx, over) is None


async def test_a_machine_account_gets_its_token_from_an_operator_and_acts_by_no_role(house):
    operator = await house.person("budi", Role.OPERATOR)
    auditor = await house.person("ayu", Role.AUDITOR)
    async with house.people.transaction() as tx:
        machine = await create_person(tx, operator, "mesin", "Mesin", None, machine=True)
        with pytest.raises(UsageError, match="holds no role"):
            await grant_role(tx, operator, machine, Role.MODERATOR, "to write as a person")
        for login, actor, refusal in (("ayu", operator, UsageError), ("mesin", auditor, PermissionRefused)):
            with pytest.raises(refusal):
                await issue_machine_token(tx, actor, login, "portal")
        token = await issue_machine_token(tx, operator, "mesin", "portal")
        await people.grant(tx, machine, Role.MODERATOR, "*", None, None)
        acting = await people.actor_of_token(tx, token)
        assert (acting.person, acting.grants, acting.verbs) == (machine, frozenset(), {"publish"})
        await revoke_machine_token(tx, operator, "mesin", "portal")
        assert await people.actor_of_token(tx, token) is None


async def test_wrong_passwords_say_the_same_and_slow_the_next_attempt_down(house):
    async with house.people.transaction() as tx:
        await create_person(tx, OPERATOR_AT_THE_MACHINE, "ayu", "Ayu", PASSWORD)
    said = set()
    for login in ("nobody", *["ayu"] * 5):
        with pytest.raises(PermissionRefused) as refused:
            await sign_in(house.people, login, "not this one at all")
        said.add(str(refused.value))
    assert len(said) == 1
    with pytest.raises(PermissionRefused):
        await sign_in(house.people, "ayu", PASSWORD)


async def test_a_second_factor_is_asked_for_where_it_is_set(house):
    secret = new_secret()
    async with house.people.transaction() as tx:
        person = await create_person(tx, OPERATOR_AT_THE_MACHINE, "ayu", "Ayu", PASSWORD)
        await people.set_totp(tx, person, secret)
    with pytest.raises(PermissionRefused):
        await sign_in(house.people, "ayu", PASSWORD)
    code = code_at(secret, datetime.now(UTC).timestamp())
    assert (await sign_in(house.people, "ayu", PASSWORD, code)).token
    with pytest.raises(PermissionRefused):  # a code that was seen is of no use
        await sign_in(house.people, "ayu", PASSWORD, code)


async def test_the_first_account_is_made_by_a_link_that_works_once(house):
    async with house.people.transaction() as tx:
        token = await first_account_link(tx)
        person = await create_first_account(tx, token, "ayu", "Ayu", PASSWORD)
        assert (await people.actor_of(tx, person)).holds(Role.OPERATOR)
        assert await first_account_link(tx) is None
        with pytest.raises(PermissionRefused):
            await create_first_account(tx, token, "budi", "Budi", PASSWORD)


@pytest.mark.parametrize("login", ["", "A", "ayu lestari", "../etc", "a" * 41, "ayu\n", "أ"])
async def test_a_login_is_a_plain_word(house, login):
    async with house.people.transaction() as tx:
        with pytest.raises(UsageError):
            await create_person(tx, OPERATOR_AT_THE_MACHINE, login, "x", None)


async def test_the_machine_signs_for_nobody_and_reads_no_secret(house, logins):
    person = await house.person("ayu", Role.APPROVER)
    with psycopg.connect(logins.machine, autocommit=True) as connection:
        for statement in (
            f"select action_append({person.person}, 'set-mode', 'tarian', 'x', '{{}}')",
            "select password_hash from person",
            "select * from web_session",
            "insert into governed (name, version, value, action) values ('mode.tarian', 9, '\"full\"', 1)",
            "insert into label (sample, person, reading, verdict, action) values (1, 1, 1, 'correct', 1)",
            f"insert into role_grant (person, role) values ({person.person}, 'operator')",
            "update action_head set seq = 0",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)

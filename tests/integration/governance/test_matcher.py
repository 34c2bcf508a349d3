"""People's verdicts about pairs teach the matcher; it is proposed by the steward and comes into force by two people."""

from __future__ import annotations

import json

import psycopg
import pytest

from lumbung.errors import PermissionRefused, UsageError
from lumbung.governance.actions.approvals import approve_request
from lumbung.governance.actions.matcher import adopt_matcher, revert_matcher
from lumbung.governance.audit.matching import ROW, pairs_to_judge
from lumbung.governance.steward import matcher
from lumbung.model.permission import Role
from lumbung.store import governed, pair_labels


async def judged_by(house, *people):
    """One line of the log for each of them."""
    async with house.people.transaction() as tx:
        return [await governed.append_action(tx, each.person, "judge-pair", "", "planted", {}) for each in people]


def plant(logins, lines, count=100):
    """Spellings of one name and region: people said they are one item; of two regions, that they are not."""
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        for number in range(count):
            same = number % 2 == 0
            evidence = {
                "terms": {"cosine": 0.5 + number / 1000, "attributes": 0.0, "name": 0.95},
                "agree": ["name (spelling)", "category", *(["region"] if same else [])],
                "differ": [] if same else ["region"],
            }
            nodes = (f"planted-a{number:03}", f"planted-b{number:03}")
            connection.execute(
                "insert into pair_verdict (a, b, score, verdict, decided_by, evidence, versions) values (%s, %s, 0.5, 'unsure', 'rule', %s, '{}')",
                (*nodes, json.dumps(evidence)),
            )
            connection.execute(
                "insert into human_act (kind, a, b, value, action) values (%s, %s, %s, '', %s)",
                ("same" if same else "different", *nodes, lines[number % len(lines)]),
            )


async def trained(house):
    async with house.machine.transaction() as tx:
        return await matcher.train(tx)


async def open_pairs(house):
    async with house.people.transaction() as tx:
        return await pairs_to_judge(tx)


async def notices(house):
    async with house.people.transaction() as tx:
        return [row["kind"] for row in await tx.rows("select kind from notice where closed_at is null")]


async def test_the_steward_trains_once_for_each_state_of_the_verdicts_and_only_proposes(house, logins):
    ayu, budi = await house.person("ayu", Role.AUDITOR), await house.person("budi", Role.APPROVER)
    assert await trained(house) == "too few labels"
    assert await trained(house) is None
    plant(logins, await judged_by(house, ayu, budi))
    assert await trained(house) == "better"
    assert "matcher-better" in await notices(house)
    async with house.people.transaction() as tx:
        assert [row["verdict"] for row in await pair_labels.trials(tx)] == ["better", "too few labels"]
        assert ROW not in await governed.values_now(tx)
    with pytest.raises(psycopg.errors.InsufficientPrivilege), psycopg.connect(logins.machine) as connection:
        connection.execute("update matcher_trial set verdict = 'better'")


async def test_two_people_bring_it_into_force_and_back_and_open_pairs_follow(house, logins):
    ayu, budi = await house.person("ayu", Role.AUDITOR), await house.person("budi", Role.APPROVER)
    await house.page("https://a.go.id/1", "Tari Lilin")
    await house.page("https://b.go.id/2", "Tari Lilina", [("iringan", "talempong")])
    await house.work()
    apart = [row["title"] for row in await house.entries()]
    assert len(apart) == 2
    assert [{row["name_a"], row["name_b"]} for row in await open_pairs(house)] == [set(apart)]
    async with house.people.transaction() as tx:
        with pytest.raises(UsageError, match="too few"):
            await adopt_matcher(tx, ayu, "a try")
    plant(logins, await judged_by(house, ayu, budi))
    async with house.people.transaction() as tx:
        asked = await adopt_matcher(tx, ayu, "labels of May")
        with pytest.raises(PermissionRefused):
            await approve_request(tx, ayu, asked.request, "my own")
        await approve_request(tx, budi, asked.request, "agreed")
        assert (await governed.values_now(tx))[ROW]["figures"]["labels"] == 100
    await house.work()
    assert [row["title"] for row in await house.entries() if row["status"] != "withdrawn"] == apart[:1]
    assert await open_pairs(house) == []
    assert await trained(house) == "no better"
    async with house.people.transaction() as tx:
        asked = await revert_matcher(tx, budi, "a second look")
        await approve_request(tx, ayu, asked.request, "agreed")
        assert (await governed.values_now(tx))[ROW] == {}
        with pytest.raises(UsageError, match="No learned matcher"):
            await revert_matcher(tx, budi, "again")
    await house.work()
    assert [row["title"] for row in await house.entries() if row["status"] != "withdrawn"] == apart


async def test_nobody_lets_a_matcher_pass_that_rests_on_their_own_verdicts_alone(house, logins):
    ayu, budi = await house.person("ayu", Role.AUDITOR), await house.person("budi", Role.APPROVER)
    plant(logins, await judged_by(house, budi))
    async with house.people.transaction() as tx:
        asked = await adopt_matcher(tx, ayu, "labels of May")
        with pytest.raises(PermissionRefused, match="own verdicts"):
            await approve_request(tx, budi, asked.request, "agreed")


async def test_who_reverts_twice_is_led_further_back(house):
    ayu, budi = await house.person("ayu", Role.AUDITOR), await house.person("budi", Role.APPROVER)
    async with house.people.transaction() as tx:
        for name in ("first", "second"):
            action = await governed.append_action(tx, ayu.person, "set-matcher", ROW, "planted", {})
            await governed.set_value(tx, ROW, {"model": name}, action)
        for expected in ({"model": "first"}, {}):
            asked = await revert_matcher(tx, budi, "worse than it looked")
            await approve_request(tx, ayu, asked.request, "agreed")
            assert (await governed.values_now(tx))[ROW] == expected

"""What people say about items, facts, pairs and sources holds, and the library follows."""

from __future__ import annotations

import pytest

from lumbung.errors import PermissionRefused, UsageError
from lumbung.governance.actions.approvals import approve_request
from lumbung.governance.actions.review import (
    approve_fact,
    approve_item,
    judge_pair,
    mark_sensitive,
    reject_fact,
    reject_item,
    retract_source,
)
from lumbung.governance.actions.scope import set_sensitive_list, terms_in_force
from lumbung.governance.actions.take_back import take_back_pair
from lumbung.model.permission import Role
from lumbung.model.profile import SensitiveTerm
from lumbung.store import governed, reviews


@pytest.fixture
async def full(house):
    cast = await house.cast()
    await house.ratified(cast)
    for mode in ("trickle", "full"):
        await house.raised(cast, "tarian", mode)
    house.cast_now = cast
    return house


async def statuses(house):
    return {row["title"]: row["status"] for row in await house.entries()}


async def identity(house, title):
    return next(row["identity"] for row in await house.entries() if row["title"] == title)


async def fact_states(house):
    async with house.people.transaction() as tx:
        rows = await tx.rows("select attribute, value_key, state from fact order by attribute")
    return {row["attribute"]: (row["value_key"], row["state"]) for row in rows}


async def test_a_person_s_word_publishes_and_takes_back_and_the_newest_counts(full):
    await full.page("https://a.blogspot.com/1", "Tari Lilin")
    await full.work()
    assert await statuses(full) == {"Tari Lilin": "review"}
    async with full.people.transaction() as tx:
        assert [row["title"] for row in await reviews.queue(tx)] == ["Tari Lilin"]
    auditor = full.cast_now[Role.AUDITOR]
    entry = await identity(full, "Tari Lilin")
    for act, expected in ((approve_item, "published"), (reject_item, "withdrawn"), (approve_item, "published")):
        async with full.people.transaction() as tx:
            await act(tx, auditor, entry, "known to me")
        await full.work()
        assert await statuses(full) == {"Tari Lilin": expected}
    await full.page("https://b.blogspot.com/2", "Tari Lilin", (("iringan", "saluang"),))
    await full.work()
    assert await statuses(full) == {"Tari Lilin": "published"}


async def test_a_fact_is_approved_and_rejected_on_its_own(full):
    await full.page("https://isi.ac.id/1", "Tari Piring")
    await full.page("https://a.blogspot.com/1", "Tari Piring", (("iringan", "talempong"),))
    await full.work()
    auditor, entry = full.cast_now[Role.AUDITOR], await identity(full, "Tari Piring")
    key, state = (await fact_states(full))["iringan"]
    assert state == "waiting"
    async with full.people.transaction() as tx:
        await approve_fact(tx, auditor, entry, "iringan", key, "heard it")
    await full.work()
    assert (await fact_states(full))["iringan"] == (key, "published")
    other, _ = (await fact_states(full))["fungsi"]
    async with full.people.transaction() as tx:
        await reject_fact(tx, auditor, entry, "fungsi", other, "not so")
        with pytest.raises(UsageError):
            await reject_fact(tx, auditor, entry, "fungsi", "no such value", "not so")
    await full.work()
    assert (await fact_states(full))["fungsi"] == (other, "waiting")


async def test_only_a_guardian_lets_a_sensitive_item_out(full):
    await full.page("https://a.blogspot.com/1", "Tari Lilin")
    await full.work()
    entry = await identity(full, "Tari Lilin")
    async with full.people.transaction() as tx:
        await mark_sensitive(tx, full.cast_now[Role.AUDITOR], entry, "danced at a grave")
    await full.work()
    async with full.people.transaction() as tx:
        assert (await reviews.item_of(tx, entry))["sensitive"]
        with pytest.raises(PermissionRefused):
            await approve_item(tx, full.cast_now[Role.AUDITOR], entry, "fine with me")
        await approve_item(tx, full.cast_now[Role.GUARDIAN], entry, "the community agrees")
    await full.work()
    assert await statuses(full) == {"Tari Lilin": "published"}


async def test_a_guardian_of_a_region_decides_on_what_is_sensitive_there_and_not_elsewhere(full):
    await full.page("https://a.blogspot.com/1", "Tari Lilin")
    await full.work()
    entry = await identity(full, "Tari Lilin")
    near = await full.person("near", Role.GUARDIAN, scope="ID-SB")
    far = await full.person("far", Role.GUARDIAN, scope="ID-PA")
    for act in (mark_sensitive, approve_item):
        async with full.people.transaction() as tx:
            with pytest.raises(PermissionRefused):
                await act(tx, far, entry, "not mine")
            await act(tx, near, entry, "the community agrees")
        await full.work()
    assert await statuses(full) == {"Tari Lilin": "published"}


async def test_two_candidates_are_one_item_or_two_as_a_person_says(full):
    a = await full.page("https://isi.ac.id/1", "Tari Piring")
    b = await full.page("https://unand.ac.id/2", "Tari Piring", (("iringan", "talempong"),))
    await full.work()
    assert len(await full.entries()) == 1
    curator = full.cast_now[Role.CURATOR]
    async with full.people.transaction() as tx:
        await judge_pair(tx, curator, b, a, same=False, reason="two dances of one name")
        with pytest.raises(UsageError):
            await judge_pair(tx, curator, a, "no such node", same=True, reason="x")
    await full.work()
    assert len([row for row in await full.entries() if row["status"] == "published"]) == 2
    async with full.people.transaction() as tx:
        await judge_pair(tx, curator, a, b, same=True, reason="one after all")
    await full.work()
    assert len([row for row in await full.entries() if row["status"] == "published"]) == 1


async def test_a_word_on_a_pair_is_taken_back_and_the_rules_decide_again(full):
    a = await full.page("https://isi.ac.id/1", "Tari Piring")
    b = await full.page("https://unand.ac.id/2", "Tari Piring", (("iringan", "talempong"),))
    curator, guardian = full.cast_now[Role.CURATOR], full.cast_now[Role.GUARDIAN]
    await full.work()
    async with full.people.transaction() as tx:
        with pytest.raises(UsageError):
            await take_back_pair(tx, curator, a, b, "nothing was said")
        await judge_pair(tx, curator, a, b, same=False, reason="two dances")
    await full.work()
    assert len([row for row in await full.entries() if row["status"] == "published"]) == 2
    async with full.people.transaction() as tx:
        with pytest.raises(PermissionRefused):
            await take_back_pair(tx, guardian, a, b, "not my part")
        await take_back_pair(tx, curator, b, a, "read the wrong page")
        line = (await governed.log_tail(tx, limit=1))[0]
    assert (line["verb"], line["person"], line["effect"]["took_back"]) == ("take-back", curator.person, "different")
    await full.work()
    assert len([row for row in await full.entries() if row["status"] == "published"]) == 1
    async with full.people.transaction() as tx:
        assert await governed.unsealed_rows(tx) == []


async def test_what_rested_on_a_retracted_source_leaves(full):
    await full.page("https://isi.ac.id/1", "Tari Piring")
    await full.page("https://unand.ac.id/2", "Tari Lilin")
    await full.work()
    async with full.people.transaction() as tx:
        assert await retract_source(tx, full.cast_now[Role.CURATOR], "isi.ac.id", "they asked us") == 1
        with pytest.raises(UsageError):
            await retract_source(tx, full.cast_now[Role.CURATOR], "nowhere.example", "x")
    await full.work()
    assert await statuses(full) == {"Tari Piring": "withdrawn", "Tari Lilin": "published"}


async def test_a_word_added_to_the_sensitive_list_reaches_what_is_held_already(full):
    await full.page("https://isi.ac.id/1", "Tari Piring", (("fungsi", "dipentaskan saat syukuran"),))
    await full.page("https://isi.ac.id/2", "Tari Lilin")
    await full.work()
    async with full.people.transaction() as tx:
        terms = terms_in_force(await governed.values_now(tx), full.profile)
        grown = (*terms, SensitiveTerm("syukuran", "", "a word of the test"))
        await set_sensitive_list(tx, full.cast_now[Role.GUARDIAN], grown, "the community asks for it")
    await full.work()
    assert await statuses(full) == {"Tari Piring": "review", "Tari Lilin": "published"}
    async with full.people.transaction() as tx:
        asked = await set_sensitive_list(tx, full.cast_now[Role.GUARDIAN], terms, "said otherwise since")
    await full.work()
    assert (await statuses(full))["Tari Piring"] == "review", "one guardian alone takes nothing off the list"
    second = await full.person("another-guardian", Role.GUARDIAN)
    async with full.people.transaction() as tx:
        await approve_request(tx, second, asked.request, "agreed")
    await full.work()
    assert await statuses(full) == {"Tari Piring": "published", "Tari Lilin": "published"}

"""Eq. (9) by itself: only where a governed row says so, only with seeds that a curator has seen, one tranche at a time."""

from __future__ import annotations

import pytest

from lumbung.governance.actions.constants import set_constant
from lumbung.governance.actions.tranches import add_tranche, verify_seeds
from lumbung.governance.steward.reseeding import ALLOWED, reseed
from lumbung.model.permission import Role
from lumbung.model.profile import Seed
from lumbung.store import coverage, governed


@pytest.fixture
async def curated(house):
    house.curator = await house.person("ayu", Role.CURATOR)
    async with house.people.transaction() as tx:
        for name, host in (("seen", "a.example"), ("unseen", "b.example")):
            given = [Seed(f"https://{host}/{n}", "tarian", "ID-SB", 1.0, "") for n in range(3)]
            await add_tranche(tx, house.curator, name, given, house.profile, "")
        await verify_seeds(tx, house.curator, "seen", [])
    return house


async def reseeded(house):
    async with house.machine.transaction() as tx:
        return await reseed(tx, house.profile, house.gazetteer.provinces_of)


async def test_nothing_is_injected_until_people_allow_it(curated):
    assert await reseeded(curated) is None


async def test_the_next_tranche_is_one_that_a_curator_has_seen_and_the_log_says_why(curated):
    async with curated.people.transaction() as tx:
        await set_constant(tx, curated.curator, ALLOWED, 1, "the harvest goes on by itself")
    assert await reseeded(curated) == "seen"
    assert await reseeded(curated) is None
    async with curated.people.transaction() as tx:
        assert await coverage.running(tx) == "seen"
        lines = await tx.rows("select person, reason from action where verb = 'inject-tranche'")
    assert [line["person"] for line in lines] == [None]
    assert ALLOWED in lines[0]["reason"]


async def test_a_frontier_that_is_deep_enough_is_left_alone(curated):
    async with curated.people.transaction() as tx:
        await set_constant(tx, curated.curator, ALLOWED, 1, "by itself")
        await set_constant(tx, curated.curator, "frontier.phi_min", 0, "never")
        assert (await governed.values_now(tx))["frontier.phi_min"] == 0
    assert await reseeded(curated) is None

"""Coverage steers: the matrix, the choice of tranches, one at a time, and what they taught."""

from __future__ import annotations

import pytest

from lumbung.errors import PermissionRefused, PolicyRefused, UsageError
from lumbung.governance.actions.constants import set_constant
from lumbung.governance.actions.tranches import add_tranche, choose, inject_tranche, stop_tranche
from lumbung.governance.reports.coverage import matrix, proposed
from lumbung.governance.steward import yields
from lumbung.model.permission import Role
from lumbung.model.profile import Seed
from lumbung.store import audits, coverage


def seeds(host, category, region, number, cost=1.0):
    return [Seed(f"https://{host}/{n}", category, region, cost, "") for n in range(number)]


@pytest.fixture
async def curated(house):
    house.curator = await house.person("ayu", Role.CURATOR)
    async with house.people.transaction() as tx:
        for name, given in {
            "many-dances": seeds("a.example", "tarian", "ID-SB", 6),
            "few-dances": seeds("b.example", "tarian", "ID-SB", 2),
            "rituals": seeds("c.example", "ritual", "ID-BA", 3, cost=10.0),
        }.items():
            await add_tranche(tx, house.curator, name, given, house.profile, "")
    return house


async def chosen(house, **limits):
    async with house.people.transaction() as tx:
        return await choose(tx, house.profile, house.gazetteer.provinces_of, **limits)


async def test_the_choice_is_explained_cell_by_cell_and_changes_nothing(curated):
    choice = await chosen(curated, limit=2)
    assert choice.names[0] in {"many-dances", "rituals"}
    assert choice.steps[0].cells[0][0] in {("tarian", "ID-SB"), ("ritual", "ID-BA")}
    cheap = await chosen(curated, budget=8.0)
    assert set(cheap.names) == {"many-dances", "few-dances"} and cheap.cost == 8.0
    async with curated.people.transaction() as tx:
        assert {row["state"] for row in await coverage.tranches(tx)} == {"proposed"}


async def test_a_curator_s_weight_turns_the_choice(curated):
    assert (await chosen(curated, budget=30.0)).value > 0
    async with curated.people.transaction() as tx:
        await set_constant(tx, curated.curator, "coverage.weight.ritual.ID-BA", 50.0, "an urgent region")
    assert (await chosen(curated, limit=1)).names == ("rituals",)


async def test_what_the_library_holds_counts_for_its_cell(curated):
    cast = await curated.cast()
    await curated.ratified(cast)
    for mode in ("trickle", "full"):
        await curated.raised(cast, "tarian", mode)
    await curated.page("https://isi.ac.id/1", "Tari Piring", regions=("ID-SB",))
    await curated.work()
    async with curated.people.transaction() as tx:
        found = await matrix(tx, curated.profile, curated.gazetteer.provinces_of)
    assert found.targets["tarian", "ID-SB"].held == 1.0
    assert 0 < found.value < 1
    assert all(hole["held"] < hole["wanted"] for hole in found.holes())


async def test_duplicates_bad_addresses_and_unknown_codes_are_told(curated):
    given = [
        Seed("https://a.example/1", "tarian", "ID-SB", 1.0, ""),
        Seed("javascript:alert(1)", "", "", 1.0, ""),
        Seed("https://d.example/", "no-category", "", 1.0, ""),
        Seed("https://d.example/", "tarian", "XX-99", 1.0, ""),
        Seed("https://d.example/", "tarian", "", 0.0, ""),
        Seed("https://d.example/x#top", "tarian", "", 1.0, ""),
        Seed("https://d.example/x", "tarian", "", 1.0, ""),
    ]
    async with curated.people.transaction() as tx:
        report = await add_tranche(tx, curated.curator, "mixed", given, curated.profile, "")
        with pytest.raises(UsageError):
            await add_tranche(tx, curated.curator, "Not A Name", given, curated.profile, "")
    assert report.seeds == 1
    assert set(report.duplicates) == {"https://a.example/1", "https://d.example/x"}
    assert {"javascript:alert(1)", "https://d.example/"} == set(report.refused)


async def test_one_tranche_runs_at_a_time_and_its_yield_becomes_the_next_forecast(curated):
    auditor = await curated.person("budi", Role.AUDITOR)

    async def inject(actor, name):
        async with curated.people.transaction() as tx:
            return await inject_tranche(tx, actor, name, curated.profile, curated.gazetteer.provinces_of, "next")

    with pytest.raises(PermissionRefused):
        await inject(auditor, "few-dances")
    assert (await inject(curated.curator, "few-dances")).added == 2
    with pytest.raises(PolicyRefused, match="few-dances"):
        await inject(curated.curator, "many-dances")
    before = (await chosen(curated, limit=1)).value
    for number in range(12):
        await curated.page(f"https://isi.ac.id/{number}", f"Tari {'ABCDEFGHIJKL'[number]} Baru", tranche="few-dances")
    await curated.work()
    async with curated.machine.transaction() as tx:
        assert await yields.update(tx) == "few-dances"
    async with curated.people.transaction() as tx:
        row = next(row for row in await coverage.tranches(tx) if row["name"] == "few-dances")
        assert row["outcome"]["entries"] > 4
        assert 0 <= row["forecast"]["low"] < row["forecast"]["entries"] < row["forecast"]["high"]
        await stop_tranche(tx, curated.curator, "few-dances", "seen enough")
    after = await chosen(curated, limit=1)
    assert after.value > before
    async with curated.people.transaction() as tx:
        assert [found for _, found in await coverage.forecasts_and_outcomes(tx)] == [row["outcome"]["entries"]]
    assert (await inject(curated.curator, "many-dances")).added == 6


async def test_entries_of_a_regency_count_for_the_province_that_was_seeded(curated):
    async with curated.people.transaction() as tx:
        given = [Seed("https://r.example/1", "tarian", "ID-SB", 1.0, "")]
        await add_tranche(tx, curated.curator, "regencies", given, curated.profile, "")
        await inject_tranche(tx, curated.curator, "regencies", curated.profile, curated.gazetteer.provinces_of, "next")
    for number in range(3):
        name = f"Tari {'XYZ'[number]} Baru"
        await curated.page(f"https://isi.ac.id/r{number}", name, regions=("13.06",), tranche="regencies")
    await curated.work()
    async with curated.machine.transaction() as tx:
        await yields.update(tx, curated.gazetteer.provinces_of)
        [row] = [row for row in await coverage.posteriors(tx) if row["tranche"] == "regencies"]
    assert (row["found"], row["shape"]) == (3.0, 4.0)


async def test_a_seed_without_a_region_is_expected_to_fill_all_provinces_a_little(curated):
    async with curated.people.transaction() as tx:
        given = [Seed("https://portal.example/1", "ritual", "", 1.0, "")]
        await add_tranche(tx, curated.curator, "portal", given, curated.profile, "")
        offered = {each.name: each for each in await proposed(tx, curated.profile, curated.gazetteer.provinces_of)}
    assert len(offered["portal"].yields) == 38
    assert {cell[0] for cell in offered["portal"].yields} == {"ritual"}
    assert sum(offered["portal"].yields.values()) == pytest.approx(2.0)
    assert (await chosen(curated, limit=100)).names.count("portal") == 1


async def test_a_tranche_that_gives_nothing_is_told_of_once_enough_of_its_pages_were_read(curated):
    async with curated.people.transaction() as tx:
        await set_constant(tx, curated.curator, "coverage.barren_after_pages", 2, "small tranches")
        provinces_of = curated.gazetteer.provinces_of
        await inject_tranche(tx, curated.curator, "many-dances", curated.profile, provinces_of, "next")

    async def read(number):
        async with curated.machine.transaction() as tx:
            await tx.run(
                "update frontier set state = 'fetched' where url in (select url from frontier where tranche = 'many-dances' order by url limit %(n)s)",
                {"n": number},
            )
            assert await yields.update(tx) == "many-dances"
            return [row["subject"] for row in await audits.notices(tx) if row["kind"] == "tranche-barren"]

    assert await read(1) == []
    assert await read(2) == ["many-dances"]

"""Labels say how far a source may be believed; two people bring it into force, and what rests on it is decided again."""

from __future__ import annotations

import pytest

from lumbung.errors import UsageError
from lumbung.governance.actions.approvals import approve_request
from lumbung.governance.actions.credibility import adopt_credibility
from lumbung.governance.actions.labels import label_sample
from lumbung.governance.audit.credibility import credibility_proposals
from lumbung.governance.steward.watch import round_once
from lumbung.model.permission import Role
from lumbung.store import audits, governed

ROW = "fusion.credibility.isi.ac.id"


async def judged(house, cast, error):
    """Twelve pages of one campus, every fact of them read by the auditor."""
    await house.ratified(cast)
    await house.raised(cast, "tarian", "trickle")
    for number in range(12):
        await house.page(f"https://isi.ac.id/{number}", f"Tari {'ABCDEFGHIJKL'[number]} Baru")
    await house.work()
    for _ in ("released", "sampled"):
        await round_once(house.machine)
        await house.work()
    async with house.people.transaction() as tx:
        facts = [row for row in await audits.samples(tx) if row["attribute"]]
        for row in facts:
            await label_sample(tx, cast[Role.AUDITOR], row["id"], "incorrect", error_kind=error)
    return len(facts)


async def probability_of(house, title):
    async with house.people.transaction() as tx:
        return await tx.value(
            "select max(f.probability) from fact f join entry e on e.identity = f.entry where e.title = %(title)s",
            {"title": title},
        )


async def test_a_source_that_errs_is_believed_less_once_two_people_say_so(house):
    cast = await house.cast()
    labels = await judged(house, cast, "wrong fact")
    async with house.people.transaction() as tx:
        found = {each.name: each for each in await credibility_proposals(tx, house.profile)}
        assert found[ROW].labels == labels >= 10
        assert found[ROW].is_clear
        asked = await adopt_credibility(tx, cast[Role.AUDITOR], house.profile, ROW, "all twelve were wrong")
        assert ROW not in await governed.values_now(tx)
    before = await probability_of(house, "Tari A Baru")
    async with house.people.transaction() as tx:
        await approve_request(tx, cast[Role.APPROVER], asked.request, "agreed")
        assert (await governed.values_now(tx))[ROW] == found[ROW].suggested < found[ROW].present
    await house.work()
    await house.page("https://isi.ac.id/new", "Tari Muda Belia")
    await house.page("https://upi.ac.id/new", "Tari Tua Renta")
    await house.work()
    assert await probability_of(house, "Tari Muda Belia") < before
    assert await probability_of(house, "Tari Tua Renta") == pytest.approx(before)


async def test_what_we_misread_is_not_held_against_the_source(house):
    cast = await house.cast()
    await judged(house, cast, "wrong quote")
    async with house.people.transaction() as tx:
        found = {each.name: each for each in await credibility_proposals(tx, house.profile)}
        rows = {"extractor.precision", "extractor.precision.test", "extractor.precision.test.fungsi"}
        assert found.keys() == rows
        assert found["extractor.precision.test.fungsi"].suggested < found["extractor.precision"].suggested
        change = await adopt_credibility(tx, cast[Role.AUDITOR], house.profile, "extractor.precision", "misread")
        assert change.version == 2
        with pytest.raises(UsageError, match="say nothing"):
            await adopt_credibility(tx, cast[Role.AUDITOR], house.profile, ROW, "no label of it")

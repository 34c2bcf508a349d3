"""The front page and the month: figures that follow what happened."""

from __future__ import annotations

import pytest

from lumbung.equations.funnel import Group
from lumbung.governance.actions.tranches import add_tranche
from lumbung.governance.audit.credibility import credibility_proposals
from lumbung.governance.audit.learning import calibration_proposal
from lumbung.governance.reports.monthly import Teller, monthly_report
from lumbung.governance.reports.objective import (
    measured_by_host,
    measured_filters,
    measured_funnel,
    measured_stages,
    objective_report,
)
from lumbung.governance.reports.quality import reliability_diagram
from lumbung.governance.steward.retention import DAY_SECONDS, DailyLook
from lumbung.governance.steward.watch import DUTIES, round_once
from lumbung.model.job import NewJob
from lumbung.model.permission import Role
from lumbung.model.profile import Seed
from lumbung.ports.ledger import Purpose
from lumbung.store import audits, jobs
from lumbung.store.ledger import SharedLedger


async def test_the_objective_counts_what_was_published_and_says_what_stands_in_the_way(house):
    async with house.people.transaction() as tx:
        before = await objective_report(tx)
    assert (before.entries, before.cost_per_published_micros) == (0, None)
    assert [each.code for each in before.improvements] == ["raise-categories-out-of-shadow"]
    cast = await house.cast()
    await house.ratified(cast)
    for mode in ("trickle", "full"):
        await house.raised(cast, "tarian", mode)
    await house.page("https://isi.ac.id/1", "Tari Piring")
    await house.work()
    async with house.people.transaction() as tx:
        after = await objective_report(tx)
        month = await monthly_report(tx, house.profile)
        english = await monthly_report(tx, house.profile, Teller("en", "IDR"))
        funnel = await measured_funnel(tx)
        stages, filters = await measured_stages(tx), await measured_filters(tx)
    assert (after.entries, after.facts) == (1, 1)
    assert (before.weighted_gain, after.weighted_gain) == (0.0, None), "what nobody has read is not validated"
    assert "Tarian: 1 / 1" in month and "Entri terbit: 1" in month
    assert "Entries published: 1" in english
    assert funnel["cost_published_micros"] == 0
    assert [(stage.name, stage.seen) for stage in stages] == [
        ("crawl", 1),
        ("extract", 1),
        ("decide", 1),
        ("publish", 1),
    ]
    assert filters == []


async def test_what_was_measured_is_told_by_host_with_what_was_paid_for_each(house):
    await house.page("https://isi.ac.id/1", "Tari Piring")
    await house.page("https://isi.ac.id/2", "Tari Saman")
    await house.page("https://museum.example/1", "Tari Piring")
    await house.work()
    async with house.people.transaction() as tx:
        rows = await tx.rows(
            "select c.digest, d.host from candidate c join document d on d.id = c.document order by d.id"
        )
    ledger = SharedLedger(house.machine)
    for number, row in enumerate(rows):
        reservation = await ledger.reserve(Purpose("decide", "p", "m", row["digest"]), 1000, 60)
        assert await ledger.begin(reservation)
        await ledger.settle(reservation, 100 * (number + 1))
    async with house.people.transaction() as tx:
        stages, groups = await measured_stages(tx), await measured_by_host(tx)
    assert groups == [
        Group((2, 2, 2, 2, 0), (0.0, 0.0, 300.0, 0.0)),
        Group((1, 1, 1, 0, 0), (0.0, 0.0, 300.0, 0.0)),
    ]
    decide = next(stage for stage in stages if stage.name == "decide")
    assert (decide.cost, decide.seen, decide.cost_deviation) == (200.0, 3, 100.0)
    assert decide.pass_rate == 2 / 3


async def test_every_duty_of_the_steward_runs_with_the_machine_s_login_alone(house):
    cast = await house.cast()
    await house.ratified(cast)
    await house.raised(cast, "tarian", "trickle")
    for number in range(3):
        await house.page(f"https://isi.ac.id/{number}", f"Tari {'ABC'[number]} Baru")
    await house.work()
    assert await round_once(house.machine) == {}
    assert await round_once(house.machine) == {}
    assert set(DUTIES) == {
        "sampling",
        "trickle",
        "monitor",
        "corpus",
        "yields",
        "reminders",
        "retention",
        "matcher",
        "re-encoding",
    }
    async with house.people.transaction() as tx:
        samples = await audits.samples(tx)
        assert samples and {row["inclusion"] for row in samples} == {1.0}
        assert await reliability_diagram(tx) == []
        assert await calibration_proposal(tx) is None
        assert await credibility_proposals(tx, house.profile) == []
        assert Role.AUDITOR in cast


async def test_answers_that_nobody_needed_for_long_are_let_go_once_a_day(house):
    clock = iter((0.0, 10.0, DAY_SECONDS + 1, DAY_SECONDS + 1))
    look = DailyLook(lambda: next(clock))

    async def looked(*keys):
        async with house.machine.transaction() as tx:
            for key in keys:
                await tx.run(
                    "insert into inference_cache (key, model, prompt, answer, used_at) "
                    "values (%(key)s, 'm', 'p', '{}', clock_timestamp() - make_interval(days => %(days)s))",
                    {"key": key, "days": 100 if key.startswith("old") else 1},
                )
            return await look(tx)

    assert await looked("old", "new") == 1
    assert await looked("old later") == 0
    assert await looked() == 1
    async with house.machine.transaction() as tx:
        assert [row["key"] for row in await tx.rows("select key from inference_cache")] == ["new"]


async def test_what_would_improve_most_is_said_by_the_facts_that_it_would_bring(house):
    for number in range(4):
        await house.page(f"https://isi.ac.id/{number}", f"Tari {'ABCD'[number]} Baru")
    await house.page("https://catatan.blogspot.com/1", "Tari E Baru")
    await house.work()
    async with house.people.transaction() as tx:
        first = (await objective_report(tx)).improvements
    by_code = {each.code: each for each in first}
    shadow, review = by_code["raise-categories-out-of-shadow"], by_code["read-the-review-queue"]
    assert first[0] is shadow
    assert 3.5 < shadow.facts < 4.0, "four facts, each as sure as one academic source makes it"
    assert (review.waiting, 0 < review.facts < 1) == (1, True)
    cast = await house.cast()
    await house.ratified(cast)
    await house.raised(cast, "tarian", "trickle")
    await house.raised(cast, "tarian", "full")
    await house.work()
    async with house.people.transaction() as tx:
        after = await objective_report(tx)
    assert {each.code: each.facts for each in after.improvements}["raise-categories-out-of-shadow"] == 0
    assert after.facts == 4


async def test_dead_letters_weigh_what_such_jobs_have_given_so_far(house):
    cast = await house.cast()
    await house.ratified(cast)
    await house.raised(cast, "tarian", "trickle")
    await house.raised(cast, "tarian", "full")
    for number in range(2):
        await house.page(f"https://isi.ac.id/{number}", f"Tari {'AB'[number]} Baru")
    await house.work()
    async with house.machine.transaction() as tx:
        await jobs.add(tx, [NewJob("decide", "lost", {"node": "lost"})])
        await tx.run("update job set state = 'dead', reason = 'broken' where stage = 'decide' and key = 'lost'")
    async with house.people.transaction() as tx:
        found = {each.code: each for each in (await objective_report(tx)).improvements}
    assert (found["redrive-dead-letters"].facts, found["redrive-dead-letters"].waiting) == (1.0, 1)


async def test_a_tranche_weighs_by_all_of_its_seeds(house):
    curator = await house.person("ayu", Role.CURATOR)
    few, many = ([Seed(f"https://{n}.example/{i}", "tarian", "ID-SB", 1.0, "") for i in range(n)] for n in (1, 6))
    async with house.people.transaction() as tx:
        await add_tranche(tx, curator, "few", few, house.profile, "")
        first = (await objective_report(tx)).improvements
        await add_tranche(tx, curator, "many", many, house.profile, "")
        both = (await objective_report(tx)).improvements
    before, after = (next(each for each in found if each.code == "inject-a-tranche") for found in (first, both))
    assert (before.waiting, after.waiting) == (1, 2)
    assert after.facts == pytest.approx(6 * before.facts)

"""Labels that show over-confidence tighten at once; what would loosen waits for a second person; gold hides in the queue."""

from __future__ import annotations

import psycopg
import pytest

from lumbung.errors import PermissionRefused, UsageError
from lumbung.governance.actions.approvals import approve_request
from lumbung.governance.actions.calibration import ROW, forget_calibration, recalibrate
from lumbung.governance.audit.queue import next_samples
from lumbung.governance.notices import sentence
from lumbung.governance.reports.quality import recall_by_stage
from lumbung.governance.steward import reminders, sampling
from lumbung.model.permission import Role
from lumbung.stages.decide.rules import Rules
from lumbung.store import governed


def plant(logins, person, samples, kind="publication", stage="publish"):
    """(confidence, verdict, readings) as if people had read them; row by row it would take minutes."""
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        for number, (confidence, verdict, readings) in enumerate(samples):
            [made] = connection.execute(
                "insert into sample (kind, stage, subject, category, stratum, inclusion, confidence, place, shown) values "
                "(%s, %s, %s, 'tarian', %s, 0.5, %s, %s, '{}') returning id",
                (
                    kind,
                    stage,
                    f"{kind}{number}",
                    f"{stage}|gate" if kind == "rejection" else "tarian|plain",
                    confidence,
                    number / len(samples),
                ),
            ).fetchone()
            for reading in range(1, readings + 1):
                connection.execute(
                    "insert into label (sample, person, reading, verdict, error_kind, action) values (%s, %s, %s, %s, %s, 1)",
                    (made, person + reading - 1, reading, verdict, "wrong fact" if verdict == "incorrect" else None),
                )


def labelled(confidence, share_right, count):
    return [
        (confidence + number / 1e4, "correct" if (number % 100) < share_right * 100 else "incorrect", 1)
        for number in range(count)
    ]


async def test_over_confidence_is_taken_out_and_fewer_facts_pass(house, logins):
    auditor, other = await house.person("ayu", Role.AUDITOR), await house.person("budi", Role.APPROVER)
    async with house.people.transaction() as tx:
        with pytest.raises(UsageError, match="too few"):
            await recalibrate(tx, auditor, "labels of May")
        with pytest.raises(PermissionRefused):
            await recalibrate(tx, await house.person("cici", Role.CURATOR), "labels of May")
    plant(logins, auditor.person, [*labelled(0.86, 0.60, 200), *labelled(0.95, 0.80, 200)])
    async with house.people.transaction() as tx:
        before = Rules.from_rows(await governed.values_now(tx), {})
        change = await recalibrate(tx, auditor, "labels of May")
        assert (change.version, change.request) == (1, None)
        after = Rules.from_rows(await governed.values_now(tx), {})
        assert after.theta > 0.95 > before.theta == 0.85
        assert await tx.value("select count(*) from job where key like 'redecide:fusion.calibration%%'") == 1
        with pytest.raises(UsageError, match="too few"):
            await recalibrate(tx, auditor, "the same labels again")
        forgotten = await forget_calibration(tx, auditor, "a mistake")
        with pytest.raises(PermissionRefused):
            await approve_request(tx, auditor, forgotten.request, "my own")
        await approve_request(tx, other, forgotten.request, "agreed")
        assert (await governed.values_now(tx))[ROW] == []
        assert Rules.from_rows(await governed.values_now(tx), {}) == before


async def test_a_map_that_raises_confidences_waits_for_a_second_person(house, logins):
    auditor, other = await house.person("ayu", Role.AUDITOR), await house.person("budi", Role.APPROVER)
    plant(logins, auditor.person, [*labelled(0.55, 0.90, 200), *labelled(0.70, 0.97, 200)])
    async with house.people.transaction() as tx:
        change = await recalibrate(tx, auditor, "labels of May")
        assert change.version is None
        assert ROW not in await governed.values_now(tx)
        await approve_request(tx, other, change.request, "read the figures")
        assert Rules.from_rows(await governed.values_now(tx), {}).theta < 0.85


async def test_settled_samples_come_back_hidden_as_gold_up_to_their_share(house, logins):
    auditor = await house.person("ayu", Role.AUDITOR)
    plant(logins, auditor.person, [(0.9, "correct", 2)] * 10)
    plant(logins, auditor.person, [(None, "correct", 0)] * 40, kind="rejection", stage="crawl")
    async with house.machine.transaction() as tx:
        await sampling.draw(tx)
        await sampling.draw(tx)
    async with house.people.transaction() as tx:
        assert await tx.value("select count(*) from sample where kind = 'gold'") == 2
        reader = await house.person("dedi", Role.AUDITOR)
        queue = await next_samples(tx, reader, 100)
        assert len(queue) == 42
        assert len({tuple(sorted(row)) for row in queue}) == 1
        assert not any("gold" in str(row) or "kind" in row for row in queue)


async def test_recall_tells_which_reason_refused_wrongly(house, logins):
    auditor = await house.person("ayu", Role.AUDITOR)
    plant(
        logins,
        auditor.person,
        [(None, "incorrect" if n < 10 else "correct", 1) for n in range(40)],
        "rejection",
        "crawl",
    )
    async with house.people.transaction() as tx:
        [reason] = (await recall_by_stage(tx))["crawl"]["reasons"].items()
    assert reason[0] == "gate"
    assert (reason[1]["labels"], reason[1]["refused"], reason[1]["wrongly"]) == (40, 80.0, 0.25)
    assert reason[1]["low"] < 0.25 < reason[1]["high"]


async def test_confidences_that_are_off_are_told_of_until_they_are_mended(house, logins):
    auditor = await house.person("ayu", Role.AUDITOR)
    async with house.machine.transaction() as tx:
        assert "calibration-off" not in await reminders.remind(tx)
    plant(logins, auditor.person, [*labelled(0.86, 0.60, 200), *labelled(0.95, 0.80, 200)])
    async with house.machine.transaction() as tx:
        assert "calibration-off" in await reminders.remind(tx)
        [notice] = await tx.rows("select kind, subject, detail from notice where kind = 'calibration-off'")
    assert "400 labels suffice" in sentence(notice, "en")
    async with house.people.transaction() as tx:
        await recalibrate(tx, auditor, "labels of May")
    async with house.machine.transaction() as tx:
        assert "calibration-off" not in await reminders.remind(tx)
        assert await tx.value("select count(*) from notice where kind = 'calibration-off' and closed_at is null") == 0

"""What is undone leaves the library as if it had never been claimed."""

from __future__ import annotations

import pytest
from tests.integration.stages.test_order import TARI_PIRING

from lumbung.errors import UsageError
from lumbung.governance.actions.review import retract_extractor, retract_source
from lumbung.governance.actions.undo import undo_batch
from lumbung.model.permission import ALL_SCOPES, OPERATOR_AT_THE_MACHINE, Actor, Role
from lumbung.store import batches

CURATOR = Actor(None, frozenset({(Role.CURATOR, ALL_SCOPES)}))
EARLIER, LATER = TARI_PIRING[:2], TARI_PIRING[2:]


async def brought(made, *runs):
    for number, pages in enumerate(runs):
        made.handlers["publish"]._run = f"run {number}"
        for each in pages:
            await made.add(*each)
        await made.run()


async def test_undoing_an_older_batch_removes_its_claims_alone(bench):
    async with bench() as made:
        await brought(made, EARLIER, LATER)
        async with made.people.transaction() as tx:
            oldest = min(row["id"] for row in await batches.listed(tx))
            await undo_batch(tx, OPERATOR_AT_THE_MACHINE, oldest, "a trial")
        await made.run()
        quoted = {
            source["url"] for entry in await made.export() for fact in entry["facts"] for source in fact["sources"]
        }
    assert quoted == {url for url, *_ in LATER}


async def test_a_fact_is_less_sure_once_one_of_its_sources_is_withdrawn(bench):
    async def confidence():
        async with made.people.transaction() as tx:
            sql = "select max(probability) as p from fact where attribute = 'fungsi' and value = 'hiburan rakyat'"
            return await tx.value(sql, {})

    async with bench() as made:
        await brought(made, TARI_PIRING[:3])
        sure = await confidence()
        async with made.people.transaction() as tx:
            assert await retract_source(tx, CURATOR, "b.wordpress.com", "a hoax") == 1
        await made.run()
        assert await confidence() < sure


async def test_what_one_extractor_version_read_leaves_and_what_others_read_stays(bench):
    async with bench() as made:
        await brought(made, TARI_PIRING[:3])
        before = await made.export()
        await made.add(*TARI_PIRING[3], extractor="test-2")
        await made.run()
        assert await made.export() != before
        async with made.people.transaction() as tx:
            assert await retract_extractor(tx, CURATOR, "test-2", "it mixed up names") == 1
            with pytest.raises(UsageError):
                await retract_extractor(tx, CURATOR, "test-2", "again")
        await made.run()
        assert await made.export() == before

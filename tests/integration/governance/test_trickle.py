"""Trickle never passes N in any 24 hours, whatever the workers, kills and clocks."""

from __future__ import annotations

import asyncio
import select
import subprocess
import sys

import psycopg
import pytest

from lumbung.governance.actions.modes import emergency_stop
from lumbung.governance.actions.undo import undo_batch
from lumbung.governance.steward.trickle import release
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, Role
from lumbung.store import batches, entries

HELD = 40


@pytest.fixture
async def trickling(house, logins):
    """A category in trickle with many held entries."""
    cast = await house.cast()
    await house.ratified(cast)
    await house.raised(cast, "tarian", "trickle")
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(
            "insert into entry (identity, owner, status, category, title, name_key, digest) "
            "select 'e' || n, 'machine', 'held', 'tarian', 'Tari ' || n, 'tari ' || n, 'd' from generate_series(1, %s) n",
            (HELD,),
        )
        connection.execute(
            "insert into item (identity, category, content, digest) select identity, 'tarian', '{}', 'd' from entry where digest = 'd'"
        )
    house.cast_now = cast
    return house


async def count(house, status):
    async with house.people.transaction() as tx:
        return await tx.value(
            "select count(*) from entry where status = %(status)s and owner = 'machine'", {"status": status}
        )


async def released(house):
    async with house.machine.transaction() as tx:
        return await release(tx)


async def test_what_passes_in_trickle_is_held_until_it_is_drawn(trickling):
    assert await count(trickling, "held") == HELD
    assert len(await released(trickling)) == 20
    assert await count(trickling, "published") == 20


async def test_sixteen_stewards_at_once_release_no_more_than_one_would(trickling):
    found = await asyncio.gather(*(released(trickling) for _ in range(16)))
    assert sum(len(each) for each in found) == 20
    assert await count(trickling, "published") == 20
    assert await released(trickling) == []


async def test_a_steward_that_dies_before_its_commit_has_released_nothing(trickling):
    with pytest.raises(RuntimeError):
        async with trickling.machine.transaction() as tx:
            assert len(await release(tx)) == 20
            raise RuntimeError
    assert await count(trickling, "published") == 0
    assert len(await released(trickling)) == 20


STEWARD = """
import asyncio, sys
from lumbung.governance.steward.trickle import release
from lumbung.store.database import Database

async def run():
    database = Database(sys.argv[1], size=1)
    await database.open()
    async with database.transaction() as tx:
        print(len(await release(tx)), flush=True)
        sys.stdin.readline()
    await database.close()

asyncio.run(run())
"""


def test_stewards_killed_between_the_draw_and_the_commit_leave_the_day_as_it_was(trickling, logins):
    """Four real processes: whoever holds the draw is killed, twice; the third commits, and nothing is left for the last."""
    stewards = [
        subprocess.Popen(
            [sys.executable, "-c", STEWARD, logins.machine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    drawn = []
    try:
        for last_act in ("kill", "kill", "commit", "commit"):
            ready, _, _ = select.select([each.stdout for each in stewards], [], [], 60)
            holder = next(each for each in stewards if each.stdout in ready)
            drawn.append(int(holder.stdout.readline()))
            stewards.remove(holder)
            if last_act == "kill":
                holder.kill()
            holder.communicate("\n" if last_act == "commit" else None)
    finally:
        for each in stewards:
            each.kill()
            each.communicate()
    assert drawn == [20, 20, 20, 0]
    with psycopg.connect(logins.superuser) as connection:
        assert connection.execute("select count(*) from entry where status = 'published'").fetchone() == (20,)


async def test_the_day_slides_on_the_database_s_own_clock(trickling, logins):
    await released(trickling)

    def advance(hours):
        with psycopg.connect(logins.superuser, autocommit=True) as connection:
            connection.execute("update clock set logical = logical + make_interval(hours => %s)", (hours,))

    advance(23)
    assert await released(trickling) == []
    advance(-23 - 5)
    assert await released(trickling) == []
    advance(5 + 25)
    assert len(await released(trickling)) == HELD - 20


async def test_a_release_survives_the_next_publication_of_its_item(trickling):
    async with trickling.machine.transaction() as tx:
        await tx.run("delete from item where digest = 'd'")
    for name in "AB":
        await trickling.page(f"https://isi.ac.id/{name}", f"Tari {name}")
    await trickling.work()
    assert len(await released(trickling)) == 2
    await trickling.page("https://unand.ac.id/9", "Tari A", (("iringan", "talempong"),))
    await trickling.work()
    found = {row["title"]: row["status"] for row in await trickling.entries() if not row["identity"].startswith("e")}
    assert found == {"Tari A": "published", "Tari B": "published"}


async def test_undoing_a_release_holds_its_entries_again_and_chance_does_not_repeat_it(trickling, logins):
    first = await released(trickling)
    async with trickling.people.transaction() as tx:
        [batch] = [row["id"] for row in await batches.listed(tx) if row["run"].startswith("release:")]
        await tx.run("update entry set owner = 'human' where identity = %(identity)s", {"identity": first[0]})
        undone = await undo_batch(tx, OPERATOR_AT_THE_MACHINE, batch, "too early")
    assert (undone.candidates, undone.held, undone.left) == (0, sorted(first[1:]), [first[0]])
    assert await count(trickling, "published") == 0
    async with trickling.people.transaction() as tx:
        assert {(await entries.get(tx, each))["status"] for each in first[1:]} == {"held"}
        assert (await entries.revisions(tx, first[1]))[0]["note"] == f"batch {batch} undone: too early"
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("delete from trickle_release")
    second = await released(trickling)
    assert len(second) == HELD - 20
    assert not set(first) & set(second)
    async with trickling.people.transaction() as tx:
        [later] = [
            row["id"] for row in await batches.listed(tx) if row["run"].startswith("release:") and row["id"] != batch
        ]
        assert (await undo_batch(tx, OPERATOR_AT_THE_MACHINE, later, "again")).held == sorted(second)


async def test_an_emergency_stop_holds_releases_back_too(trickling):
    async with trickling.people.transaction() as tx:
        await emergency_stop(tx, trickling.cast_now[Role.GUARDIAN], "fire")
    assert await released(trickling) == []


async def test_the_same_entry_is_not_always_first(trickling):
    first = set()
    for _ in range(3):
        try:
            async with trickling.machine.transaction() as tx:
                first.add(tuple(await release(tx)))
                raise RuntimeError
        except RuntimeError:
            pass
    assert len(first) > 1

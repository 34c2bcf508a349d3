"""People's entries: their words stay theirs, whatever the machine does."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest

from lumbung.errors import PermissionRefused, StaleRead, UsageError
from lumbung.library.actions.contribute import create_entry, remove_entry, restore_entry, revert_entry, revise_entry
from lumbung.library.records import RecordReader
from lumbung.model.permission import ALL_SCOPES, Actor, Role
from lumbung.profiles.loader import load_profile
from lumbung.store import entries
from lumbung.store.database import Database
from lumbung.text.region import Gazetteer

PROFILE = load_profile("pdbi")
READER = RecordReader(PROFILE, Gazetteer(PROFILE))
CONTRIBUTOR = Actor(None, frozenset({(Role.CONTRIBUTOR, ALL_SCOPES)}))
MODERATOR = Actor(None, frozenset({(Role.MODERATOR, ALL_SCOPES)}))


def written(text="Tari Piring adalah tarian Minangkabau.", title="Tari Piring"):
    return READER.read({"title": title, "text": text, "category": "tarian", "regions": ["ID-SB"]})


@pytest.fixture
def people(logins):
    @asynccontextmanager
    async def opened():
        database = Database(logins.people)
        await database.open()
        try:
            async with database.transaction() as tx:
                yield tx
        finally:
            await database.close()

    return opened


async def test_an_entry_is_created_revised_and_reverted_with_its_history(people):
    async with people() as tx:
        identity = await create_entry(tx, CONTRIBUTOR, written())
        assert await revise_entry(tx, CONTRIBUTOR, identity, written("Versi kedua."), 1, "lebih jelas") == 2
        assert await revert_entry(tx, MODERATOR, identity, 1, "versi pertama benar") == 3
        held = await entries.get(tx, identity)
        assert held["body"] == "Tari Piring adalah tarian Minangkabau."
        assert [row["number"] for row in await entries.revisions(tx, identity)] == [3, 2, 1]


async def test_a_revision_over_somebody_elses_is_refused(people):
    async with people() as tx:
        identity = await create_entry(tx, CONTRIBUTOR, written())
        await revise_entry(tx, CONTRIBUTOR, identity, written("Versi kedua."), 1, "")
        with pytest.raises(StaleRead):
            await revise_entry(tx, CONTRIBUTOR, identity, written("Versi ketiga."), 1, "")


async def test_a_machine_entry_that_a_person_revises_becomes_theirs_and_keeps_its_facts(people):
    async with people() as tx:
        await tx.run(
            "insert into entry (identity, owner, status, category, title, name_key) values ('m', 'machine', 'published', 'tarian', 'Tari Piring', 'taripiring')"
        )
        await tx.run("insert into revision (entry, number, owner, content) values ('m', 1, 'machine', '{}')")
        await revise_entry(tx, CONTRIBUTOR, "m", written("Kata-kata manusia."), 1, "diperbaiki")
        held = await entries.get(tx, "m")
        assert (held["owner"], held["body"]) == ("human", "Kata-kata manusia.")


async def test_a_removed_entry_leaves_a_tombstone_with_its_reason_and_can_be_restored(people):
    async with people() as tx:
        identity = await create_entry(tx, CONTRIBUTOR, written())
        await remove_entry(tx, MODERATOR, identity, "permintaan komunitas")
        held = await entries.get(tx, identity)
        assert (held["status"], held["status_reason"]) == ("tombstone", "permintaan komunitas")
        with pytest.raises(UsageError):
            await revise_entry(tx, CONTRIBUTOR, identity, written("x"), held["revision"], "")
        await restore_entry(tx, MODERATOR, identity, "izin diberikan")
        assert (await entries.get(tx, identity))["status"] == "published"


async def test_roles_and_reasons_are_asked_for(people):
    async with people() as tx:
        identity = await create_entry(tx, CONTRIBUTOR, written())
        with pytest.raises(PermissionRefused):
            await remove_entry(tx, CONTRIBUTOR, identity, "x")
        with pytest.raises(UsageError):
            await remove_entry(tx, MODERATOR, identity, " ")
        with pytest.raises(PermissionRefused):
            await create_entry(tx, Actor(None), written(title="Tari Lilin"))


async def test_what_was_removed_comes_back_by_a_restoration_alone(people):
    async with people() as tx:
        identity = await create_entry(tx, CONTRIBUTOR, written())
        await revise_entry(tx, CONTRIBUTOR, identity, written("Versi kedua."), 1, "")
        await remove_entry(tx, MODERATOR, identity, "permintaan komunitas")
        for again in (
            revert_entry(tx, MODERATOR, identity, 1, "versi pertama"),
            revise_entry(tx, CONTRIBUTOR, identity, written("Versi ketiga."), 3, ""),
            remove_entry(tx, MODERATOR, identity, "sekali lagi"),
        ):
            with pytest.raises(UsageError, match="was removed"):
                await again
        assert (await entries.get(tx, identity))["status_reason"] == "permintaan komunitas"

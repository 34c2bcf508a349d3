"""One suite over every adapter of the library port, and the HTTP one over a wire that breaks."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from hashlib import sha256

import pytest
from tests.integration.library.conftest import PROFILE
from tests.integration.library.foreign import Foreign, foreign_library

from lumbung.errors import ContractError, PolicyRefused, StaleRead, TransientError
from lumbung.library.actions.contribute import remove_entry, revise_entry
from lumbung.library.embedded import EmbeddedLibrary
from lumbung.library.exports import STATUSES, canonical_export
from lumbung.library.records import RecordReader
from lumbung.model.permission import ALL_SCOPES, Actor, Role
from lumbung.ports.library import HumanOwned, LibraryEntry, LibraryFact, LibrarySource
from lumbung.stages.publish.remote import publish_entry, withdraw_entry
from lumbung.text.region import Gazetteer

READER = RecordReader(PROFILE, Gazetteer(PROFILE))
PEOPLE = Actor(None, frozenset({(Role.CONTRIBUTOR, ALL_SCOPES), (Role.MODERATOR, ALL_SCOPES)}))
RUNS = int(os.environ.get("FAULT_RUNS", "20"))
FIRST_SEED = int(os.environ.get("FAULT_SEED", "0"))


def source(url, quote):
    return LibrarySource(url, quote, sha256(url.encode()).hexdigest())


def entry(number=1, version=1):
    facts = [
        LibraryFact("fungsi", "hiburan rakyat", 0.95, None, (source("https://isi.ac.id/1", "sebagai hiburan rakyat"),))
    ]
    if version > 1:
        both = (source("https://a.go.id/2", "dibuat dari kayu"), source("https://isi.ac.id/1", "dibuat dari kayu"))
        facts.append(LibraryFact("bahan", f"kayu versi {version}", 0.9, "low-confidence", both))
    return LibraryEntry(
        f"tari{number}",
        f"Tari {number}",
        (f"Tarian {number}",),
        "tarian",
        ("ID-SB",),
        "ID-SB",
        f"Teks {number}, versi {version}.",
        tuple(facts),
    )


@pytest.fixture(params=["embedded", "http", "another make"])
def adapter(request, reference):
    from contextlib import asynccontextmanager

    @asynccontextmanager
    async def opened():
        if request.param == "another make":
            async with foreign_library() as made:
                yield made
            return
        async with reference() as served:
            if request.param == "embedded":
                yield served, EmbeddedLibrary(served.system.machine, PROFILE, "test")
            else:
                async with served.http() as library:
                    yield served, library

    return opened


async def by_people(served, number=1, text="Kata seorang warga.", remove=False):
    """A person takes the entry over, or removes it."""
    if isinstance(served, Foreign):
        await served.by_people(number, text, remove)
        return
    async with served.system.people.transaction() as tx:
        if remove:
            await remove_entry(tx, PEOPLE, f"tari{number}", "permintaan")
        else:
            row = await tx.row("select revision from entry where identity = %(i)s", {"i": f"tari{number}"})
            written = READER.read({"title": f"Tari {number}", "text": text, "category": "tarian"})
            await revise_entry(tx, PEOPLE, f"tari{number}", written, row["revision"], "")


async def exported(served):
    if isinstance(served, Foreign):
        return await served.exported()
    async with served.system.people.transaction() as tx:
        return await canonical_export(tx, STATUSES)


async def test_what_was_never_written_is_not_seen(adapter):
    async with adapter() as (_, library):
        assert await library.look("tari1") is None


async def test_an_entry_is_written_once_whatever_is_repeated(adapter):
    async with adapter() as (served, library):
        first = await library.write(entry(), None)
        assert (first.owner, first.removed) == ("machine", False)
        assert await library.look("tari1") == first
        assert await library.write(entry(), None) == first
        assert await library.write(entry(), first) == first
        found = await exported(served)
        assert [(each["title"], len(each["facts"])) for each in found] == [("Tari 1", 1)]


async def test_enriching_names_the_revision_that_was_seen(adapter):
    async with adapter() as (served, library):
        first = await library.write(entry(), None)
        second = await library.write(entry(version=2), first)
        assert second.revision != first.revision
        with pytest.raises(StaleRead):
            await library.write(entry(version=3), first)
        with pytest.raises(StaleRead):
            await library.write(entry(version=3), None)
        assert len((await exported(served))[0]["facts"]) == 2


async def test_what_people_own_or_removed_is_refused_on_every_path(adapter):
    async with adapter() as (served, library):
        first = await library.write(entry(), None)
        await by_people(served)
        before = await exported(served)
        taken = await library.look("tari1")
        assert (taken.owner, taken.removed) == ("human", False)
        for seen in (None, first, taken):
            with pytest.raises(HumanOwned):
                await library.write(entry(version=2), seen)
            if seen:
                with pytest.raises(HumanOwned):
                    await library.withdraw("tari1", seen, "x")
        assert await exported(served) == before
        await by_people(served, remove=True)
        gone = await library.look("tari1")
        assert (gone.owner, gone.removed) == ("human", True)
        with pytest.raises(HumanOwned):
            await library.write(entry(version=2), gone)


async def test_a_withdrawn_entry_can_come_back(adapter):
    async with adapter() as (served, library):
        first = await library.write(entry(), None)
        await library.withdraw("tari1", first, "its source is a hoax")
        assert (await library.look("tari1")).removed
        assert await exported(served) == []
        await library.write(entry(), await library.look("tari1"))
        assert len(await exported(served)) == 1


async def test_a_supplement_of_nothing_or_in_no_category_is_refused(adapter):
    async with adapter() as (_, library):
        for wrong in (replace(entry(), supplement_of="none"), replace(entry(), category="bukan")):
            with pytest.raises((ContractError, PolicyRefused)):
                await library.write(wrong, None)


async def test_publishing_supplements_what_a_person_took_over_since_we_looked(adapter):
    async with adapter() as (served, library):
        assert (await publish_entry(library, entry())).outcome == "written"
        await by_people(served)
        for _ in range(2):
            assert (await publish_entry(library, entry(version=2))).outcome == "supplemented"
        human, supplement = sorted(await exported(served), key=lambda each: each["owner"])
        assert (human["text"], human["owner"]) == ("Kata seorang warga.", "human")
        assert supplement["title"] == "Tari 1 — data pelengkap"
        assert human["supplements"] == [supplement["identity"]]
        await by_people(served, remove=True)
        assert (await publish_entry(library, entry(version=3))).outcome == "removed-by-people"


async def test_a_read_only_library_is_looked_at_and_never_written(reference):
    async with reference() as served, served.http(read_only=True) as library:
        assert (await publish_entry(library, entry())).outcome == "looked-only"
        with pytest.raises(PolicyRefused):
            await library.write(entry(), None)
        assert await exported(served) == []


async def test_what_the_list_in_force_guards_is_marked_and_no_sender_takes_a_mark_away(reference):
    async with reference() as served:
        library = EmbeddedLibrary(served.system.machine, PROFILE, "test")
        rite = replace(entry(2), title="Upacara Dua", category="ritual", facts=())
        await library.write(rite, None)
        await library.write(entry(1), None)
        async with served.system.people.transaction() as tx:
            marks = "select identity, sensitive from entry order by identity"
            assert await tx.rows(marks) == [
                {"identity": "tari1", "sensitive": False},
                {"identity": "tari2", "sensitive": True},
            ]
            await tx.run("update entry set sensitive = true where identity = 'tari1'")
        await library.write(entry(1, version=2), await library.look("tari1"))
        async with served.system.people.transaction() as tx:
            assert await tx.value("select sensitive from entry where identity = 'tari1'")


async def test_another_persons_token_does_not_open_the_publish_path(reference):
    async with reference() as served:
        from lumbung.store import people as people_store

        async with served.system.people.transaction() as tx:
            person = await people_store.add(tx, "sari", "Sari", None)
            await people_store.grant(tx, person, Role.MODERATOR, "*", None, None)
            served.token = await people_store.issue_token(tx, person, "t", ["*"])
        async with served.http() as library:
            with pytest.raises(PolicyRefused):
                await library.look("tari1")
            with pytest.raises(PolicyRefused):
                await library.write(entry(), None)


async def test_the_human_corpus_is_listed_through_the_same_port(reference):
    async with reference() as served, served.http() as library:
        async with served.system.people.transaction() as tx:
            from lumbung.library.actions.import_records import import_record
            from lumbung.model.permission import OPERATOR_AT_THE_MACHINE

            for number in range(3):
                written = READER.read(
                    {"title": f"Rumah {number}", "text": f"Isi {number}.", "category": "produk-arsitektur"}
                )
                await import_record(tx, OPERATOR_AT_THE_MACHINE, written)
        await library.write(entry(), None)
        found = [record async for record in library.records()]
        assert sorted((record["title"], record["text"]) for record in found) == [
            (f"Rumah {n}", f"Isi {n}.") for n in range(3)
        ]
        assert all(record["remote_id"] for record in found)


async def until_done(work, tries=60):
    """As the worker does: what is transient is tried again, after longer and longer waits."""
    for turn in range(tries):
        try:
            return await work()
        except TransientError:
            await asyncio.sleep(0.001 * turn**2)
    raise AssertionError("never done")


async def story(served, library):
    """Writes, enrichments, people's edits and removals, a withdrawal and a return."""
    for number in range(1, 6):
        await until_done(lambda number=number: publish_entry(library, entry(number)))
    await by_people(served, 2)
    await by_people(served, 3, remove=True)
    await until_done(lambda: withdraw_entry(library, "tari4", "tari4", "hoax"))
    for number in (1, 2, 3, 5):
        await until_done(lambda number=number: publish_entry(library, entry(number, version=2), f"tari{number}"))
    await until_done(lambda: publish_entry(library, entry(4, version=3)))


async def test_over_a_wire_that_breaks_the_library_is_the_fault_free_one(reference, faulty):
    async with reference() as served:
        async with served.http() as library:
            await story(served, library)
        expected = await exported(served)
        assert len(expected) == 6
        for seed in range(FIRST_SEED, FIRST_SEED + RUNS):
            await served.empty()
            async with faulty(served.address, seed) as (wire, address), served.http(address, 0.1) as library:
                await story(served, library)
            assert wire.injected, f"seed {seed} injected nothing"
            assert await exported(served) == expected, f"seed {seed}: {wire.injected}"

"""The funnel into a remote library over real HTTP: mirrored, recorded, and never over people's words."""

from __future__ import annotations

from contextlib import asynccontextmanager
from hashlib import sha256

import pytest
from tests.conftest import fresh_database
from tests.integration.library.conftest import reference  # noqa: F401
from tests.integration.library.test_port import PEOPLE, READER
from tests.integration.stages import test_order
from tests.integration.stages.test_order import PROFILE, Bench, page

from lumbung.library.exports import STATUSES, canonical_export
from lumbung.stages.publish.handler import PublishHandler
from lumbung.stages.publish.remote_handler import RemotePublishHandler
from lumbung.store.database import Database

PAGES = [
    page("https://isi.ac.id/3", "Tari Piring", [("fungsi", "hiburan rakyat"), ("makna", "ungkapan syukur atas panen")]),
    page("https://a.go.id/3", "Gong Kebyar", [("bahan", "perunggu")], category="alat-musik", regions=("ID-BA",)),
    page("https://c.example/4", "Tari Lilin", [("fungsi", "hiburan rakyat")]),
]


@pytest.fixture
def local(engines, template):
    @asynccontextmanager
    async def opened():
        with fresh_database(engines, template) as logins:
            machine, people = Database(logins.machine), Database(logins.people)
            await machine.open()
            await people.open()
            try:
                bench = Bench(machine, people)
                await bench.govern()
                yield bench
            finally:
                await machine.close()
                await people.close()

    return opened


class Killed(BaseException):
    """The process ends here: nobody may catch it."""


def dies_once():
    lives = iter([True])

    def passage(name):
        if name == "library.sent" and next(lives, False):
            raise Killed

    return passage


async def exported(people):
    async with people.transaction() as tx:
        return await canonical_export(tx, STATUSES)


@pytest.fixture(autouse=True)
def whole_digests(monkeypatch):
    """The bench takes the URL for a digest; the remote library wants a real one."""
    real = test_order.NewDocument
    monkeypatch.setattr(
        test_order,
        "NewDocument",
        lambda url, *rest: real(url, rest[0], rest[1], rest[2], sha256(url.encode()).hexdigest(), *rest[4:]),
    )


async def test_what_is_published_here_stands_there_and_a_persons_words_there_are_supplemented(reference, local):  # noqa: F811
    async with reference() as served, local() as bench, served.http() as library:
        bench.handlers["publish"] = RemotePublishHandler(PublishHandler(PROFILE, "test"), library, lambda _: None)
        for each in PAGES[:2]:
            await bench.add(*each)
        await bench.add(*PAGES[2])
        await bench.run()
        here = {entry["title"]: entry for entry in await exported(bench.people) if entry["status"] == "published"}
        there = {entry["title"]: entry for entry in await exported(served.system.people)}
        assert set(here) == set(there) == {"Tari Piring", "Gong Kebyar"}
        assert [fact["value"] for fact in there["Tari Piring"]["facts"]] == [
            fact["value"] for fact in here["Tari Piring"]["facts"]
        ]
        async with served.system.people.transaction() as tx:
            from lumbung.library.actions.contribute import revise_entry

            row = await tx.row("select identity, revision from entry where title = 'Tari Piring'")
            words = READER.read({"title": "Tari Piring", "text": "Kata warga.", "category": "tarian"})
            await revise_entry(tx, PEOPLE, row["identity"], words, row["revision"], "")
        await bench.add(
            *page("https://b.ac.id/9", "Tari Piring", [("fungsi", "hiburan rakyat"), ("iringan", "talempong")])
        )
        await bench.run()
        found = {entry["title"]: entry for entry in await exported(served.system.people)}
        assert (found["Tari Piring"]["owner"], found["Tari Piring"]["text"]) == ("human", "Kata warga.")
        assert {fact["attribute"] for fact in found["Tari Piring — data pelengkap"]["facts"]} >= {"iringan"}


async def test_a_worker_that_dies_after_the_remote_library_took_the_entry_writes_it_once(reference, local):  # noqa: F811
    async with reference() as served, local() as bench, served.http() as library:
        bench.handlers["publish"] = RemotePublishHandler(PublishHandler(PROFILE, "test"), library, dies_once())
        await bench.add(*PAGES[0])
        with pytest.raises(Killed):
            await bench.run()
        [sent] = await exported(served.system.people)
        assert await exported(bench.people) == []
        await bench.run()
        [here] = await exported(bench.people)
        assert await exported(served.system.people) == [sent]
        assert here["title"] == sent["title"] == "Tari Piring"
        async with bench.people.transaction() as tx:
            recorded = await tx.rows("select remote_id from publication where remote_id is not null")
        assert [row["remote_id"] for row in recorded] == [here["identity"]]

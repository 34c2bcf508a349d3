"""What holds of an archive in a folder and in object storage alike, also when its writer is killed."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from base64 import b32encode
from dataclasses import replace
from hashlib import sha1, sha256

import psycopg
import pytest
from tests.acceptance.system.program import START, Program
from tests.integration.archive.pages import (
    BODY,
    archived,
    body_of,
    cited,
    document,
    erase,
    fetched,
    problems,
    response,
    waiting,
)
from tests.integration.archive.shelf import OPERATOR, Shelf, shelf_of
from tests.integration.archive.storage import ACCESS_KEY, SECRET_KEY

from lumbung.archive.index import index_of
from lumbung.archive.object_store import ObjectStore
from lumbung.archive.objects import WarcObjects
from lumbung.archive.pictures import PictureObjects
from lumbung.archive.threaded import ThreadedArchive
from lumbung.errors import ContractError, EngineUnavailable, StaleRead
from lumbung.governance.steward.archiver import archive_once
from lumbung.governance.steward.unarchiving import clear_away, erase_once
from lumbung.runtime.failpoints import EXIT_CODE
from lumbung.store import documents
from lumbung.store.documents import PolicyAnswer


def pass_by(_: str) -> None:
    pass


async def test_a_record_is_read_back_by_its_archive_and_offset(shelf):
    archive = shelf.open()
    large = os.urandom(300_000)
    bodies = [BODY, large, b"", BODY + b"2"]
    await archive.next_archive()
    places = await archive.append([response(f"http://a.example/{n}", body) for n, body in enumerate(bodies)])
    assert [await archive.read(place.archive, place.offset) for place in places] == bodies
    kinds = [kind for kind, *_ in await shelf.records()]
    assert kinds == ["warcinfo", *["response", "request"] * 4]
    assert OPERATOR.encode() in (await shelf.records())[0][2]


async def test_what_is_not_there_is_told_in_a_sentence(shelf):
    archive = shelf.open()
    await archive.next_archive()
    [place] = await archive.append([response()])
    assert not await archive.holds("lumbung-999999.warc.gz")
    for offset in (10_000_000, place.offset + 3):
        with pytest.raises(ContractError) as raised:
            await archive.read(place.archive, offset)
        assert "\n" not in str(raised.value)
    with pytest.raises(StaleRead):
        await archive.read("lumbung-999999.warc.gz", 0)
    await archive.remove("lumbung-999999.warc.gz")
    assert await archive.names() == [place.archive]


async def test_the_index_names_offset_length_and_digest_of_each_capture(shelf):
    archive = shelf.open()
    await archive.next_archive()
    places = await archive.append([response("http://www.a.example/b"), response("http://www.a.example/A?b=1")])
    first, second = await shelf.index_lines()
    assert first.startswith("example,a)/a?b=1 20260102030405 {")
    for line, place in ((first, places[1]), (second, places[0])):
        assert f'"offset": "{place.offset}"' in line
        assert f'"digest": "{place.payload_digest}"' in line
        assert f'"filename": "{place.archive}"' in line


async def test_archives_are_bounded_and_none_is_lost(shelf, database):
    archive = shelf.open(largest_bytes=2000)
    async with database.transaction() as tx:
        for number in range(6):
            await documents.add(tx, document(f"http://a.example/{number}", os.urandom(1500)))
        await documents.add_robots(
            tx, PolicyAnswer("a.example", "http://a.example/robots.txt", 200, [], [], b"Disallow:", None)
        )
    await archived(database, archive)
    assert await waiting(database) == 0
    assert await problems(database, archive) == []
    assert len([kind for kind, *_ in await shelf.records() if kind == "response"]) == 7
    assert await cited(database) == await archive.names()


async def test_bodies_become_places_and_the_same_payload_a_revisit(shelf, database):
    archive = shelf.open()
    await fetched(database, "a1", "b")
    await archived(database, archive)
    await fetched(database, "a2")
    await archived(database, archive)
    assert (await waiting(database), await problems(database, archive)) == (0, [])
    kinds = [kind for kind, *_ in await shelf.records()]
    assert (kinds.count("response"), kinds.count("revisit")) == (2, 1)


async def test_the_payload_is_named_by_the_digest_it_had_when_it_was_fetched(shelf, database):
    archive = shelf.open()
    wire = gzip.compress(body_of("b"))
    async with database.transaction() as tx:
        await documents.add(tx, document("http://a.example/a", body_of("a")))
        packed = [("Content-Encoding", "gzip")]
        await documents.add(tx, replace(document("http://a.example/b", body_of("b")), wire=wire, headers=packed))
    await archived(database, archive)
    digests = {
        headers.get_header("WARC-Target-URI"): headers.get_header("WARC-Payload-Digest")
        for kind, headers, _ in await shelf.records()
        if kind == "response"
    }
    assert digests == {
        "http://a.example/a": f"sha256:{sha256(body_of('a')).hexdigest()}",
        "http://a.example/b": f"sha256:{sha256(wire).hexdigest()}",
    }
    assert await problems(database, archive) == []


async def test_a_payload_of_an_older_archive_is_known_again(shelf, database):
    """Earlier versions named payloads by SHA-1."""
    archive = shelf.open()
    await fetched(database, "a1")
    await archived(database, archive)
    older = f"sha1:{b32encode(sha1(body_of('a'), usedforsecurity=False).digest()).decode()}"
    async with database.transaction() as tx:
        await tx.run("update document set payload_digest = %(digest)s", {"digest": older})
    await fetched(database, "a2")
    await archived(database, archive)
    [digest] = [
        headers.get_header("WARC-Payload-Digest") for kind, headers, _ in await shelf.records() if kind == "revisit"
    ]
    assert (digest, await problems(database, archive)) == (older, [])


async def test_a_record_that_is_not_what_was_fetched_is_found(shelf, database, logins):
    archive = shelf.open()
    numbers = await fetched(database, "a", "b")
    await archived(database, archive)
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("update document set digest = repeat('0', 64) where id = %s", (numbers["a"],))
    [told] = await problems(database, archive)
    assert told.startswith("http://a.example/a: ")
    for name in await archive.names():
        await archive.remove(name)
    assert len(await problems(database, archive)) == 2


async def test_an_erased_page_is_nowhere_and_the_others_verify(shelf, database):
    archive = shelf.open()
    numbers = await fetched(database, "a", "b", "c")
    await archived(database, archive)
    await erase(database, numbers["b"])
    assert await erase_once(database, archive, pass_by) == 1
    assert await problems(database, archive) == []
    records = await shelf.records()
    assert not any(b"Isi b" in content for *_, content in records)
    assert [headers.get_header("WARC-Target-URI") for kind, headers, _ in records if kind == "metadata"] == [
        "http://a.example/b"
    ]
    assert [line.split()[0] for line in await shelf.index_lines()] == ["example,a)/a", "example,a)/c"]
    assert await cited(database) == await archive.names()
    await fetched(database, "d")
    await archived(database, archive)
    assert (await problems(database, archive), await erase_once(database, archive, pass_by)) == ([], 0)


async def test_a_record_that_another_page_is_cited_by_stays_with_it(shelf, database):
    archive = shelf.open()
    numbers = await fetched(database, "a1")
    await archived(database, archive)
    numbers |= await fetched(database, "a2")
    await archived(database, archive)
    await erase(database, numbers["a1"])
    assert await erase_once(database, archive, pass_by) == 0
    assert await problems(database, archive) == []
    await erase(database, numbers["a2"])
    assert await erase_once(database, archive, pass_by) == 1
    assert not any(b"Isi a" in content for *_, content in await shelf.records())


async def test_a_page_that_turns_out_to_mirror_an_encyclopaedia_leaves_the_archive(shelf, database):
    archive = shelf.open()
    numbers = await fetched(database, "a", "b")
    await archived(database, archive)
    async with database.transaction() as tx:
        await documents.become_encyclopaedia(tx, numbers["a"])
    assert await erase_once(database, archive, pass_by) == 1
    assert not any(b"Isi a" in content for *_, content in await shelf.records())
    assert await problems(database, archive) == []


class MeanwhileErased(ThreadedArchive):
    """While the archive is slow, somebody erases a page."""

    def __init__(self, shelf: Shelf, database, number: int) -> None:
        super().__init__(shelf.open()._store)
        self._database = database
        self._number = number

    async def append(self, responses):
        places = await super().append(responses)
        await erase(self._database, self._number)
        return places


async def test_a_page_erased_while_its_record_is_written_waits_for_nobody_and_leaves_again(shelf, database):
    numbers = await fetched(database, "a", "b")
    archive = MeanwhileErased(shelf, database, numbers["b"])
    assert await archive_once(database, archive, pass_by) == 2
    async with database.transaction() as tx:
        loaded = await documents.load(tx, list(numbers.values()))
    assert (loaded[numbers["b"]].archive, loaded[numbers["b"]].body) == (None, None)
    assert await erase_once(database, archive, pass_by) == 1
    assert not any(b"Isi b" in content for *_, content in await shelf.records())
    assert await problems(database, archive) == []


def run_writer(logins, shelf: Shelf, failpoint: str) -> int:
    environment = os.environ | shelf.environment | {"LUMBUNG_FAILPOINTS": f"{failpoint}=1"}
    command = [sys.executable, "-m", "tests.integration.archive.writer", logins.machine]
    return subprocess.run(command, env=environment, timeout=60, check=False).returncode


@pytest.mark.parametrize("failpoint", ["archive.announced", "archive.written", "archive.recorded"])
async def test_a_writer_killed_while_archiving_loses_no_page_and_cites_none_twice(shelf, database, logins, failpoint):
    numbers = await fetched(database, "a", "b", "c")
    if failpoint == "archive.announced" and shelf.objects is None:
        assert run_writer(logins, shelf, failpoint) == 0, "a file that is added to is not announced"
    else:
        assert run_writer(logins, shelf, failpoint) == EXIT_CODE
        assert await waiting(database) == (0 if failpoint == "archive.recorded" else 3)
    archive = shelf.open()
    await clear_away(database, archive)
    await archived(database, archive)
    assert (await waiting(database), await problems(database, archive)) == (0, [])
    async with database.transaction() as tx:
        for name, found in zip(numbers, (await documents.load(tx, list(numbers.values()))).values(), strict=True):
            assert await archive.read(found.archive, found.archive_offset) == body_of(name)
    assert await cited(database) == await archive.names()
    await erase(database, numbers["b"])
    await erase_once(database, archive, pass_by)
    assert not any(b"Isi b" in content for *_, content in await shelf.records())


@pytest.mark.parametrize("failpoint", ["archive.rewritten", "archive.moved"])
async def test_a_writer_killed_while_erasing_loses_nothing_else_and_leaves_nothing(shelf, database, logins, failpoint):
    archive = shelf.open()
    numbers = await fetched(database, "a", "b", "c")
    await archived(database, archive)
    await erase(database, numbers["b"])
    assert run_writer(logins, shelf, failpoint) == EXIT_CODE
    assert await problems(database, archive) == []
    assert len(await archive.names()) == 2
    await clear_away(database, archive)
    assert await problems(database, archive) == []
    await erase_once(database, archive, pass_by)
    assert not any(b"Isi b" in content for *_, content in await shelf.records())
    [name] = await archive.names()
    assert (shelf.files(), await cited(database)) == (sorted([name, index_of(name)]), [name])


async def test_a_writer_given_up_for_dead_that_comes_late_leaves_nothing_that_is_cited(object_server, database):
    store = ObjectStore(object_server.bucket(), "warc")
    late = WarcObjects(store, OPERATOR)
    name = late.next_archive()
    await documents.announce(database, name)
    archive = ThreadedArchive(WarcObjects(store, OPERATOR))
    await fetched(database, "a")
    await clear_away(database, archive)
    await archived(database, archive)
    late.append([response()])
    assert await problems(database, archive) == []
    await clear_away(database, archive)
    assert await archive.names() == await cited(database)


async def test_an_outage_keeps_the_pages_where_they_are_and_names_no_key(object_server, database):
    await fetched(database, "a", "b")
    nobody = object_server.bucket()
    told = []
    for bucket in (object_server.bucket(secret="salah"), replace(nobody, endpoint="http://127.0.0.1:9")):
        archive = ThreadedArchive(WarcObjects(ObjectStore(bucket, "warc"), OPERATOR))
        with pytest.raises(EngineUnavailable) as raised:
            await archive_once(database, archive, pass_by)
        told.append(str(raised.value))
        assert raised.value.__cause__ is None
    assert "403" in told[0]
    assert "does not answer" in told[1]
    assert not any(key in each for each in [*told, repr(nobody)] for key in (ACCESS_KEY, SECRET_KEY))
    assert await waiting(database) == 2


async def test_an_archive_in_a_folder_moves_into_object_storage_as_it_is(object_server, database, tmp_path):
    numbers = await fetched(database, "a", "b", "c")
    await archived(database, Shelf({"LUMBUNG_ARCHIVE_DIR": str(tmp_path)}).open())
    shelf = shelf_of(object_server.bucket())
    for file in tmp_path.iterdir():
        shelf.objects.put(file.name, file.read_bytes())
    archive = shelf.open()
    assert await problems(database, archive) == []
    await erase(database, numbers["b"])
    assert await erase_once(database, archive, pass_by) == 1
    await fetched(database, "d")
    await archived(database, archive)
    assert (await problems(database, archive), len(await archive.names())) == ([], 2)


async def test_pictures_are_kept_by_their_digest(object_server):
    shelf = PictureObjects(ObjectStore(object_server.bucket(), "pictures"))
    await shelf.keep("ab12", b"gambar")
    await shelf.keep("ab12", b"gambar")
    assert (await shelf.read("ab12"), await shelf.read("cd34")) == (b"gambar", None)


def machine(folder, logins, shelf, engines) -> Program:
    """A machine that has nothing of the others' but addresses and keys."""
    (folder / "data").mkdir(parents=True)
    addresses = {
        "HOME": str(folder),
        "LUMBUNG_DATABASE_URL": logins.people,
        "LUMBUNG_DATABASE_MACHINE_URL": logins.machine,
        "LUMBUNG_DATABASE_OWNER_URL": logins.owner,
        "LUMBUNG_NATS_URL": engines.nats_url,
    }
    return Program(folder / "data", addresses | shelf.environment)


async def test_another_machine_verifies_and_exports_what_this_one_archived(
    object_server, database, logins, engines, tmp_path
):
    shelf = shelf_of(object_server.bucket())
    await fetched(database, "a", "b")
    await archived(database, shelf.open())
    other = machine(tmp_path / "other", logins, shelf, engines)
    assert other.records("verify", "--json")[-1]["ok"]
    exported = subprocess.run(
        [*START, "export", "--format", "warc"],
        env=other._environment(), cwd=tmp_path, capture_output=True, timeout=60, check=True,
    ).stdout  # fmt: skip
    archive = shelf.open()
    [name] = await archive.names()
    assert exported == b"".join([block async for block in archive.content(name)])

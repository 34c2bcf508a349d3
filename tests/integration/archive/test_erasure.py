"""Records that must go leave the archive, and everything else is still found where the database says."""

from __future__ import annotations

import pytest
from tests.integration.archive.test_warc import BODY, records, response

from lumbung.archive.erasure import members, rewrite_without
from lumbung.archive.folder import FolderArchive
from lumbung.archive.index import all_lines
from lumbung.archive.warc import WarcFolder
from lumbung.governance.steward.archiver import LOCK, archive_once, verify_archive
from lumbung.governance.steward.unarchiving import clear_away, erase_once
from lumbung.store import documents
from lumbung.store.database import Database
from lumbung.store.documents import NewDocument


def test_a_rewritten_file_has_everything_but_the_record_and_its_request(tmp_path):
    folder = WarcFolder(tmp_path, "budaya@example.org")
    places = folder.append([response(f"http://a.example/{name}", BODY + name.encode()) for name in "xyz"])
    written = rewrite_without(tmp_path, places[1].archive, {places[1].offset})
    found = records(tmp_path / written.archive)
    assert [kind for kind, *_ in found] == ["warcinfo", "response", "request", "metadata", "response", "request"]
    assert not any(BODY + b"y" in content for *_, content in found)
    assert found[3][1].get_header("WARC-Target-URI") == "http://a.example/y"
    archive = FolderArchive(tmp_path)
    for place, name in ((places[0], b"x"), (places[2], b"z")):
        assert archive.payload(written.archive, written.offsets[place.offset]) == BODY + name


def test_the_members_of_a_file_are_all_of_it_but_a_torn_tail(tmp_path):
    [place] = WarcFolder(tmp_path, "budaya@example.org").append([response()])
    file = tmp_path / place.archive
    whole = file.read_bytes()
    assert b"".join(record for _, record in members(file)) == whole
    file.write_bytes(whole + whole[:40])
    assert b"".join(record for _, record in members(file)) == whole


@pytest.fixture
async def database(logins):
    opened = Database(logins.machine, size=2)
    await opened.open()
    yield opened
    await opened.close()


async def keep(database, folder, *names):
    numbers = {}
    async with database.transaction() as tx:
        for name in names:
            url, body = f"http://a.example/{name}", f"Isi {name[0]}".encode() * 40
            from hashlib import sha256

            kept = NewDocument(
                url, url, "a.example", "a.example", sha256(body).hexdigest(), 200, "text/html", [], [], body, "item"
            )
            numbers[name] = await documents.add(tx, kept)
    while await archive_once(database, folder, lambda _: None):
        pass
    return numbers


async def problems(database, folder):
    async with database.transaction() as tx:
        return await verify_archive(tx, folder.folder)


async def test_an_erased_page_is_nowhere_and_the_others_verify(database, tmp_path):
    folder = WarcFolder(tmp_path, "budaya@example.org")
    numbers = await keep(database, folder, "a", "b", "c")
    async with database.transaction() as tx:
        assert await documents.erase_text(tx, numbers["b"], "the site's owner asked")
    assert await erase_once(database, tmp_path, LOCK, lambda _: None) == 1
    assert await problems(database, folder) == []
    [file] = tmp_path.glob("*.warc.gz")
    assert not any(b"Isi b" in content for *_, content in records(file))
    assert [line.split()[0] for line in all_lines(tmp_path)] == ["example,a)/a", "example,a)/c"]
    await keep(database, folder, "d")
    assert await problems(database, folder) == []
    assert await erase_once(database, tmp_path, LOCK, lambda _: None) == 0


async def test_a_record_that_another_page_is_cited_by_stays_with_it(database, tmp_path):
    folder = WarcFolder(tmp_path, "budaya@example.org")
    numbers = await keep(database, folder, "a1")
    numbers |= await keep(database, folder, "a2")
    async with database.transaction() as tx:
        await documents.erase_text(tx, numbers["a1"], "taken down")
    assert await erase_once(database, tmp_path, LOCK, lambda _: None) == 0
    assert await problems(database, folder) == []
    async with database.transaction() as tx:
        await documents.erase_text(tx, numbers["a2"], "taken down")
    assert await erase_once(database, tmp_path, LOCK, lambda _: None) == 1
    assert not any(b"Isi a" in content for file in tmp_path.glob("*.warc.gz") for *_, content in records(file))


class Killed(Exception):
    pass


@pytest.mark.parametrize("point", ["archive.rewritten", "archive.moved"])
async def test_a_kill_between_the_steps_loses_nothing_and_leaves_nothing(database, tmp_path, point):
    folder = WarcFolder(tmp_path, "budaya@example.org")
    numbers = await keep(database, folder, "a", "b", "c")
    async with database.transaction() as tx:
        await documents.erase_text(tx, numbers["b"], "taken down")

    def kill(name):
        if name == point:
            raise Killed

    with pytest.raises(Killed):
        await erase_once(database, tmp_path, LOCK, kill)
    await clear_away(database, tmp_path, LOCK)
    assert await problems(database, folder) == []
    await erase_once(database, tmp_path, LOCK, lambda _: None)
    await clear_away(database, tmp_path, LOCK)
    assert await problems(database, folder) == []
    [file] = tmp_path.glob("*.warc.gz")
    assert not any(b"Isi b" in content for *_, content in records(file))

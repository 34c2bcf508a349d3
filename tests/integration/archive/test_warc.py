"""The archive in a folder: readable by others, cited by offset and digest, whole again after a writer that was killed."""

from __future__ import annotations

import gzip
import io
from hashlib import sha256

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from tests.integration.archive.pages import AT, BODY, response
from warcio.archiveiterator import ArchiveIterator

from lumbung.archive.index import index_of
from lumbung.archive.threaded import ThreadedArchive
from lumbung.archive.warc import WarcFolder
from lumbung.governance.steward.archiver import archive_once, verify_archive
from lumbung.ports.archive import Original
from lumbung.store import documents
from lumbung.store.database import Database
from lumbung.store.documents import NewDocument, PolicyAnswer


def records(file):
    with file.open("rb") as stream:
        return [
            (record.rec_type, record.rec_headers, record.http_headers, record.content_stream().read())
            for record in ArchiveIterator(stream, check_digests="raise")
        ]


def test_both_readers_read_every_record_and_the_digests_hold(tmp_path):
    folder = WarcFolder(tmp_path, "budaya@example.org")
    packed = gzip.compress(BODY)
    plain, encoded = folder.append(
        [response(), response("http://a.example/y", packed, headers=[("Content-Encoding", "gzip")], encoded=True)]
    )
    [info, first, request, second, _] = records(tmp_path / plain.archive)
    assert (info[0], b"budaya@example.org" in info[3], b"robots: obey" in info[3]) == ("warcinfo", True, True)
    assert (first[0], first[3]) == ("response", BODY)
    assert first[2].get_header("X-Archive-Orig-Transfer-Encoding") == "chunked"
    assert first[2].get_header("X-Palsu") is None
    assert (request[0], request[1].get_header("WARC-Concurrent-To")) == (
        "request",
        first[1].get_header("WARC-Record-ID"),
    )
    assert second[3] == BODY
    with (tmp_path / plain.archive).open("rb") as stream:
        fast = list(FastIterator(stream, verify_digests=True))
    assert len(fast) == 5
    assert [folder.payload(place.archive, place.offset) for place in (plain, encoded)] == [BODY, BODY]


def test_the_answer_stands_in_the_record_byte_for_byte(tmp_path):
    """Each byte of a header is kept as one character; what an older installation kept as text is written as text."""
    folder = WarcFolder(tmp_path, "x")
    kept = [("X-Satu", "caf\xe9"), ("X-Dua", "\xc3\xa9")]
    [exact, older] = folder.append(
        [response(headers=kept, status_line="HTTP/1.0 200 Bukan \xe9"), response(headers=[("X", "ꦧꦠꦶꦏ\xe9")])]
    )
    with (tmp_path / exact.archive).open("rb") as stream:
        heads = []
        for place in (exact, older):
            stream.seek(place.offset)
            heads.append(next(iter(FastIterator(stream, parse_http=False))).reader.read().partition(b"\r\n\r\n")[0])
    assert heads[0] == b"HTTP/1.0 200 Bukan \xe9\r\nX-Satu: caf\xe9\r\nX-Dua: \xc3\xa9"
    assert heads[1] == "HTTP/1.1 200 OK\r\nX: ꦧꦠꦶꦏé".encode()


@pytest.mark.parametrize("torn", [1, 20, 300])
def test_a_torn_tail_is_cut_and_writing_goes_on(tmp_path, torn):
    folder = WarcFolder(tmp_path, "x")
    [kept] = folder.append([response()])
    file = tmp_path / kept.archive
    whole = file.stat().st_size
    folder.append([response("http://a.example/y", bytes(range(256)) * 40)])
    with file.open("r+b") as stream:
        stream.truncate(whole + torn)
    [again] = WarcFolder(tmp_path, "x").append([response("http://a.example/z")])
    assert again.offset == whole
    assert [kind for kind, *_ in records(file)] == ["warcinfo", "response", "request", "response", "request"]
    lines = (tmp_path / index_of(file.name)).read_text(encoding="utf-8").splitlines()
    assert [line.split(" ")[0] for line in lines] == ["example,a)/x", "example,a)/z"]


def test_a_file_that_is_full_is_closed_and_the_next_begun(tmp_path):
    folder = WarcFolder(tmp_path, "x", largest_bytes=500)
    places = [folder.append([response(f"http://a.example/{number}")])[0] for number in range(3)]
    assert [place.archive for place in places] == [f"lumbung-{number:06d}.warc.gz" for number in range(3)]
    assert all(records(tmp_path / place.archive)[0][0] == "warcinfo" for place in places)


def test_a_payload_that_came_again_is_a_revisit_and_a_cut_one_says_so(tmp_path):
    folder = WarcFolder(tmp_path, "x")
    [place] = folder.append([response(original=Original("http://b.example/", AT), truncated="body-cut")])
    headers = next(record[1] for record in records(tmp_path / place.archive) if record[0] == "revisit")
    assert headers.get_header("WARC-Profile").endswith("identical-payload-digest")
    assert headers.get_header("WARC-Refers-To-Target-URI") == "http://b.example/"
    assert headers.get_header("WARC-Truncated") == "length"


async def test_the_archiver_replaces_bodies_by_places_that_verify(tmp_path, logins):
    database = Database(logins.machine)
    await database.open()
    archive = ThreadedArchive(WarcFolder(tmp_path, "x"))
    try:
        async with database.transaction() as tx:
            for host in ("a.example", "b.example"):
                await documents.add(tx, document(f"http://{host}/x", host))
            await documents.add_robots(
                tx, PolicyAnswer("a.example", "http://a.example/robots.txt", 200, [], [], b"Disallow:", None)
            )
        assert await archive_once(database, archive, lambda _: None) == 3
        async with database.transaction() as tx:
            await documents.add(tx, document("http://c.example/x", "c.example"))
        await archive_once(database, archive, lambda _: None)
        async with database.transaction() as tx:
            rows = await tx.rows("select body, wire, archive, archive_offset from document order by id")
            assert await verify_archive(tx, archive) == []
            assert not await documents.archive_waits(tx)
            assert all(row["body"] is None and row["wire"] is None for row in rows)
            assert rows[2]["archive_offset"] == rows[0]["archive_offset"]
            file = tmp_path / rows[0]["archive"]
            kinds = [kind for kind, *_ in records(file)]
            assert (kinds.count("response"), kinds.count("revisit")) == (3, 1)
            content = bytearray(file.read_bytes())
            content[rows[1]["archive_offset"] + 40] ^= 0xFF
            file.write_bytes(content)
            assert len(await verify_archive(tx, archive)) == 1
    finally:
        await database.close()


def document(url, host):
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as stream:
        stream.write(BODY)
    return NewDocument(
        url, url, host, host, sha256(BODY).hexdigest(), 200, "text/html", [], [("Content-Encoding", "gzip")], BODY, "item",
        wire=packed.getvalue(),
    )  # fmt: skip

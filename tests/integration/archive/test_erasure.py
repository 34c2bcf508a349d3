"""An archive written anew has everything but the records that must go, and their copies."""

from __future__ import annotations

import io

from tests.integration.archive.pages import BODY, response
from tests.integration.archive.test_warc import records

from lumbung.archive.erasure import copy_without, members
from lumbung.archive.warc import WarcFolder


def test_a_rewritten_file_has_everything_but_the_record_and_its_request(tmp_path):
    folder = WarcFolder(tmp_path, "budaya@example.org")
    places = folder.append([response(f"http://a.example/{name}", BODY + name.encode()) for name in "xyz"])
    name = folder.next_name(places[1].archive)
    written = folder.rewrite_without(places[1].archive, {places[1].offset}, name)
    found = records(tmp_path / name)
    assert (written.archive, written.erased) == (name, 1)
    assert [kind for kind, *_ in found] == ["warcinfo", "response", "request", "metadata", "response", "request"]
    assert not any(BODY + b"y" in content for *_, content in found)
    assert found[3][1].get_header("WARC-Target-URI") == "http://a.example/y"
    for place, letter in ((places[0], b"x"), (places[2], b"z")):
        assert folder.payload(name, written.offsets[place.offset]) == BODY + letter


def test_the_copy_of_a_record_that_a_killed_writer_left_goes_with_it(tmp_path):
    folder = WarcFolder(tmp_path, "x")
    folder.append([response(), response("http://a.example/y")])
    kept, gone = folder.append([response(), response("http://a.example/y")])
    target = io.BytesIO()
    with (tmp_path / gone.archive).open("rb") as source:
        written = copy_without(source, {gone.offset}, target, "lain")
    assert written.erased == 2
    assert kept.offset in written.offsets
    assert b"".join(record for _, record in members(io.BytesIO(target.getvalue()))) == target.getvalue()


def test_the_members_of_a_file_are_all_of_it_but_a_torn_tail(tmp_path):
    [place] = WarcFolder(tmp_path, "budaya@example.org").append([response()])
    whole = (tmp_path / place.archive).read_bytes()
    for content in (whole, whole + whole[:40]):
        assert b"".join(record for _, record in members(io.BytesIO(content))) == whole

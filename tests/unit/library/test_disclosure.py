"""What leaves for others is the same on every way out: short quotes, pictures with their rights, nothing withheld."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

import pytest

from lumbung.library import tables
from lumbung.library.disclosure import public_record
from lumbung.library.linked_data import json_ld
from lumbung.profiles.loader import load_profile

PROFILE = load_profile("pdbi")
COPY = {"url": "https://a.example/p.jpg", "digest": "a" * 64, "licence": "CC-BY-4.0", "creator": "Sari"}
SOURCE = {"url": "https://a.example/", "quote": "kata " * 100, "page_length": 1000}
FACT = {"attribute": "fungsi", "value": "hiburan", "probability": 0.9, "flagged": True, "state": "published"}
ROW = {
    "identity": "e1", "title": "Tari", "aliases": [], "category": "tarian", "regions": ["ID-BA"], "owner": "machine",
    "status": "published", "revision": 1, "licence": None, "granted": None, "contributor": None, "labels": [], "sensitive": False, "hidden": False, "body": "Isi.",
    "media": [{"url": COPY["url"], "caption": "Penari"}], "files": [COPY], "supplement_of": None, "supplements": [],
    "updated_at": datetime(2026, 1, 1, tzinfo=UTC), "facts": [FACT | {"sources": [SOURCE]}],
}  # fmt: skip


def test_quotes_are_short_in_tables_too():
    [_, row] = csv.reader(io.StringIO(tables.header() + "".join(tables.lines(public_record(ROW)))))
    assert len(row[-1]) <= 100
    assert row[-1].endswith("…")


def test_words_of_people_stand_in_tables_beside_the_facts_that_they_took_over():
    own = public_record(ROW | {"owner": "human", "body": "Kata warga."})
    rows = list(csv.DictReader(io.StringIO(tables.header() + "".join(tables.lines(own)))))
    assert [(row["attribute"], row["value"]) for row in rows] == [("", "Kata warga."), ("fungsi", "hiburan")]


@pytest.mark.parametrize(("state", "flag"), [("waiting", "review"), ("published", "low-confidence")])
def test_what_still_waits_is_told(state, flag):
    fact = FACT | {"state": state, "sources": [SOURCE]}
    assert public_record(ROW | {"facts": [fact]})["facts"][0]["flag"] == flag


def test_a_copy_is_shown_with_its_caption_unless_the_entry_is_guarded():
    [picture] = json_ld(public_record(ROW), PROFILE, "https://b.example")["image"]
    assert (picture["caption"], picture["creditText"]) == ("Penari", "Sari")
    label = {"code": "x", "url": "https://a.example/", "text": "x", "community": "", "display": ["blur-media"]}
    for guarded in ({"sensitive": True}, {"hidden": True}, {"labels": [label]}):
        assert "image" not in json_ld(public_record(ROW | guarded), PROFILE, "https://b.example")


def test_files_of_people_are_told_by_address_or_name_unless_the_entry_is_hidden():
    own = ROW | {
        "owner": "human",
        "media": [],
        "files": ["https://a.example/x.pdf", "foto.jpg", {"url": "https://b.example/y.jpg", "caption": "Y"}],
    }
    told = public_record(own)["media"]
    assert [each.get("url") or each["name"] for each in told] == [
        "https://a.example/x.pdf",
        "foto.jpg",
        "https://b.example/y.jpg",
    ]
    assert public_record(own | {"hidden": True})["media"] == []
    assert {each["blurred"] for each in public_record(own | {"sensitive": True})["media"]} == {True}


def test_nobody_who_sends_a_file_speaks_for_the_library_s_own_copies():
    """An address that acts, or a copy that shows somebody else's picture, would stand on the page in our name."""
    claimed = {
        "url": "https://b.example/y.jpg",
        "caption": "Y",
        "digest": "b" * 64,
        "page": "javascript:alert(1)",
        "creator": {"a": 1},
    }
    acting = {"url": "java\tscript:alert(1)"}
    told = public_record(ROW | {"owner": "human", "media": [], "files": [claimed, acting]})["media"]
    assert told == [
        {"url": "https://b.example/y.jpg", "caption": "Y", "blurred": False},
        {"name": "java\tscript:alert(1)", "blurred": False},
    ]
    sent = public_record(ROW | {"media": [claimed], "files": []})["media"]
    assert sent == [{"url": "https://b.example/y.jpg", "caption": "Y", "blurred": False}]

from __future__ import annotations

import pytest

from lumbung.errors import UsageError
from lumbung.library.records import RecordReader
from lumbung.profiles.loader import load_profile
from lumbung.text.region import Gazetteer

PROFILE = load_profile("pdbi")
READER = RecordReader(PROFILE, Gazetteer(PROFILE))


def test_a_title_in_any_script_is_taken_as_it_is():
    for title in ("Tari Piring", "ꦮꦪꦁ", "Ma'nene'", "♪ Bungong Jeumpa"):
        assert READER.read({"title": title, "text": "Teks."}).title == title


@pytest.mark.parametrize("title", ["", " ", "\u200b", "\u202e\u2066", "Tari\nPiring", "Tari\x07", "x" * 501, "..."])
def test_a_title_that_nobody_could_read_is_refused_in_words(title):
    with pytest.raises(UsageError, match="title"):
        READER.read({"title": title, "text": "Teks."})


def test_files_are_names_or_web_addresses():
    files = ["foto.jpg", "https://a.example/x.jpg", "folder/tari 1.png", "Tari 1: awal.png"]
    assert READER.read({"title": "Tari", "text": "", "files": files}).files == files
    bad = (
        "javascript:alert(1)",
        " JavaScript:x",
        "data:text/html,x",
        "file:///etc/passwd",
        "java\tscript:x",
        "\x01java\nscript:x",
    )
    for file in (*bad, *({"url": each, "caption": "Foto"} for each in bad), {"caption": "Foto"}, 7, ["x.jpg"], None):
        with pytest.raises(UsageError, match="files"):
            READER.read({"title": "Tari", "text": "", "files": [file]})


@pytest.mark.parametrize("given", [[{"a": 1}], {"a": 1}, [["Tari"]], [None], [True]])
@pytest.mark.parametrize("field", ["aliases", "regions"])
def test_names_and_regions_that_are_no_texts_are_refused_in_words(field, given):
    with pytest.raises(UsageError, match=field):
        READER.read({"title": "Tari", "text": "", field: given})


@pytest.mark.parametrize("given", ["Piriang; Tari Piring", ["Piriang", "Tari Piring"]])
def test_other_names_are_a_list_or_parted_by_semicolons(given):
    assert READER.read({"title": "Tari Piring", "text": "", "aliases": given}).aliases == ["Piriang", "Tari Piring"]


def test_records_without_a_number_of_their_own_are_not_one_record():
    first, second = (READER.read({"title": title, "text": "", "remote_id": ""}) for title in ("Tari Piring", "Reog"))
    assert first.identity != second.identity
    assert first.remote_id is None


@pytest.mark.parametrize("field", ["remote_id", "revision", "updated_at", "licence"])
@pytest.mark.parametrize("given", [{"a": 1}, [1], True])
def test_a_mark_that_is_no_text_and_no_number_is_refused_in_words(field, given):
    with pytest.raises(UsageError, match=field):
        READER.read({"title": "Tari", "text": "", field: given})


def test_regions_that_nobody_knows_are_told_and_keep_no_record_out():
    record = {"title": "Tari", "text": "", "regions": "Bali; ID-ZZ; Planet Mars; ID-JB"}
    assert READER.read(record).regions == ["ID-BA", "ID-JB"]
    assert READER.unplaced(record) == ["ID-ZZ", "Planet Mars"]


@pytest.mark.parametrize("field", ["remote_id", "revision", "updated_at", "licence"])
def test_a_mark_of_endless_length_is_refused_in_words(field):
    with pytest.raises(UsageError, match=field):
        READER.read({"title": "Tari", "text": "", field: "9" * 5000})


def test_other_names_are_no_longer_than_titles():
    with pytest.raises(UsageError, match="aliases"):
        READER.read({"title": "Tari", "text": "", "aliases": ["x" * 501]})


def test_a_record_without_a_licence_has_the_corpus_s_own():
    reader = RecordReader(PROFILE, Gazetteer(PROFILE), licence="CC-BY-SA-4.0")
    assert reader.read({"title": "Tari", "text": ""}).licence == "CC-BY-SA-4.0"
    assert reader.read({"title": "Tari", "text": "", "licence": "CC0-1.0"}).licence == "CC0-1.0"


def test_what_is_refused_is_told_in_few_letters():
    with pytest.raises(UsageError, match="unknown category") as told:
        READER.read({"title": "Tari", "text": "", "category": "x" * 10_000_000})
    assert len(str(told.value)) < 1000

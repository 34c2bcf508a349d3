"""The public dump: whole, checked by its sums, the same bytes for the same library."""

from __future__ import annotations

import csv
import gzip
import json
from dataclasses import replace
from hashlib import sha256

import pytest

from lumbung.errors import UsageError
from lumbung.library.dump import FIELDS, DumpFacts, write_dump
from lumbung.profiles.loader import load_profile

PROFILE = load_profile("pdbi")
FACTS = DumpFacts(
    'Pustaka "Uji"',
    "2026-11-16",
    "2026.11.16",
    {"people": "CC-BY-4.0", "machine": None},
    "https://contoh.example/",
    {"versions": {"extractor": "x"}},
)


async def records():
    for number in range(3):
        yield {
            "identity": f"e{number}",
            "title": "=1+1",
            "category": "tarian",
            "regions": ["ID-SB", "ID-BA"],
            "owner": "human",
            "licence": None,
            "facts": [],
            "hidden": False,
            "labels": [{"code": "tk-a"}, {"code": "tk-ss"}] if number else [],
        }


async def test_a_dump_is_complete_and_its_sums_hold(tmp_path):
    assert await write_dump(tmp_path / "a", records(), PROFILE, FACTS) == 3
    files = {file.name for file in (tmp_path / "a").iterdir()}
    assert files == {
        "entries.jsonl.gz",
        "entries.csv",
        "data-dictionary.csv",
        "manifest.json",
        "CITATION.cff",
        "SHA256SUMS",
    }
    for line in (tmp_path / "a" / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert sha256((tmp_path / "a" / name).read_bytes()).hexdigest() == digest
    with gzip.open(tmp_path / "a" / "entries.jsonl.gz", "rt") as lines:
        assert [json.loads(line)["identity"] for line in lines] == ["e0", "e1", "e2"]
    manifest = json.loads((tmp_path / "a" / "manifest.json").read_text())
    assert (manifest["entries"], manifest["versions"]) == (3, {"extractor": "x"})
    with (tmp_path / "a" / "data-dictionary.csv").open(newline="") as table:
        codes = {row["code"] for row in csv.DictReader(table)}
    assert set(PROFILE.attributes) | set(PROFILE.categories) | {name for name, _ in FIELDS} <= codes
    with (tmp_path / "a" / "entries.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert all(not row["title"].startswith("=") for row in rows)
    assert [row["labels"] for row in rows] == ["", "tk-a; tk-ss", "tk-a; tk-ss"]


@pytest.mark.parametrize(
    ("licences", "told"),
    [
        ({"people": "CC-BY-4.0", "machine": "CC-BY-4.0"}, 'license: "CC-BY-4.0"'),
        ({"people": "CC-BY-4.0", "machine": "CC0-1.0"}, None),
        ({"people": "CC-BY-4.0", "machine": None}, None),
        ({"people": None, "machine": None}, None),
    ],
)
async def test_a_dump_claims_one_licence_only_where_all_of_it_has_that(tmp_path, licences, told):
    await write_dump(tmp_path / "a", records(), PROFILE, replace(FACTS, licences=licences))
    lines = (tmp_path / "a" / "CITATION.cff").read_text().splitlines()
    assert [line for line in lines if line.startswith("license")] == ([told] if told else [])
    manifest = json.loads((tmp_path / "a" / "manifest.json").read_text())
    assert manifest["licences"] == {whose: each or "none decided" for whose, each in licences.items()}


async def test_the_same_library_gives_the_same_bytes_and_a_full_folder_is_left_alone(tmp_path):
    for name in ("a", "b"):
        await write_dump(tmp_path / name, records(), PROFILE, FACTS)
    assert (tmp_path / "a" / "SHA256SUMS").read_text() == (tmp_path / "b" / "SHA256SUMS").read_text()
    with pytest.raises(UsageError):
        await write_dump(tmp_path / "a", records(), PROFILE, FACTS)

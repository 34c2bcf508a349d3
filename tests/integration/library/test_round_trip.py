"""The operator's export with its WARC, imported into an empty library, is the same library."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from tests.conftest import fresh_database
from tests.integration.stages.test_order import GAZETTEER, PROFILE, SENSITIVITY, Bench

from lumbung.archive.warc import WarcFolder
from lumbung.bootstrap import Addresses, LocalNames, System
from lumbung.cli.library import import_line, restore
from lumbung.config import Settings
from lumbung.errors import UsageError
from lumbung.governance.actions.undo import undo_batch
from lumbung.governance.installation import install
from lumbung.library.actions.contribute import remove_entry, revise_entry
from lumbung.library.actions.import_records import ImportReport, import_record
from lumbung.library.exports import STATUSES, exported
from lumbung.library.protocols import read_labels
from lumbung.library.records import RecordReader
from lumbung.model.candidate import Candidate, ExtractedFact
from lumbung.model.job import NewJob
from lumbung.model.permission import ALL_SCOPES, OPERATOR_AT_THE_MACHINE, Actor, Role
from lumbung.ports.archive import ArchivedResponse
from lumbung.stages.extract.drafts import draft
from lumbung.store import audits, batches, candidates, documents, entries, jobs
from lumbung.store.database import Database
from lumbung.store.documents import NewDocument
from lumbung.text.kinship import sketch
from lumbung.text.markup import CLEANER_VERSION, read_page
from lumbung.text.url import host_of, registrable_domain

PEOPLE = Actor(None, frozenset({(Role.CONTRIBUTOR, ALL_SCOPES), (Role.MODERATOR, ALL_SCOPES)}))
PAGES = [
    (
        "https://isi.ac.id/piring",
        "Tari Piring",
        "tarian",
        ("ID-SB",),
        [("fungsi", "hiburan rakyat"), ("makna", "ungkapan syukur atas panen")],
    ),
    ("https://a.blogspot.com/piring", "Tari Piring", "tarian", ("ID-SB",), [("fungsi", "hiburan rakyat")]),
    ("https://a.go.id/gong", "Gong Kebyar", "alat-musik", ("ID-BA",), [("bahan", "perunggu")]),
    ("https://b.go.id/lilin", "Tari Lilin", "tarian", (), [("fungsi", "penyambutan tamu")]),
    ("https://c.example/lilin", "Tari Zapin", "tarian", ("ID-RI",), [("fungsi", "dakwah")]),
    (
        "https://d.go.id/rendang",
        "Rendang",
        "makanan-minuman",
        ("ID-SB",),
        [("bahan", "daging sapi"), ("rasa", "gurih")],
    ),
    ("https://e.go.id/randai", "Randai", "seni-pertunjukan", ("ID-SB",), [("fungsi", "hiburan")]),
]
HUMANS = [
    {
        "title": "Rendang",
        "text": "Rendang adalah masakan daging sapi dari Minangkabau.",
        "category": "makanan-minuman",
        "regions": ["ID-SB"],
        "remote_id": "7",
    },
    {"title": "Tari Payung", "text": "Tari pergaulan.", "category": "tarian", "files": ["payung.jpg"]},
    {"title": "Dihapus", "text": "Sudah dihapus."},
]


def html(name, facts):
    rows = "".join(f"<p>{attribute}: {value}.</p>" for attribute, value in facts)
    return f"<html lang=id><head><title>{name}</title></head><body><main><h1>{name}</h1><p>Halaman tentang {name} dan asalnya.</p>{rows}</main></body></html>".encode()


async def add(bench, archived, url, name, category, regions, facts):
    body = html(name, facts)
    page = read_page(body, url)
    digest = sha256(body).hexdigest()
    found = []
    for attribute, value in facts:
        start = page.text.index(value)
        found.append(ExtractedFact(attribute, value, value, start, start + len(value), "ind", 0.9))
    candidate = Candidate(name, (f"{name} Lama",), category, regions, tuple(found), (), "lexical")
    host = host_of(url)
    async with bench.machine.transaction() as tx:
        number = await documents.add(
            tx, NewDocument(url, url, host, registrable_domain(host), digest, 200, "text/html", [], [], body, "item")
        )
        await documents.keep_reading(tx, number, page, sketch(page.text))
        await documents.keep_text(tx, number, CLEANER_VERSION, page)
        new = draft(candidate, 0, number, (url, digest), CLEANER_VERSION, "test", PROFILE, SENSITIVITY)
        await candidates.add(tx, new)
        await jobs.add(tx, [NewJob("encode", new.digest, {"node": new.digest})])
    archived.append(
        ArchivedResponse(
            url, 200, [("Content-Type", "text/html")], [], body, None, None, datetime(2026, 1, 1, tzinfo=UTC)
        )
    )


@pytest.fixture
def empty(engines, template):
    @asynccontextmanager
    async def made(folder):
        settings = Settings.model_validate({"data_dir": folder})
        with fresh_database(engines, template) as logins:
            machine, people = Database(logins.machine), Database(logins.people)
            await machine.open()
            await people.open()
            try:
                addresses = Addresses(None, logins.machine, logins.people, "")
                yield System(settings, addresses, machine, people, PROFILE, LocalNames())
            finally:
                await machine.close()
                await people.close()

    return made


async def library(opened, archived):
    bench = Bench(opened.machine, opened.people)
    await bench.govern()
    for record in HUMANS:
        await bench.human(record)
    for page in PAGES:
        await add(bench, archived, *page)
    await bench.run()
    reader = RecordReader(PROFILE, GAZETTEER)
    async with opened.people.transaction() as tx:
        rows = {row["title"]: row["identity"] async for row in exported(tx, STATUSES)}
        written = reader.read(
            {"title": "Gong Kebyar", "text": "Versi seorang warga.", "category": "alat-musik", "regions": ["ID-BA"]}
        )
        await revise_entry(tx, PEOPLE, rows["Gong Kebyar"], written, 1, "")
        await remove_entry(tx, PEOPLE, rows["Dihapus"], "permintaan")
        lines = [json.loads(json.dumps(record)) async for record in exported(tx, STATUSES)]
    return bench, lines


async def taken_in(opened, lines, archives):
    async with opened.people.transaction() as tx:
        await install(tx, PROFILE)
    report, reader = ImportReport(), RecordReader(PROFILE, GAZETTEER)
    kept = []
    for number, record in enumerate(lines, start=1):
        line = await import_line(opened, reader, number, record, report)
        if line is not None:
            kept.append((number, line))
    await restore(opened, kept, archives, "import of export.jsonl", report)
    return report


async def test_the_export_with_its_archive_gives_the_same_library_with_its_owners(empty, tmp_path):
    archived = []
    async with empty(tmp_path / "a") as first, empty(tmp_path / "b") as second:
        bench, lines = await library(first, archived)
        WarcFolder(tmp_path / "warc", "test").append(archived)
        archives = sorted((tmp_path / "warc").glob("*.warc.gz"))
        before = await bench.export()
        assert {(entry["owner"], entry["status"], bool(entry["facts"])) for entry in before} >= {
            ("human", "published", True),
            ("human", "published", False),
            ("human", "tombstone", False),
            ("machine", "published", True),
            ("machine", "review", True),
        }
        assert any(entry.get("supplement_of") for entry in before)
        report = await taken_in(second, lines, archives)
        assert report.errors == []
        again = Bench(second.machine, second.people)
        assert await again.export() == before
        repeated = await taken_in(second, lines, archives)
        assert (repeated.added, repeated.revised, repeated.errors) == (0, 0, [])
        assert await again.export() == before


async def test_labels_marks_history_and_licence_come_back_with_their_entries(empty, tmp_path):
    archived = []
    async with empty(tmp_path / "a") as first, empty(tmp_path / "b") as second:
        bench, _ = await library(first, archived)
        async with first.people.transaction() as tx:
            rows = {row["title"]: row["identity"] async for row in exported(tx, STATUSES)}
            for title, labels in (("Tari Piring", ["tk-a"]), ("Gong Kebyar", ["tk-ss", "tk-nc"])):
                await entries.set_labels(tx, rows[title], read_labels(labels))
            await tx.run("update entry set hidden = true where title = 'Tari Payung'")
            await tx.run("update entry set sensitive = true where title = 'Tari Lilin'")
            await tx.run(
                "update entry set contributor = 'Seorang Warga', licence = 'CC-BY-4.0' where title = 'Gong Kebyar'"
            )
            lines = [json.loads(json.dumps(record)) async for record in exported(tx, STATUSES)]
        WarcFolder(tmp_path / "warc", "test").append(archived)
        before = await bench.export()
        assert sum("labels" in entry for entry in before) == 2
        report = await taken_in(second, lines, sorted((tmp_path / "warc").glob("*.warc.gz")))
        assert report.errors == []
        assert await Bench(second.machine, second.people).export() == before
        async with second.people.transaction() as tx:
            again = [json.loads(json.dumps(record)) async for record in exported(tx, STATUSES)]
            [gong] = await tx.rows("select * from entry where title = 'Gong Kebyar'")
            told = await entries.revisions(tx, gong["identity"])
            assert await audits.changed_humans(tx) == []
        assert (gong["revision"], gong["licence"], gong["contributor"]) == (2, "CC-BY-4.0", None)
        assert [(row["number"], row["owner"]) for row in told] == [(2, "human"), (1, "machine")]
        assert {line["identity"]: line.get("history") for line in again} == {
            line["identity"]: line.get("history") for line in lines
        }
        async with second.machine.transaction() as tx:
            assert await tx.value("select count(*) from candidate where sensitive <> '{}'") == 1


async def test_bad_lines_are_reported_and_the_rest_goes_on(empty, tmp_path):
    archived = []
    async with empty(tmp_path / "a") as first, empty(tmp_path / "b") as second:
        _, lines = await library(first, archived)
        WarcFolder(tmp_path / "warc", "test").append(archived)
        archives = sorted((tmp_path / "warc").glob("*.warc.gz"))
        machine = next(line for line in lines if line["owner"] == "machine" and line["facts"])
        lied = json.loads(json.dumps(machine))
        lied["facts"][0]["sources"][0]["quote"] = "kalimat yang tidak ada"
        sourceless = json.loads(json.dumps(machine))
        sourceless["facts"][0]["sources"] = []
        bad = [
            lied,
            sourceless,
            {"owner": "machine", "identity": 3},
            machine | {"status": "tombstone"},
            machine | {"category": "bukan"},
            machine | {"title": "x\x00"},
        ]
        report = await taken_in(second, [*bad, *lines], archives)
        assert len(report.errors) == len(bad)
        assert report.added == len(lines)


async def test_an_import_can_be_undone_like_any_batch(empty, tmp_path):
    archived = []
    async with empty(tmp_path / "a") as first, empty(tmp_path / "b") as second:
        _, lines = await library(first, archived)
        WarcFolder(tmp_path / "warc", "test").append(archived)
        await taken_in(second, lines, sorted((tmp_path / "warc").glob("*.warc.gz")))
        async with second.people.transaction() as tx:
            for row in await batches.listed(tx):
                await undo_batch(tx, OPERATOR_AT_THE_MACHINE, row["id"], "a trial")
        bench = Bench(second.machine, second.people)
        await bench.run()
        assert {entry["owner"] for entry in await bench.export()} == {"human"}


async def test_a_library_that_moved_knows_which_words_are_its_own_and_where_old_addresses_lead(empty, tmp_path):
    archived = []
    reader = RecordReader(PROFILE, GAZETTEER, keep_contributors=True)
    dated = HUMANS[0] | {"revision": "5", "contributor": "Seorang Warga", "remote_id": "9"}
    async with empty(tmp_path / "a") as first, empty(tmp_path / "b") as second:
        await library(first, archived)
        async with first.people.transaction() as tx:
            rows = {row["title"]: row["identity"] async for row in exported(tx, STATUSES)}
            await import_record(tx, OPERATOR_AT_THE_MACHINE, reader.read(dated))
            kept = reader.read(dated | {"title": "Randang", "remote_id": "10"})
            await import_record(tx, OPERATOR_AT_THE_MACHINE, kept)
            await revise_entry(tx, PEOPLE, kept.identity, reader.read(dated | {"text": "Kata warga."}), 1, "")
            await entries.redirect(tx, "f" * 64, rows["Tari Piring"], "merged")
            lines = [json.loads(json.dumps(record)) async for record in exported(tx, STATUSES)]
        WarcFolder(tmp_path / "warc", "test").append(archived)
        report = await taken_in(second, lines, sorted((tmp_path / "warc").glob("*.warc.gz")))
        assert report.errors == []
        async with second.people.transaction() as tx:
            again = [json.loads(json.dumps(record)) async for record in exported(tx, STATUSES)]
            newer = dated | {"revision": "6", "text": "Lebih baru di sana."}
            older = dated | {"revision": "4", "text": "Lebih lama di sana."}
            assert await import_record(tx, OPERATOR_AT_THE_MACHINE, reader.read(older)) == "older"
            assert await import_record(tx, OPERATOR_AT_THE_MACHINE, reader.read(newer)) == "revised"
            with pytest.raises(UsageError, match="revised here"):
                await import_record(tx, OPERATOR_AT_THE_MACHINE, reader.read(newer | {"remote_id": "10"}))
            assert await entries.target_of(tx, "f" * 64) == rows["Tari Piring"]
        assert "Seorang Warga" in json.dumps(lines)
        assert "Seorang Warga" not in json.dumps(again)
        beside = ("note", "remote_revision", "redirects", "revision", "status_reason")
        assert [[line.get(name) for name in beside] for line in again] == [
            [line.get(name) for name in beside] for line in lines
        ]

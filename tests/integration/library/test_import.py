"""A corpus that is imported again and again: newer records come in, older ones and people's own words stay."""

from __future__ import annotations

import pytest
from tests.integration.library.test_contribute import CONTRIBUTOR, MODERATOR, READER, people  # noqa: F401

from lumbung.errors import UsageError
from lumbung.library.actions.contribute import remove_entry, revise_entry
from lumbung.library.actions.import_records import ImportReport, import_record, is_older
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE
from lumbung.store import entries


def record(text, revision=None, **more):
    fields = {"title": "Tari Piring", "text": text, "category": "tarian", "remote_id": "77", "revision": revision}
    return READER.read(fields | more)


async def taken(tx, *records):
    return [await import_record(tx, OPERATOR_AT_THE_MACHINE, each) for each in records]


async def body(tx, entry):
    return (await entries.get(tx, entry.identity))["body"]


async def test_an_older_revision_never_replaces_a_newer_one_and_the_same_file_again_changes_nothing(people):  # noqa: F811
    file = [record("Kedua.", 2), record("Pertama.", "1"), record("Kesepuluh.", 10), record("Kesembilan.", 9)]
    async with people() as tx:
        assert await taken(tx, *file) == ["added", "older", "revised", "older"]
        assert await taken(tx, *file) == ["older", "older", "unchanged", "older"]
        assert await body(tx, file[0]) == "Kesepuluh."


async def test_without_a_revision_the_time_of_the_last_change_tells_which_is_newer(people):  # noqa: F811
    newer = record("Baru.", updated_at="2026-02-01T08:00:00+07:00")
    older = record("Lama.", updated_at="2026-02-01T00:30:00Z")
    odd = record("Entah.", updated_at="kemarin")
    async with people() as tx:
        assert await taken(tx, newer, older, odd) == ["added", "older", "revised"]


async def test_what_somebody_revised_here_is_not_overwritten_by_an_import(people):  # noqa: F811
    async with people() as tx:
        await taken(tx, record("Asal.", 1))
        identity = record("").identity
        await revise_entry(tx, CONTRIBUTOR, identity, record("Kata warga."), 1, "lebih tepat")
        assert await taken(tx, record("Asal.", 1)) == ["unchanged"]
        with pytest.raises(UsageError, match="revised here"):
            await taken(tx, record("Berubah di sana.", 2))
        assert await body(tx, record("")) == "Kata warga."


async def test_what_was_removed_here_stays_removed_whatever_an_import_brings(people):  # noqa: F811
    async with people() as tx:
        await taken(tx, record("Asal.", 1))
        identity = record("").identity
        await remove_entry(tx, MODERATOR, identity, "permintaan komunitas")
        assert await taken(tx, record("Asal.", 1)) == ["unchanged"]
        with pytest.raises(UsageError, match="revised here"):
            await taken(tx, record("Berubah di sana.", 2))
        assert (await entries.get(tx, identity))["status"] == "tombstone"


async def test_of_two_lines_about_one_record_the_first_or_the_newer_counts_however_often_the_file_is_read(people):  # noqa: F811
    unordered = [record("Satu.", "a"), record("Dua.", "b")]
    ordered = [record("Satu.", 1, remote_id="78"), record("Dua.", 2, remote_id="78")]
    async with people() as tx:
        for outcomes in (["added", "refused", "added", "revised"], ["unchanged", "refused", "older", "unchanged"]):
            report, told = ImportReport(), []
            for each in (*unordered, *ordered):
                try:
                    told.append(await import_record(tx, OPERATOR_AT_THE_MACHINE, each, repeated=report.meets(each)))
                except UsageError as error:
                    assert "remote_id" in str(error)
                    told.append("refused")
            assert told == outcomes
        assert [await body(tx, each) for each in (unordered[0], ordered[0])] == ["Satu.", "Dua."]


@pytest.mark.parametrize(("revision", "held"), [("9" * 5000, "1" + "0" * 5000), ("007", "8"), ("٣", "4")])
def test_revisions_of_any_length_are_ordered_as_numbers(revision, held):
    assert is_older(revision, held) is revision.isascii()
    assert not is_older(held, revision)

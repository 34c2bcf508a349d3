"""A backup brings everything back, into an empty folder and nowhere else; half of one or a damaged one brings nothing."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest

from lumbung.errors import EngineUnavailable, UsageError
from lumbung.runtime import backups
from lumbung.runtime.backups import ARCHIVE, DUMP, FORM, MANIFEST, backup, restore
from lumbung.runtime.engines import Engines
from lumbung.store.migrate import migrate

RECORD = bytes(range(256)) * 40


def quiet(_):
    return None


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """The folder of an installation with one entry and one archived file, and a backup of both beside it."""
    home = tmp_path_factory.mktemp("home")
    archive = home / "data" / "archive"
    with Engines.attach(home / "data", fsync=False) as engines:
        migrate(engines.postgres_url("owner"), engines.postgres_url("machine"), engines.postgres_url("people"))
        with psycopg.connect(engines.postgres_url("people"), autocommit=True) as connection:
            connection.execute(
                "insert into entry (identity, owner, status, title, name_key, body) values ('h', 'human', 'published', 'Tari', 'tari', 'Teks')"
            )
        (archive / "media").mkdir(parents=True)
        (archive / "one.warc.gz").write_bytes(RECORD)
        (archive / "media" / "p.jpg").write_bytes(b"picture")
        backup(home / "data", archive, home / "backup.tar.gz", "test", quiet)
    return home


def test_a_backup_is_restored_whole(made, tmp_path):
    assert (made / "backup.tar.gz").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in made.iterdir()) == ["backup.tar.gz", "data"]
    restore(made / "backup.tar.gz", tmp_path / "c", tmp_path / "elsewhere", quiet)
    assert (tmp_path / "elsewhere" / "one.warc.gz").read_bytes() == RECORD
    assert (tmp_path / "elsewhere" / "media" / "p.jpg").read_bytes() == b"picture"
    with (
        Engines.attach(tmp_path / "c", fsync=False) as engines,
        psycopg.connect(engines.postgres_url("machine"), autocommit=True) as machine,
    ):
        assert machine.execute("select body from entry").fetchone() == ("Teks",)
        assert machine.execute("update entry set body = 'x'").rowcount == 0


def test_nothing_that_is_there_is_overwritten(made, tmp_path):
    archive = made / "data" / "archive"
    with pytest.raises(UsageError, match="is there already"):
        backup(made / "data", archive, made / "backup.tar.gz", "test", quiet)
    with pytest.raises(UsageError, match="LUMBUNG_DATA_DIR"):
        restore(made / "backup.tar.gz", made / "data", archive, quiet)
    with pytest.raises(UsageError, match="LUMBUNG_ARCHIVE_DIR"):
        restore(made / "backup.tar.gz", tmp_path / "new", archive, quiet)
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    with pytest.raises(UsageError, match="is not empty"):
        restore(made / "backup.tar.gz", tmp_path / "file", tmp_path / "elsewhere", quiet)


def test_a_folder_that_is_not_there_is_told_before_anything_starts(tmp_path):
    with pytest.raises(UsageError, match="no folder"):
        backup(tmp_path / "a", tmp_path / "a" / "archive", tmp_path / "nowhere" / "b.tar.gz", "test", quiet)
    assert not (tmp_path / "a").exists()


def packed(members: dict[str, bytes], **kinds: bytes) -> bytes:
    """A tar of these files; a name among the kinds is a member of that kind, pointing outside."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as tar:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
        for name, kind in kinds.items():
            member = tarfile.TarInfo(f"{ARCHIVE}/{name}")
            member.type, member.linkname = kind, "/etc/passwd"
            tar.addfile(member)
    return stream.getvalue()


def flipped(whole: bytes) -> bytes:
    middle = len(whole) // 2
    return whole[:middle] + bytes([whole[middle] ^ 0x55]) + whole[middle + 1 :]


PARTS = {MANIFEST: json.dumps({"form": FORM}).encode(), DUMP: b"PGDMP"}
DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda _: b"", "not a backup"),
    "text": (lambda _: b"catatan", "not a backup"),
    "no tar": (lambda _: gzip.compress(b"catatan" * 999), "not a backup"),
    "half": (lambda whole: whole[: len(whole) // 2], "cut off"),
    "without its end": (lambda whole: whole[:-9], "cut off"),
    "a bit flipped": (flipped, "damaged"),
    "digest flipped": (lambda whole: whole[:-6] + b"xx" + whole[-4:], "damaged"),
    "another tar": (lambda _: packed({"letter.txt": b"x"}), "not a backup"),
    "no manifest": (lambda _: packed(PARTS | {MANIFEST: b"{"}), "not a backup"),
    "no form": (lambda _: packed(PARTS | {MANIFEST: b"[]"}), "not a backup"),
    "newer": (lambda _: packed(PARTS | {MANIFEST: b'{"form": 99}'}), "newer Lumbung"),
    "a way out": (lambda _: packed(PARTS | {f"{ARCHIVE}/../../out": b"x"}), "not a backup"),
    "a link out": (lambda _: packed(PARTS, link=tarfile.SYMTYPE), "not a backup"),
    "a device": (lambda _: packed(PARTS, device=tarfile.CHRTYPE), "not a backup"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_no_whole_backup_is_told_before_anything_starts(made, tmp_path, damage):
    spoil, told = DAMAGE[damage]
    file = tmp_path / "spoilt.tar.gz"
    file.write_bytes(spoil((made / "backup.tar.gz").read_bytes()))
    with pytest.raises(UsageError, match=told):
        restore(file, tmp_path / "c", tmp_path / "elsewhere", quiet)
    assert [path.name for path in tmp_path.iterdir()] == ["spoilt.tar.gz"]


def test_a_dump_that_cannot_be_read_leaves_the_folder_empty_for_the_next_attempt(made, tmp_path):
    (tmp_path / "c").mkdir()
    (tmp_path / "spoilt.tar.gz").write_bytes(packed(PARTS | {f"{ARCHIVE}/one.warc.gz": b"x"}))
    with pytest.raises(EngineUnavailable, match="pg_restore failed"):
        restore(tmp_path / "spoilt.tar.gz", tmp_path / "c", tmp_path / "c" / "archive", quiet)
    assert list((tmp_path / "c").iterdir()) == []


def test_a_file_that_leaves_the_archive_meanwhile_is_looked_for_in_a_newer_dump(made, tmp_path, monkeypatch):
    leaving = tmp_path / "archive" / "leaving.warc.gz"
    leaving.parent.mkdir()
    leaving.write_bytes(b"record")
    dumps = []

    def dump_while_it_leaves(name, *arguments, **options):
        dumps.append(name)
        leaving.unlink(missing_ok=True)
        real(name, *arguments, **options)

    real = backups.tool
    monkeypatch.setattr(backups, "tool", dump_while_it_leaves)
    backup(made / "data", leaving.parent, tmp_path / "b.tar.gz", "test", quiet)
    assert dumps == ["pg_dump", "pg_dump"]
    with tarfile.open(tmp_path / "b.tar.gz") as tar:
        assert tar.getnames() == [MANIFEST, DUMP]


def test_a_password_goes_to_the_tools_of_postgresql_by_the_environment_alone(tmp_path, monkeypatch):
    program = tmp_path / "bin" / "pg_dump"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "$@"\necho "$PGPASSWORD"\n')
    program.chmod(0o755)
    monkeypatch.setattr(backups, "find_postgres", lambda: SimpleNamespace(folder=tmp_path))
    with (tmp_path / "told").open("wb") as told:
        backups.tool("pg_dump", "postgresql://pemilik:r%40hasia@/lumbung?host=%2Fsoket", "--format=custom", output=told)
    arguments, password = (tmp_path / "told").read_text().splitlines()
    assert arguments == "--dbname=postgresql://pemilik@/lumbung?host=%2Fsoket --format=custom"
    assert password == "r@hasia"

"""A backup brings everything back, into an empty folder and nowhere else."""

from __future__ import annotations

import psycopg
import pytest

from lumbung.errors import UsageError
from lumbung.runtime.backups import backup, restore
from lumbung.runtime.engines import Engines
from lumbung.store.migrate import migrate


def quiet(_):
    return None


def test_a_backup_is_restored_whole_and_overwrites_nothing(tmp_path):
    with Engines.attach(tmp_path / "a", fsync=False) as engines:
        migrate(engines.postgres_url("owner"), engines.postgres_url("machine"), engines.postgres_url("people"))
        with psycopg.connect(engines.postgres_url("people"), autocommit=True) as connection:
            connection.execute(
                "insert into entry (identity, owner, status, title, name_key, body) values ('h', 'human', 'published', 'Tari', 'tari', 'Teks')"
            )
        (tmp_path / "a" / "archive").mkdir()
        (tmp_path / "a" / "archive" / "one.warc.gz").write_bytes(b"record")
        backup(tmp_path / "a", tmp_path / "a" / "archive", tmp_path / "b.tar.gz", "test", quiet)
    assert (tmp_path / "b.tar.gz").stat().st_mode & 0o777 == 0o600
    with pytest.raises(UsageError):
        backup(tmp_path / "a", tmp_path / "a" / "archive", tmp_path / "b.tar.gz", "test", quiet)
    with pytest.raises(UsageError):
        restore(tmp_path / "b.tar.gz", tmp_path / "a", tmp_path / "a" / "archive", quiet)
    restore(tmp_path / "b.tar.gz", tmp_path / "c", tmp_path / "elsewhere", quiet)
    assert (tmp_path / "elsewhere" / "one.warc.gz").read_bytes() == b"record"
    with (
        Engines.attach(tmp_path / "c", fsync=False) as engines,
        psycopg.connect(engines.postgres_url("machine"), autocommit=True) as machine,
    ):
        assert machine.execute("select body from entry").fetchone() == ("Teks",)
        assert machine.execute("update entry set body = 'x'").rowcount == 0


def test_a_folder_that_is_not_there_is_told_before_anything_starts(tmp_path):
    with pytest.raises(UsageError, match="no folder"):
        backup(tmp_path / "a", tmp_path / "a" / "archive", tmp_path / "nowhere" / "b.tar.gz", "test", quiet)
    assert not (tmp_path / "a").exists()

"""Backup and restore of an embedded installation: the database as a dump, the archive with its pictures as files, in one tar."""

from __future__ import annotations

import json
import os
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from lumbung.errors import EngineUnavailable, UsageError
from lumbung.runtime.engines import Engines
from lumbung.runtime.engines.binaries import find_postgres

DUMP = "database.dump"
MANIFEST = "manifest.json"
ARCHIVE = "archive"
FORM = 1
Progress = Callable[[str], None]


def tool(name: str, *arguments: str) -> None:
    program = find_postgres().folder / "bin" / name
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise EngineUnavailable(
            f"{name} failed: {done.stderr.strip().splitlines()[-1] if done.stderr else 'no reason'}"
        )


def backup(data_dir: Path, archive_dir: Path, target: Path, version: str, progress: Progress) -> None:
    """Written beside the target and renamed: an interrupted backup leaves no file that looks whole."""
    if target.exists():
        raise UsageError(f"{target} is there already; name another file.")
    if not target.parent.is_dir():
        raise UsageError(f"There is no folder {target.parent}; make it, or name a file elsewhere.")
    partial = target.with_name(target.name + ".part")
    try:
        with Engines.attach(data_dir, progress=progress) as engines, tempfile.TemporaryDirectory() as folder:
            dump = Path(folder) / DUMP
            tool("pg_dump", "--format=custom", f"--file={dump}", engines.postgres_url("superuser"))
            manifest = Path(folder) / MANIFEST
            manifest.write_text(json.dumps({"form": FORM, "lumbung": version}), encoding="utf-8")
            with private_file(partial) as stream, tarfile.open(fileobj=stream, mode="w:gz") as tar:
                tar.add(manifest, MANIFEST)
                tar.add(dump, DUMP)
                if archive_dir.is_dir():
                    tar.add(archive_dir, ARCHIVE)
        partial.rename(target)
    except OSError as error:
        raise EngineUnavailable(f"The backup could not be written: {error.strerror or error}.") from error
    finally:
        partial.unlink(missing_ok=True)


def private_file(path: Path) -> BinaryIO:
    """Nobody else may read it: the dump holds the people's password hashes."""
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def restore(source: Path, data_dir: Path, archive_dir: Path, progress: Progress) -> None:
    """Into an empty data folder only: nothing that is there is ever overwritten."""
    if not tarfile.is_tarfile(source):
        raise UsageError(f"{source} is not a backup.")
    if data_dir.exists() and any(data_dir.iterdir()):
        raise UsageError(f"{data_dir} is not empty; name an empty folder with LUMBUNG_DATA_DIR.")
    if archive_dir.exists() and any(archive_dir.iterdir()):
        raise UsageError(f"{archive_dir} is not empty; name an empty folder with LUMBUNG_ARCHIVE_DIR.")
    with tarfile.open(source) as tar, tempfile.TemporaryDirectory() as folder:
        if {MANIFEST, DUMP} - set(tar.getnames()):
            raise UsageError(f"{source} is not a backup of Lumbung.")
        tar.extractall(folder, [tar.getmember(MANIFEST), tar.getmember(DUMP)], filter="data")
        if json.loads((Path(folder) / MANIFEST).read_text(encoding="utf-8")).get("form") != FORM:
            raise UsageError("This backup was made by a newer Lumbung; update first.")
        with Engines.attach(data_dir, progress=progress) as engines:
            tool(
                "pg_restore", "--clean", "--if-exists", "--exit-on-error", "--single-transaction",
                f"--dbname={engines.postgres_url('superuser')}", str(Path(folder) / DUMP),
            )  # fmt: skip
        for member in tar.getmembers():
            if member.name.startswith(f"{ARCHIVE}/"):
                inside = member.name.removeprefix(f"{ARCHIVE}/")
                tar.extract(member.replace(name=inside), archive_dir, filter="data")

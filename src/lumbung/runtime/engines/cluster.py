"""Makes the PostgreSQL cluster: complete or not there at all."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING

from lumbung.errors import EngineUnavailable, LumbungError, SettingsError
from lumbung.runtime.engines.binaries import PostgresPrograms, postgres_major, reachable_postgres
from lumbung.runtime.engines.layout import LOGINS, EngineFolder, EngineSecrets, full_disk, sync_path
from lumbung.runtime.engines.privilege import Account, engine_account, give_tree, setup_account

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumbung.runtime.engines.children import Nursery

SUPERUSER = "lumbung_superuser"
DATABASE = "lumbung"
UNFINISHED_PREFIX = "postgres.unfinished."
ACCESS_RULES = "local all all scram-sha-256\n"


def login_name(role: str) -> str:
    return f"lumbung_{role}"


def data_folder_argument(cluster: Path, account: Account | None) -> str:
    """How the server names its folder.

    An unprivileged account may not pass the folders above (say, /root); the kernel's link to the
    working folder needs no passing, and PostgreSQL never leaves that folder.
    """
    if account is not None and sys.platform == "linux":
        return "/proc/self/cwd"
    return str(cluster)


async def ensure_cluster(
    folder: EngineFolder,
    programs: PostgresPrograms,
    nursery: Nursery,
    *,
    fsync: bool,
    progress: Callable[[str], None],
) -> None:
    _remove_unfinished(folder)
    if not folder.cluster.exists():
        progress("PostgreSQL is set up for the first time, which takes a few seconds.")
        await _make_cluster(folder, programs, nursery, fsync=fsync)
        return
    _check_version(folder, programs)
    _repair_access(folder)
    if not folder.secrets.exists():
        progress("The passwords of the logins are lost, so new ones are made.")
        await _renew_passwords(folder, programs, nursery)


def _remove_unfinished(folder: EngineFolder) -> None:
    for unfinished in folder.root.glob(f"{UNFINISHED_PREFIX}*"):
        shutil.rmtree(unfinished)


async def _make_cluster(folder: EngineFolder, programs: PostgresPrograms, nursery: Nursery, *, fsync: bool) -> None:
    secrets = EngineSecrets.create()
    unfinished = Path(tempfile.mkdtemp(prefix=UNFINISHED_PREFIX, dir=folder.root))
    account = setup_account()
    give_tree(unfinished, account)
    tool = _OfflineTool(folder, reachable_postgres(programs, account), nursery, unfinished, account)
    try:
        await tool.initdb(fsync=fsync)
        # In the template, so that every later database (a restored one, a test's) has it too.
        await tool.run_sql("template1", ["CREATE EXTENSION vector"])
        await tool.run_sql("postgres", _roles_sql(secrets))
        _put_in_place(folder, unfinished, secrets, fsync=fsync)
    except (LumbungError, OSError):
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def _put_in_place(folder: EngineFolder, unfinished: Path, secrets: EngineSecrets, *, fsync: bool) -> None:
    (unfinished / "pg_hba.conf").write_text(ACCESS_RULES)
    give_tree(unfinished, engine_account(folder.cluster))
    secrets.save(folder.secrets)
    if fsync:
        sync_path(unfinished / "pg_hba.conf")
        sync_path(unfinished)
    unfinished.rename(folder.cluster)
    if fsync:
        sync_path(folder.root)


async def _renew_passwords(folder: EngineFolder, programs: PostgresPrograms, nursery: Nursery) -> None:
    secrets = EngineSecrets.create()
    account = setup_account()
    give_tree(folder.cluster, account)
    tool = _OfflineTool(folder, reachable_postgres(programs, account), nursery, folder.cluster, account)
    await tool.run_sql("postgres", _password_sql(secrets))
    give_tree(folder.cluster, engine_account(folder.root))
    secrets.save(folder.secrets)


def _check_version(folder: EngineFolder, programs: PostgresPrograms) -> None:
    try:
        recorded = (folder.cluster / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        raise SettingsError(
            f"The folder {folder.cluster} is not a PostgreSQL cluster: restore it from a backup, or move it away."
        ) from None
    major = postgres_major(programs)
    if recorded != str(major):
        raise SettingsError(
            f"The data folder {folder.data_dir} was made by PostgreSQL {recorded}, but the installed programs are "
            f"PostgreSQL {major}: install the Lumbung that made it, back up there, and restore here."
        )


def _repair_access(folder: EngineFolder) -> None:
    """A restored copy may have come back as root's and open to others, which the server refuses."""
    status = folder.cluster.stat()
    if status.st_uid == 0:
        give_tree(folder.cluster, engine_account(folder.cluster))
    if status.st_mode & 0o077:
        folder.cluster.chmod(0o700)


def _password_sql(secrets: EngineSecrets) -> list[str]:
    logins = [f"ALTER ROLE {login_name(role)} PASSWORD '{getattr(secrets, role)}'" for role in LOGINS]
    return [f"ALTER ROLE {SUPERUSER} PASSWORD '{secrets.superuser}'", *logins]


def _roles_sql(secrets: EngineSecrets) -> list[str]:
    logins = [
        f"CREATE ROLE {login_name(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS NOREPLICATION"
        for role in LOGINS
    ]
    return [*logins, *_password_sql(secrets), f"CREATE DATABASE {DATABASE} OWNER {login_name('owner')}"]


class _OfflineTool:
    """PostgreSQL's programs on a cluster that no server serves, so nobody can reach it half-made."""

    def __init__(
        self,
        home: EngineFolder,
        programs: PostgresPrograms,
        nursery: Nursery,
        folder: Path,
        account: Account | None,
    ) -> None:
        self._home = home
        self._programs = programs
        self._nursery = nursery
        self._folder = folder
        self._account = account
        self._named = data_folder_argument(folder, account)

    async def initdb(self, *, fsync: bool) -> None:
        await self._run(
            [
                self._programs.initdb,
                *("-D", self._named, "-U", SUPERUSER, "-A", "reject"),
                *("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
                *("--no-instructions", "--data-checksums", "-c", f"cluster_name={self._home.postgres_mark}"),
                *(() if fsync else ("--no-sync",)),
            ]
        )

    async def run_sql(self, database: str, statements: list[str]) -> None:
        with tempfile.TemporaryFile() as script:
            script.write("".join(f"{statement}\n" for statement in statements).encode())
            script.seek(0)
            arguments = ["--single", "-D", self._named, "-c", "exit_on_error=on"]
            arguments += ["-c", f"cluster_name={self._home.postgres_mark}", database]
            await self._run([self._programs.postgres, *arguments], script)

    async def _run(self, arguments: list[str | Path], script: IO[bytes] | None = None) -> None:
        code, said = await self._nursery.run(
            arguments, folder=self._folder, account=self._account, standard_input=script
        )
        if code == 0:
            return
        if "No space left on device" in said:
            raise full_disk(self._home.data_dir)
        telling = [line for line in said.splitlines() if "rror" in line or "FATAL" in line]
        last = telling[-1].strip() if telling else f"{Path(arguments[0]).name} ended with code {code}"
        raise EngineUnavailable(f"PostgreSQL cannot be set up in {self._home.root}: {last}.")

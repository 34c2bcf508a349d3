"""Makes the PostgreSQL cluster: complete or not there at all."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from lumbung.errors import EngineUnavailable, SettingsError
from lumbung.runtime.engines.binaries import PostgresPrograms, postgres_major, reachable_postgres
from lumbung.runtime.engines.layout import LOGINS, EngineFolder, EngineSecrets
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
    for unfinished in folder.root.glob(f"{UNFINISHED_PREFIX}*"):
        shutil.rmtree(unfinished)
    if folder.cluster.exists():
        _check_version(folder, programs)
        return
    progress("PostgreSQL is being set up for the first time.")
    secrets = EngineSecrets.create()
    unfinished = Path(tempfile.mkdtemp(prefix=UNFINISHED_PREFIX, dir=folder.root))
    account = setup_account()
    give_tree(unfinished, account)
    setup = _Setup(reachable_postgres(programs, account), nursery, unfinished, account)
    await setup.initdb(fsync=fsync)
    await setup.run_sql("postgres", _roles_sql(secrets))
    await setup.run_sql(DATABASE, ["CREATE EXTENSION vector", f"ALTER SCHEMA public OWNER TO {login_name('owner')}"])
    (unfinished / "pg_hba.conf").write_text(ACCESS_RULES)
    give_tree(unfinished, engine_account(folder.cluster))
    secrets.save(folder.secrets)
    if fsync:
        os.sync()
    unfinished.rename(folder.cluster)


def _check_version(folder: EngineFolder, programs: PostgresPrograms) -> None:
    recorded = (folder.cluster / "PG_VERSION").read_text().strip()
    major = postgres_major(programs)
    if recorded != str(major):
        raise SettingsError(
            f"The data folder {folder.data_dir} was made by PostgreSQL {recorded}, but the installed programs are "
            f"PostgreSQL {major}: install the Lumbung that made it, back up there, and restore here."
        )


def _roles_sql(secrets: EngineSecrets) -> list[str]:
    logins = [
        f"CREATE ROLE {login_name(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS NOREPLICATION "
        f"PASSWORD '{getattr(secrets, role)}'"
        for role in LOGINS
    ]
    return [
        f"ALTER ROLE {SUPERUSER} PASSWORD '{secrets.superuser}'",
        *logins,
        f"CREATE DATABASE {DATABASE} OWNER {login_name('owner')}",
    ]


class _Setup:
    def __init__(self, programs: PostgresPrograms, nursery: Nursery, folder: Path, account: Account | None) -> None:
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
                *("--no-instructions", "--data-checksums"),
                *(() if fsync else ("--no-sync",)),
            ]
        )

    async def run_sql(self, database: str, statements: list[str]) -> None:
        """Without a server: no moment exists in which an unfinished cluster could be reached."""
        with tempfile.TemporaryFile() as script:
            script.write("".join(f"{statement}\n" for statement in statements).encode())
            script.seek(0)
            await self._run(
                [self._programs.postgres, "--single", "-D", self._named, "-c", "exit_on_error=on", database],
                script,
            )

    async def _run(self, arguments: list[str | Path], script: object = None) -> None:
        code, said = await self._nursery.run(
            arguments, folder=self._folder, account=self._account, standard_input=script  # type: ignore[arg-type]
        )
        if code == 0:
            return
        if "No space left on device" in said:
            raise EngineUnavailable(f"The disk is full while PostgreSQL is set up in {self._folder.parent}: free space.")
        last = next((line for line in reversed(said.splitlines()) if "rror" in line or "FATAL" in line), said[-300:])
        raise EngineUnavailable(f"PostgreSQL cannot be set up in {self._folder.parent}: {last.strip() or code}.")

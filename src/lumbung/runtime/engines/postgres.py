"""The embedded PostgreSQL: a direct child, private, and back by itself after a crash."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lumbung.errors import EngineUnavailable
from lumbung.runtime.engines.binaries import find_postgres, reachable_postgres
from lumbung.runtime.engines.children import Child, Nursery, end_leftovers
from lumbung.runtime.engines.cluster import data_folder_argument, ensure_cluster
from lumbung.runtime.engines.layout import POSTGRES_PORT, EngineFolder
from lumbung.runtime.engines.lock import FileLock
from lumbung.runtime.engines.logfile import LimitedLog
from lumbung.runtime.engines.privilege import engine_account
from lumbung.runtime.engines.sockets import POSTGRES_FOLDER, prepare_socket_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SHUTDOWN_SECONDS = 60.0
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "work_mem": "8MB",
    "maintenance_work_mem": "64MB",
    "max_locks_per_transaction": "256",
    "synchronous_commit": "on",
    "jit": "off",
    "io_method": "sync",
    "max_wal_size": "512MB",
    "min_wal_size": "80MB",
    "checkpoint_timeout": "15min",
    "max_wal_senders": "4",
    "max_logical_replication_workers": "0",
    "log_startup_progress_interval": "1s",
    "log_min_duration_statement": "5s",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] %q%u ",
    "log_timezone": "UTC",
    "timezone": "UTC",
}


@dataclass(frozen=True)
class PostgresAddress:
    socket_folder: Path
    port: int = POSTGRES_PORT

    def url(self, user: str, password: str, database: str) -> str:
        from urllib.parse import quote

        host = quote(str(self.socket_folder), safe="")
        return f"postgresql://{user}:{password}@/{database}?host={host}&port={self.port}"


class PostgresEngine:
    """Runs inside an event loop that reaps children (the supervisor's)."""

    def __init__(
        self,
        data_dir: Path,
        *,
        nursery: Nursery | None = None,
        fsync: bool = True,
        progress: Callable[[str], None] = lambda _text: None,
    ) -> None:
        self._folder = EngineFolder(data_dir)
        self._nursery = nursery
        self._fsync = fsync
        self._progress = progress
        self._lock = FileLock(self._folder.postgres_lock)
        self._log = LimitedLog(self._folder.logs / "postgres.log")
        self._child: Child | None = None
        self._reading: asyncio.Task[None] | None = None
        self._address: PostgresAddress | None = None

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child is not None and self._child.running else None

    async def start(self) -> PostgresAddress:
        """Running and answering when this returns, however long crash recovery takes."""
        if self._address is not None and self.pid is not None:
            return self._address
        self._nursery = self._nursery or Nursery()
        self._folder.prepare()
        programs = find_postgres()
        await self._take_over()
        await ensure_cluster(self._folder, programs, self._nursery, fsync=self._fsync, progress=self._progress)
        account = engine_account(self._folder.cluster)
        sockets = prepare_socket_folder(self._folder, account) / POSTGRES_FOLDER
        settings = SETTINGS | {"unix_socket_directories": str(sockets), "fsync": "on" if self._fsync else "off"}
        self._child = await self._nursery.start(
            [
                reachable_postgres(programs, account).postgres,
                *("-D", data_folder_argument(self._folder.cluster, account)),
                *("-p", str(POSTGRES_PORT)),
                *(part for name, value in settings.items() for part in ("-c", f"{name}={value}")),
            ],
            folder=self._folder.cluster,
            account=account,
            death_signal=signal.SIGINT,
            kept_descriptors=[self._lock.descriptor],
        )
        ready = asyncio.get_running_loop().create_future()
        self._reading = asyncio.create_task(self._follow_output(self._child, ready))
        await ready
        self._address = PostgresAddress(sockets)
        return self._address

    async def died(self) -> int:
        """Returns when the running server is gone."""
        if self._child is None:
            raise RuntimeError("PostgreSQL was not started")
        return await asyncio.shield(self._child.exited)

    async def stop(self) -> None:
        if self._child is not None:
            await self._child.stop(signal.SIGINT, SHUTDOWN_SECONDS)
            await end_leftovers(self._folder.cluster)
        if self._reading is not None:
            await self._reading
        self._lock.release()

    async def _take_over(self) -> None:
        """We hold the data folder, so whatever still runs in it is a leftover; so is its pid file."""
        await end_leftovers(self._folder.cluster)
        if not self._lock.take():
            raise EngineUnavailable(
                f"Another PostgreSQL still uses {self._folder.cluster}: stop it with `lumbung down`, then retry."
            )
        with suppress(FileNotFoundError):
            (self._folder.cluster / "postmaster.pid").unlink()

    async def _follow_output(self, child: Child, ready: asyncio.Future[None]) -> None:
        async for line in child.output:
            text = self._log.write(line)
            if "database system is ready to accept connections" in text and not ready.done():
                ready.set_result(None)
            elif not ready.done() and ("recovery" in text or "redo" in text):
                self._progress(f"PostgreSQL is recovering: {text.rpartition('LOG:  ')[2]}")
        code = await child.exited
        if not ready.done():
            ready.set_exception(EngineUnavailable(self._explain(code)))

    def _explain(self, code: int) -> str:
        tail = self._log.tail
        if "No space left on device" in tail:
            return f"The disk that holds {self._folder.data_dir} is full: free some space, then retry."
        fatal = [line for line in tail.splitlines() if "FATAL" in line or "PANIC" in line]
        reason = fatal[-1].rpartition(":  ")[2] if fatal else f"it ended with code {code}"
        return f"PostgreSQL does not start: {reason} (see {self._folder.logs / 'postgres.log'})."

"""The embedded PostgreSQL: a direct child, private, and back by itself after a crash."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from lumbung.errors import EngineUnavailable
from lumbung.runtime.engines.binaries import find_postgres, reachable_postgres
from lumbung.runtime.engines.children import Nursery, end_leftovers
from lumbung.runtime.engines.cluster import data_folder_argument, ensure_cluster
from lumbung.runtime.engines.layout import POSTGRES_PORT, EngineFolder, full_disk
from lumbung.runtime.engines.lock import FileLock
from lumbung.runtime.engines.privilege import engine_account
from lumbung.runtime.engines.service import Service
from lumbung.runtime.engines.sockets import POSTGRES_FOLDER, prepare_socket_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READY_WORDS = "database system is ready to accept connections"
SHUTDOWN_SECONDS = 60.0
LEFTOVER_SECONDS = 2.0
LEAST_BUFFER_MB, MOST_BUFFER_MB = 64, 1024
BUFFERED_SHARE = 16
"""Part of the machine's memory that holds pages of tables; taken only as they are read."""
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "work_mem": "8MB",
    "maintenance_work_mem": "64MB",
    "max_locks_per_transaction": "256",
    "synchronous_commit": "on",
    "jit": "off",
    # Plans that were made for empty tables are made anew soon after these have grown.
    "autovacuum_naptime": "10s",
    # No extra processes that idle, and nothing large in /dev/shm, which containers keep small.
    "io_method": "sync",
    "max_logical_replication_workers": "0",
    "max_parallel_workers_per_gather": "0",
    "max_parallel_maintenance_workers": "0",
    "max_wal_size": "512MB",
    "min_wal_size": "80MB",
    "checkpoint_timeout": "15min",
    "log_startup_progress_interval": "1s",
    "log_min_duration_statement": "5s",
    "log_checkpoints": "off",
    "log_parameter_max_length": "0",
    "log_line_prefix": "%m [%p] %q%u ",
    "log_timezone": "UTC",
    "timezone": "UTC",
}


def memory_bytes() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def buffer_megabytes(memory: int) -> int:
    return max(LEAST_BUFFER_MB, min(MOST_BUFFER_MB, memory // BUFFERED_SHARE // 1024**2))


@dataclass(frozen=True)
class PostgresAddress:
    socket_folder: Path
    port: int = POSTGRES_PORT

    def url(self, user: str, password: str, database: str) -> str:
        host = quote(str(self.socket_folder), safe="")
        return f"postgresql://{user}:{password}@/{quote(database, safe='')}?host={host}&port={self.port}"


class PostgresEngine:
    """Runs inside the event loop of the process that holds the data folder."""

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
        self._service = Service(self._folder.logs / "postgres.log", READY_WORDS, self._on_line)
        self._address: PostgresAddress | None = None

    @property
    def pid(self) -> int | None:
        return self._service.pid

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
        self._remove_stale_files(sockets)
        settings = SETTINGS | {
            "cluster_name": self._folder.postgres_mark,
            "unix_socket_directories": str(sockets),
            "fsync": "on" if self._fsync else "off",
            "shared_buffers": f"{buffer_megabytes(memory_bytes())}MB",
        }
        code = await self._service.launch(
            self._nursery,
            [
                reachable_postgres(programs, account).postgres,
                *("-D", data_folder_argument(self._folder.cluster, account), "-p", str(POSTGRES_PORT)),
                *(part for name, value in settings.items() for part in ("-c", f"{name}={value}")),
            ],
            folder=self._folder.cluster,
            account=account,
            death_signal=signal.SIGINT,
            lock=self._lock.descriptor,
        )
        if code is not None:
            raise EngineUnavailable(self._explain(code))
        self._address = PostgresAddress(sockets)
        return self._address

    async def died(self) -> int:
        """Returns when the running server is gone."""
        return await self._service.died()

    async def stop(self) -> None:
        await self._service.stop(signal.SIGINT, SHUTDOWN_SECONDS)
        if self._folder.root.exists():
            await end_leftovers(self._folder.postgres_mark)
        self._lock.release()

    async def _take_over(self) -> None:
        """We hold the data folder, so whatever PostgreSQL still runs in it was left behind.

        A killed supervisor's server is shutting down by its death signal; a killed server's backends never end
        by themselves while they compute.
        """
        await end_leftovers(self._folder.postgres_mark, LEFTOVER_SECONDS if self._address is None else 0.0)
        if not self._lock.take():
            raise EngineUnavailable(
                f"Another PostgreSQL still uses {self._folder.cluster}: end that process, then retry."
            )

    def _remove_stale_files(self, sockets: Path) -> None:
        """Pid files may name a process that lives but is somebody else's; our lock knows better."""
        for stale in (self._folder.cluster / "postmaster.pid", *sockets.glob(".s.PGSQL.*")):
            stale.unlink(missing_ok=True)

    def _on_line(self, text: str, ready: bool) -> None:
        if not ready and ("recovery" in text or "redo" in text):
            self._progress(f"PostgreSQL recovers from an interruption: {text.rpartition('LOG:  ')[2]}")

    def _explain(self, code: int) -> str:
        said = self._service.last_lines
        if any("No space left on device" in line for line in said):
            return str(full_disk(self._folder.data_dir))
        fatal = [line for line in said if "FATAL" in line or "PANIC" in line or "error while loading" in line]
        reason = fatal[-1].rpartition(":  ")[2] if fatal else f"it ended with code {code}"
        return f"PostgreSQL does not start: {reason} (see {self._folder.logs / 'postgres.log'})."

"""The embedded NATS JetStream: loopback, password, one server to a store, back on the same port."""

from __future__ import annotations

import asyncio
import shutil
import signal
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lumbung.errors import EngineUnavailable
from lumbung.runtime.engines.binaries import find_nats, reachable_nats
from lumbung.runtime.engines.children import Child, Nursery, end_leftovers
from lumbung.runtime.engines.layout import EngineFolder, EngineSecrets, write_private
from lumbung.runtime.engines.lock import FileLock
from lumbung.runtime.engines.logfile import LimitedLog
from lumbung.runtime.engines.privilege import engine_account, give_tree

if TYPE_CHECKING:
    from pathlib import Path

USER = "lumbung"
SHUTDOWN_SECONDS = 20.0
START_SECONDS = 60.0
PORT_ATTEMPTS = 5
CONFIGURATION = """\
listen: "127.0.0.1:{port}"
server_name: lumbung
max_payload: 1MB
logtime_utc: true
jetstream {{
  store_dir: "store"
  max_memory_store: 64MB
  max_file_store: 8GB
  sync_interval: {sync_interval}
}}
authorization {{ user: {user}, password: "{password}" }}
"""


@dataclass(frozen=True)
class NatsAddress:
    port: int
    password: str

    @property
    def url(self) -> str:
        return f"nats://{USER}:{self.password}@127.0.0.1:{self.port}"


class NatsEngine:
    """Runs inside an event loop that reaps children (the supervisor's)."""

    def __init__(self, data_dir: Path, *, nursery: Nursery | None = None, sync_interval: str = "2m") -> None:
        self._folder = EngineFolder(data_dir)
        self._nursery = nursery
        self._sync_interval = sync_interval
        self._lock = FileLock(self._folder.nats_lock)
        self._log = LimitedLog(self._folder.logs / "nats.log")
        self._child: Child | None = None
        self._reading: asyncio.Task[None] | None = None
        self._address: NatsAddress | None = None

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child is not None and self._child.running else None

    async def start(self) -> NatsAddress:
        if self._address is not None and self.pid is not None:
            return self._address
        self._nursery = self._nursery or Nursery()
        self._folder.prepare()
        await end_leftovers(self._folder.nats)
        if not self._lock.take():
            raise EngineUnavailable(
                f"Another nats-server still uses {self._folder.nats}: stop it with `lumbung down`, then retry."
            )
        ports = [self._address.port] if self._address else self._ports_to_try()
        for port in ports:
            address = NatsAddress(port, EngineSecrets.load(self._folder.secrets).nats)
            self._configure(address)
            if await self._launch(self._nursery):
                self._address = address
                return address
        raise EngineUnavailable(
            f"nats-server does not start on port {ports[-1]}: {self._log.tail.rpartition('] ')[2] or 'no word'} "
            f"(see {self._folder.logs / 'nats.log'})."
        )

    async def died(self) -> int:
        if self._child is None:
            raise RuntimeError("nats-server was not started")
        return await asyncio.shield(self._child.exited)

    async def stop(self) -> None:
        if self._child is not None:
            await self._child.stop(signal.SIGTERM, SHUTDOWN_SECONDS)
        if self._reading is not None:
            await self._reading
        self._lock.release()

    def _ports_to_try(self) -> list[int]:
        """The port of last time first, so that addresses handed out before stay true."""
        record = self._folder.nats / "port"
        known = [int(record.read_text())] if record.exists() else []
        return [*known, *(_free_port() for _ in range(PORT_ATTEMPTS))]

    def _configure(self, address: NatsAddress) -> None:
        folder = self._folder.nats
        folder.mkdir(mode=0o700, exist_ok=True)
        write_private(
            folder / "nats.conf",
            CONFIGURATION.format(
                port=address.port, sync_interval=self._sync_interval, user=USER, password=address.password
            ),
        )
        write_private(folder / "port", str(address.port))
        give_tree(folder, engine_account(self._folder.cluster))

    async def _launch(self, nursery: Nursery) -> bool:
        account = engine_account(self._folder.cluster)
        self._child = await nursery.start(
            # A name relative to the working folder: the account may not be able to pass the folders above.
            [reachable_nats(find_nats(), account), "-c", "nats.conf"],
            folder=self._folder.nats,
            account=account,
            kept_descriptors=[self._lock.descriptor],
        )
        ready = asyncio.get_running_loop().create_future()
        self._reading = asyncio.create_task(self._follow_output(self._child, ready))
        return await asyncio.wait_for(ready, START_SECONDS)

    async def _follow_output(self, child: Child, ready: asyncio.Future[bool]) -> None:
        async for line in child.output:
            text = self._log.write(line)
            if "Server is ready" in text and not ready.done():
                ready.set_result(True)
        await child.exited
        if not ready.done():
            ready.set_result(False)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wipe_nats_store(data_dir: Path) -> None:
    """Delete what the broker keeps: it is a carrier only, the database holds the truth."""
    shutil.rmtree(EngineFolder(data_dir).nats / "store", ignore_errors=True)

"""The embedded NATS JetStream: loopback, password, one server to a store, back on the same port."""

from __future__ import annotations

import asyncio
import random
import shutil
import signal
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lumbung.errors import EngineUnavailable
from lumbung.runtime.engines.binaries import find_nats, reachable_nats
from lumbung.runtime.engines.children import Nursery, end_leftovers
from lumbung.runtime.engines.layout import EngineFolder, EngineSecrets, full_disk, write_private
from lumbung.runtime.engines.lock import FileLock
from lumbung.runtime.engines.privilege import engine_account, give_tree
from lumbung.runtime.engines.service import Service

if TYPE_CHECKING:
    from pathlib import Path

USER = "lumbung"
READY_WORDS = "Server is ready"
DEFAULT_SYNC_INTERVAL = "2m"
SHUTDOWN_SECONDS = 20.0
START_SECONDS = 60.0
LEFTOVER_SECONDS = 2.0
PORT_ATTEMPTS = 5
# Below the range from which the kernel lends ports to outgoing connections, so that none sits on ours.
PORTS = range(14000, 32000)
CONFIGURATION = """\
listen: "127.0.0.1:{port}"
max_payload: 1MB
logtime_utc: true
jetstream {{
  store_dir: "store"
  max_memory_store: 64MB
  max_file_store: 8GB
  sync_interval: "{sync_interval}"
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
    """Runs inside the event loop of the process that holds the data folder."""

    def __init__(
        self, data_dir: Path, *, nursery: Nursery | None = None, sync_interval: str = DEFAULT_SYNC_INTERVAL
    ) -> None:
        self._folder = EngineFolder(data_dir)
        self._nursery = nursery
        self._sync_interval = sync_interval
        self._lock = FileLock(self._folder.nats_lock)
        self._service = Service(self._folder.logs / "nats.log", READY_WORDS, self._on_line)
        self._address: NatsAddress | None = None
        self._wipe_at_start = False

    @property
    def pid(self) -> int | None:
        return self._service.pid

    async def start(self) -> NatsAddress:
        """Running and answering when this returns; a store it cannot open is set aside, for it is only a carrier."""
        if self._address is not None and self.pid is not None:
            return self._address
        self._nursery = self._nursery or Nursery()
        self._folder.prepare()
        await end_leftovers(self._folder.nats_mark, LEFTOVER_SECONDS if self._address is None else 0.0)
        if not self._lock.take():
            raise EngineUnavailable(f"Another nats-server still uses {self._folder.nats}: end it, then retry.")
        if self._wipe_at_start:
            wipe_store(self._folder)
            self._wipe_at_start = False
        for port in self._ports_to_try():
            self._address = await self._start_on(port, self._nursery) or self._address
            if self.pid is not None and self._address is not None:
                return self._address
            if self._said("no space left on device"):
                raise full_disk(self._folder.data_dir)
            if not self._said("address already in use"):
                self._set_store_aside()
        last = self._service.last_lines[-1].rpartition("] ")[2] if self._service.last_lines else "it said nothing"
        raise EngineUnavailable(f"nats-server does not start: {last} (see {self._folder.logs / 'nats.log'}).")

    async def died(self) -> int:
        return await self._service.died()

    async def stop(self) -> None:
        await self._service.stop(signal.SIGTERM, SHUTDOWN_SECONDS)
        self._lock.release()

    async def wipe(self) -> None:
        """End the server; whoever watches it starts it again, with an empty store."""
        self._wipe_at_start = True
        await self._service.stop(signal.SIGKILL, SHUTDOWN_SECONDS)

    def _ports_to_try(self) -> list[int]:
        """The port of last time first, so that addresses handed out before stay true; while running, no other."""
        if self._address is not None:
            return [self._address.port] * 2
        record = self._folder.nats / "port"
        known = [int(record.read_text())] if record.exists() else []
        return [*known, *(_free_port() for _ in range(PORT_ATTEMPTS))]

    async def _start_on(self, port: int, nursery: Nursery) -> NatsAddress | None:
        address = NatsAddress(port, EngineSecrets.load(self._folder.secrets).nats)
        account = engine_account(self._folder.cluster)
        self._folder.nats.mkdir(mode=0o700, exist_ok=True)
        for name, text in (("nats.conf", self._configuration(address)), ("port", str(port))):
            write_private(self._folder.nats / name, text)
        give_tree(self._folder.nats, account)
        try:
            async with asyncio.timeout(START_SECONDS):
                code = await self._service.launch(
                    nursery,
                    # Relative to the working folder: the account may not be able to pass the folders above.
                    [reachable_nats(find_nats(), account), "--name", self._folder.nats_mark, "-c", "nats.conf"],
                    folder=self._folder.nats,
                    account=account,
                    death_signal=signal.SIGTERM,
                    lock=self._lock.descriptor,
                )
        except TimeoutError:
            await self._service.stop(signal.SIGKILL, SHUTDOWN_SECONDS)
            return None
        return address if code is None else None

    def _configuration(self, address: NatsAddress) -> str:
        return CONFIGURATION.format(
            port=address.port, sync_interval=self._sync_interval, user=USER, password=address.password
        )

    def _said(self, words: str) -> bool:
        return any(words in line for line in self._service.last_lines)

    def _set_store_aside(self) -> None:
        store = self._folder.nats / "store"
        aside = self._folder.nats / "store.unreadable"
        if store.exists():
            shutil.rmtree(aside, ignore_errors=True)
            store.rename(aside)

    def _on_line(self, text: str, ready: bool) -> None:
        """After a full disk the server runs on without its store until it is restarted."""
        if ready and ("will be DISABLED" in text or "no space left on device" in text):
            self._service.tell(signal.SIGTERM)


def wipe_store(folder: EngineFolder) -> None:
    shutil.rmtree(folder.nats / "store", ignore_errors=True)


def _free_port() -> int:
    while True:
        port = random.SystemRandom().choice(PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port

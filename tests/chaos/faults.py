"""The faults: what each does, and what must be in flight for it to count."""

from __future__ import annotations

import asyncio
import ctypes
import os
import random
import resource
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from lumbung.runtime.engines import EnginePids, engine_pids, wipe_nats_store
from lumbung.runtime.engines.cluster import SUPERUSER
from lumbung.runtime.engines.layout import EngineFolder, EngineSecrets
from lumbung.runtime.failpoints import NAMES
from tests.chaos.disk import SmallDisk
from tests.chaos.installation import InFlight, Installation
from tests.chaos.parts import Parts

FREEZE_SECONDS = (1.0, 3.0)
FULL_SECONDS = 1.5
PIDFD_GETFD = 438
"""The number of a system call that Python has no name for; the same on every architecture."""
NOT_IN_THIS_RUN = ("library.", "pictures.", "mail.", "archive.announced", "archive.rewritten", "archive.moved")
"""Boundaries of a remote library, pictures, mail, object storage and erasure: the fixed pages lead to none of them."""
OF_A_MODEL = "ledger."


@dataclass
class Scene:
    """What a fault may reach."""

    folder: Path
    parts: Parts
    installation: Installation
    disk: SmallDisk
    random: random.Random

    def superuser_url(self) -> str:
        secrets = EngineSecrets.load(EngineFolder(self.folder).secrets)
        own = conninfo_to_dict(self.installation.system.addresses.machine)
        return make_conninfo("", **own | {"user": SUPERUSER, "password": secrets.superuser})

    def pids(self) -> EnginePids | None:
        return engine_pids(self.folder)


@dataclass(frozen=True)
class Fault:
    name: str
    strike: Callable[[Scene], Awaitable[bool]]
    """True if there was something to hit."""
    engine: str | None = None
    """The engine that must come back."""
    group: bool = False
    """The funnel's own processes must come back as well."""

    def counts(self, flight: InFlight) -> bool:
        if self.engine == "nats" or self.name.startswith("relay"):
            return flight.queued
        return flight.busy


def signal_to(pid: int | None, number: signal.Signals) -> bool:
    if pid is None:
        return False
    with suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False


async def kill_worker(scene: Scene) -> bool:
    working = [worker for worker in scene.parts.workers if worker.works]
    return bool(working) and scene.random.choice(working).kill()


async def kill_relay(scene: Scene) -> bool:
    return scene.parts.relay.works and scene.parts.relay.kill()


async def kill_nats(scene: Scene) -> bool:
    pids = scene.pids()
    return pids is not None and signal_to(pids.nats, signal.SIGKILL)


async def kill_postgres(scene: Scene) -> bool:
    pids = scene.pids()
    return pids is not None and signal_to(pids.postgres, signal.SIGKILL)


async def kill_supervisor(scene: Scene) -> bool:
    pids = scene.pids()
    return pids is not None and signal_to(pids.supervisor, signal.SIGKILL)


async def kill_all(scene: Scene) -> bool:
    pids = scene.pids()
    if pids is None or not any(part.works for part in scene.parts.all):
        return False
    hit = [signal_to(pid, signal.SIGKILL) for pid in (pids.supervisor, pids.postgres, pids.nats)]
    return any([*(part.kill() for part in scene.parts.all), *hit])


async def wipe_nats(scene: Scene) -> bool:
    if scene.pids() is None:
        return False
    await asyncio.to_thread(wipe_nats_store, scene.folder)
    return True


def freezing(engine: str) -> Callable[[Scene], Awaitable[bool]]:
    async def freeze(scene: Scene) -> bool:
        pids = scene.pids()
        pid = getattr(pids, engine) if pids else None
        frozen = [pid] if engine == "nats" else family(pid)
        if pid is None or not all([signal_to(each, signal.SIGSTOP) for each in frozen]):
            return False
        await asyncio.sleep(scene.random.uniform(*FREEZE_SECONDS))
        for each in frozen:
            signal_to(each, signal.SIGCONT)
        return True

    return freeze


def family(pid: int | None) -> list[int]:
    if pid is None:
        return []
    children = Path(f"/proc/{pid}/task/{pid}/children")
    return [pid, *map(int, children.read_text().split())] if children.exists() else [pid]


async def cut_connections(scene: Scene) -> bool:
    try:
        async with await psycopg.AsyncConnection.connect(scene.superuser_url(), autocommit=True) as connection:
            cursor = await connection.execute(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity "
                "where pid <> pg_backend_pid() and usename in ('lumbung_machine', 'lumbung_people')"
            )
            found = await cursor.fetchone()
    except psycopg.Error:
        return False
    return bool(found and found[0])


async def cut_wires(scene: Scene) -> bool:
    """Every TCP connection of the NATS server breaks, at both ends, while both ends live on."""
    pids = scene.pids()
    if pids is None or pids.nats is None:
        return False
    return await asyncio.to_thread(shut_sockets_of, pids.nats) > 0


def shut_sockets_of(pid: int) -> int:
    """Through copies of another process' descriptors; only where the kernel lets us."""
    cut = 0
    with suppress(OSError):
        handle = os.pidfd_open(pid)
        try:
            for entry in Path(f"/proc/{pid}/fd").iterdir():
                with suppress(OSError):
                    cut += os.readlink(entry).startswith("socket:") and shut_copy_of(handle, int(entry.name))
        finally:
            os.close(handle)
    return cut


def shut_copy_of(handle: int, descriptor: int) -> bool:
    copy = ctypes.CDLL(None, use_errno=True).syscall(PIDFD_GETFD, handle, descriptor, 0)
    if copy < 0:
        return False
    with socket.socket(fileno=copy) as wire:
        wire.getpeername()
        wire.shutdown(socket.SHUT_RDWR)
    return True


async def fill_disk(scene: Scene) -> bool:
    """Engines, archive and locks find no room for a while; without a disk of our own, only the archive."""
    if scene.disk.is_small:
        await asyncio.to_thread(scene.disk.fill)
        await asyncio.sleep(FULL_SECONDS)
        scene.disk.empty()
        return True
    pid = scene.parts.relay.pid
    if pid is None:
        return False
    with suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))
        await asyncio.sleep(FULL_SECONDS)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        return True
    return False


FAULTS = (
    Fault("worker killed", kill_worker),
    Fault("relay killed", kill_relay),
    Fault("NATS killed", kill_nats, "nats"),
    Fault("PostgreSQL killed", kill_postgres, "postgres"),
    Fault("engines' supervisor killed", kill_supervisor, "postgres"),
    Fault("everything killed", kill_all, "postgres", group=True),
    Fault("NATS store wiped", wipe_nats, "nats"),
    Fault("NATS frozen", freezing("nats")),
    Fault("PostgreSQL frozen", freezing("postgres")),
    Fault("connections to PostgreSQL cut", cut_connections),
    Fault("connections to NATS cut", cut_wires),
    Fault("disk full", fill_disk),
)


ENGINES_KILLED = tuple(fault for fault in FAULTS if fault.engine and not fault.group)


@dataclass(frozen=True)
class Wave:
    """Failpoints at which two workers and the relay die, each its own; empty for a part that is spared."""

    workers: tuple[str, ...]
    relay: str

    @property
    def name(self) -> str:
        return ", ".join(filter(None, [*self.workers, self.relay]))


def waves(chance: random.Random, model: bool) -> list[Wave]:
    """Every failpoint once."""
    names = [name for name in NAMES if not name.startswith(NOT_IN_THIS_RUN)]
    names = [name for name in names if model or not name.startswith(OF_A_MODEL)]
    relays = [name for name in names if name.startswith(("relay.", "archive."))]
    workers = [name for name in names if name not in relays]
    chance.shuffle(relays)
    chance.shuffle(workers)
    number = max(len(relays), (len(workers) + 1) // 2)
    padded = relays + [""] * (number - len(relays))
    return [Wave(tuple(workers[2 * place : 2 * place + 2]), padded[place]) for place in range(number)]


def planned(chance: random.Random, only: str = "", model: bool = False) -> Iterator[Fault | Wave]:
    """Every failpoint and every fault in turn, in an order of the seed's, without end."""
    while True:
        turn: list[Fault | Wave] = [*waves(chance, model), *FAULTS, *ENGINES_KILLED]
        chance.shuffle(turn)
        yield from (each for each in turn if only in each.name)

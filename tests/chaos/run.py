"""One seeded run: the pages are harvested while the planned faults strike; then the outcome is read."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.faults import Fault, Scene, planned
from tests.chaos.installation import Installation, Outcome
from tests.chaos.pages import PAGES_A_HOST, PageServer
from tests.chaos.parts import Part, Parts

POLL_SECONDS = 0.02
SETTLE_SECONDS = 240.0
STRIKE_SECONDS = 30.0
LONGEST_PAUSE_SECONDS = 0.3


@dataclass
class Record:
    """What struck, and what it hit."""

    survived: list[str] = field(default_factory=list)
    idle: int = 0
    recovery_seconds: list[float] = field(default_factory=list)
    outcome: Outcome | None = None
    seconds: float = 0.0


class ChaosRun:
    def __init__(self, folder: Path, number_of_hosts: int, seed: int, faults: int, talk: bool) -> None:
        self._folder = folder
        self._random = random.Random(seed)
        self._plan = planned(self._random, faults)
        self._talk = talk
        self._record = Record()
        self._failpoint_struck = asyncio.Event()
        self._server = PageServer(number_of_hosts)
        self._pages_a_fault = max(1, number_of_hosts * PAGES_A_HOST // max(1, faults))
        self._installation = Installation(folder)

    async def run(self) -> Record:
        started = time.monotonic()
        await self._server.start()
        hosts_file = self._folder / "hosts.txt"
        hosts_file.write_text(self._server.hosts_lines(), encoding="ascii")
        await self._installation.open()
        self._parts = Parts(self._folder, hosts_file, self._at_failpoint)
        self._scene = Scene(self._folder, self._parts, self._installation, self._random)
        try:
            self._parts.keep()
            if not self._plan:
                self._server.open()
            for fault in self._plan:
                self._server.permit(self._pages_a_fault)
                await (self._at_boundary(fault) if isinstance(fault, str) else self._strike(fault))
            self._server.open()
            await self._until_dry()
            self._record.outcome = await self._installation.outcome()
        finally:
            await self._parts.stop()
            await self._installation.close()
            await self._server.stop()
        self._record.seconds = time.monotonic() - started
        return self._record

    def _note(self, sentence: str) -> None:
        self._record.survived.append(sentence)
        if self._talk:
            print(f"  {len(self._record.survived):3}  {sentence}", flush=True)

    def _at_failpoint(self, part: str, failpoint: str) -> None:
        self._note(f"{part} died at {failpoint}")
        self._failpoint_struck.set()

    async def _at_boundary(self, name: str) -> None:
        """Arm a process with the failpoint by killing it, and wait until it has died there."""
        part = self._part_of(name)
        self._failpoint_struck.clear()
        part.next_failpoint = f"{name}={self._random.randint(1, 2)}"
        part.kill()
        deadline = time.monotonic() + STRIKE_SECONDS
        while not self._failpoint_struck.is_set() and time.monotonic() < deadline:
            try:
                await asyncio.wait_for(self._failpoint_struck.wait(), 2.0)
            except TimeoutError:
                self._server.permit(1)
        if not self._failpoint_struck.is_set():
            self._record.idle += 1

    def _part_of(self, failpoint: str) -> Part:
        if failpoint.startswith(("relay.", "archive.")):
            return self._parts.relay
        return self._random.choice(self._parts.workers)

    async def _strike(self, fault: Fault) -> None:
        await asyncio.sleep(self._random.uniform(0, LONGEST_PAUSE_SECONDS))
        deadline = time.monotonic() + STRIKE_SECONDS
        turn = 0
        while time.monotonic() < deadline:
            flight = await self._installation.in_flight()
            if fault.counts(flight):
                struck_at = time.monotonic()
                before = self._scene.pids()
                if await fault.strike(self._scene):
                    self._note(f"{fault.name} ({flight.told()})")
                    if fault.engine:
                        await self._recovery(fault.engine, before, struck_at)
                    return
            turn += 1
            if turn % 50 == 0:
                self._server.permit(1)
            await asyncio.sleep(POLL_SECONDS)
        self._record.idle += 1

    async def _recovery(self, engine: str, before: object, struck_at: float) -> None:
        """Until the engine is another process and a job has been done after that."""
        deadline = struck_at + STRIKE_SECONDS
        old = getattr(before, engine)
        while time.monotonic() < deadline:
            now = self._scene.pids()
            if now is not None and getattr(now, engine) not in {None, old}:
                break
            await asyncio.sleep(POLL_SECONDS)
        done = (await self._installation.in_flight()).done
        self._server.permit(2)
        while time.monotonic() < deadline:
            if (await self._installation.in_flight()).done > done:
                self._record.recovery_seconds.append(time.monotonic() - struck_at)
                return
            await asyncio.sleep(POLL_SECONDS)

    async def _until_dry(self) -> None:
        async with asyncio.timeout(SETTLE_SECONDS):
            while not await self._installation.dry():
                await asyncio.sleep(0.2)

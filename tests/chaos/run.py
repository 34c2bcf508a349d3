"""One seeded run: the pages are harvested while the planned faults strike; then the outcome is read."""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from lumbung.demo.protocol_server import ProtocolServer
from tests.chaos.disk import SmallDisk
from tests.chaos.faults import Fault, Scene, Wave, planned
from tests.chaos.installation import Installation, Outcome
from tests.chaos.model import mind, settings_of
from tests.chaos.pages import PAGES_A_HOST, PageServer
from tests.chaos.parts import Part, Parts, Place

POLL_SECONDS = 0.02
SETTLE_SECONDS = 240.0
START_SECONDS = 120.0
STRIKE_SECONDS = 20.0
LONGEST_PAUSE_SECONDS = 0.3
FEW_AT_ONCE = {"LUMBUNG_CRAWL__REQUESTS_AT_ONCE": "2"}
"""So that the pages last as long as the faults do."""


@dataclass(frozen=True)
class Plan:
    """What is harvested, and what strikes meanwhile."""

    hosts: int
    seed: int = 0
    faults: int = 0
    model: bool = False
    """Pages are read by a model over HTTP, so that the ledger has something to hold."""
    talk: bool = False
    only: str = ""
    """Faults whose name holds this, and no others."""


@dataclass
class Record:
    """What struck, and what it hit."""

    survived: list[str] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)
    recovery_seconds: dict[str, list[float]] = field(default_factory=dict)
    outcome: Outcome | None = None
    seconds: float = 0.0

    def told(self) -> Outcome:
        assert self.outcome is not None
        return self.outcome


class ChaosRun:
    def __init__(self, prepared: Path, folder: Path, plan: Plan) -> None:
        self._prepared = prepared
        self._disk = SmallDisk(folder)
        self._logs = folder.with_name(f"{folder.name}-logs")
        self._random = random.Random(plan.seed)
        self._plan = plan
        self._record = Record()
        self._server = PageServer(plan.hosts)
        self._pages_a_fault = max(1, plan.hosts * PAGES_A_HOST // max(1, plan.faults))
        self._installation = Installation(folder)

    async def run(self) -> Record:
        started = time.monotonic()
        self._logs.mkdir(parents=True)
        self._disk.hold_copy_of(self._prepared)
        async with AsyncExitStack() as stack:
            stack.callback(self._disk.remove)
            await self._open(stack)
            self._parts.keep()
            if self._plan.faults:
                await self._strike_all()
            self._server.open()
            await self._until_dry()
            self._record.outcome = await self._installation.outcome()
        self._record.seconds = time.monotonic() - started
        return self._record

    async def _open(self, stack: AsyncExitStack) -> None:
        environment = FEW_AT_ONCE if self._plan.faults else {}
        if self._plan.model:
            model = await stack.enter_async_context(ProtocolServer(mind=mind))
            environment = environment | settings_of(f"http://127.0.0.1:{model.port}/v1")
        await self._server.start()
        stack.push_async_callback(self._server.stop)
        hosts_file = self._logs / "hosts.txt"
        hosts_file.write_text(self._server.hosts_lines(), encoding="ascii")
        await self._installation.open(environment)
        stack.push_async_callback(self._installation.close)
        place = Place(self._installation.folder, self._logs, environment)
        self._parts = Parts(place, hosts_file, self._at_failpoint)
        stack.push_async_callback(self._parts.stop)
        self._scene = Scene(self._installation.folder, self._parts, self._installation, self._disk, self._random)

    async def _strike_all(self) -> None:
        while not all(part.works for part in self._parts.all):
            await asyncio.sleep(POLL_SECONDS)
        plan = planned(self._random, self._plan.only, self._plan.model)
        while len(self._record.survived) < self._plan.faults and not await self._installation.dry():
            fault = next(plan)
            self._server.permit(self._pages_a_fault)
            await (self._at_boundaries(fault) if isinstance(fault, Wave) else self._strike(fault))

    def _note(self, sentence: str) -> None:
        self._record.survived.append(sentence)
        self._say(f"{len(self._record.survived):3}  {sentence}")

    def _note_idle(self, name: str) -> None:
        self._record.idle.append(name)
        self._say(f"     {name} found nothing to hit")

    def _say(self, sentence: str) -> None:
        if self._plan.talk:
            print(f"  {time.strftime('%H:%M:%S')} {sentence}", flush=True)

    def _at_failpoint(self, part: str, failpoint: str) -> None:
        self._note(f"{part} died at {failpoint}")

    async def _at_boundaries(self, wave: Wave) -> None:
        """Killed processes come back with a failpoint each; wait until they have died there too."""
        self._random.shuffle(self._parts.workers)
        struck = [*zip(self._parts.workers, wave.workers, strict=False), (self._parts.relay, wave.relay)]
        for part, name in struck:
            if name:
                await self._arm(part, name)
        for part, name in struck:
            if name and not await self._dies(part):
                self._note_idle(f"{part.name} at {name}")

    async def _dies(self, part: Part) -> bool:
        """However long a busy machine takes to start the process: the time to die counts from when it works."""
        deadline = time.monotonic() + START_SECONDS
        while not part.struck.is_set() and time.monotonic() < deadline and not await self._installation.dry():
            if part.works:
                deadline = min(deadline, time.monotonic() + STRIKE_SECONDS)
            if not (await self._installation.in_flight()).queued:
                self._server.permit(1)
            with suppress(TimeoutError):
                await asyncio.wait_for(part.struck.wait(), 0.5)
        return part.struck.is_set()

    async def _arm(self, part: Part, failpoint: str) -> None:
        flight = await self._installation.in_flight()
        counts = part.works and flight.busy
        # Without a pause in between: a part that starts again by itself meanwhile would use the failpoint up.
        part.arm(f"{failpoint}={self._random.randint(1, 2)}")
        if part.kill() and counts:
            self._note(f"{part.name} killed ({flight.told()})")

    async def _strike(self, fault: Fault) -> None:
        await asyncio.sleep(self._random.uniform(0, LONGEST_PAUSE_SECONDS))
        deadline = time.monotonic() + STRIKE_SECONDS
        turn = 0
        while time.monotonic() < deadline:
            flight = await self._installation.in_flight()
            if fault.counts(flight):
                struck_at = time.monotonic()
                before = self._scene.pids()
                complete = all(part.works for part in self._parts.all)
                if await fault.strike(self._scene):
                    self._note(f"{fault.name} ({flight.told()})")
                    if fault.engine and complete:
                        await self._recovery(fault, before, struck_at)
                    return
            turn += 1
            if turn % 50 == 0:
                if await self._installation.dry():
                    break
                self._server.permit(1)
            await asyncio.sleep(POLL_SECONDS)
        self._note_idle(fault.name)

    async def _recovery(self, fault: Fault, before: object, struck_at: float) -> None:
        """Until the engine is another process and a job has been done after that."""
        deadline = struck_at + STRIKE_SECONDS
        engine = fault.engine or ""
        old = getattr(before, engine)
        while time.monotonic() < deadline:
            now = self._scene.pids()
            if now is not None and getattr(now, engine) not in {None, old}:
                break
            await asyncio.sleep(POLL_SECONDS)
        back = time.monotonic() - struck_at
        done = (await self._installation.in_flight()).done
        self._server.permit(2)
        while time.monotonic() < deadline:
            if (await self._installation.in_flight()).done > done:
                seconds = time.monotonic() - struck_at
                self._record.recovery_seconds.setdefault(fault.name, []).append(seconds)
                self._say(f"     recovered after {seconds:.2f} s, the engine itself after {back:.2f} s")
                return
            await asyncio.sleep(POLL_SECONDS)

    async def _until_dry(self) -> None:
        async with asyncio.timeout(SETTLE_SECONDS):
            while not await self._installation.dry():
                await asyncio.sleep(0.2)

"""One harvest by three machines over servers of an operator's own, with or without trouble."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import nats

from lumbung.queues.jetstream import stream_of
from tests.acceptance.system.program import Started
from tests.chaos.pages import PAGES_A_HOST, PageServer, host_names
from tests.chaos.run import FEW_AT_ONCE
from tests.cluster.machines import Machine, own_machine
from tests.cluster.network import SERVERS, Cable, Network
from tests.cluster.servers import LOOPBACK, NODES, DatabaseServer, Node, cluster
from tests.integration.archive.shelf import shelf_of
from tests.integration.archive.storage import ObjectServer

STAGES = ("extract", "encode", "decide", "publish")
MACHINES = (("-600", ()), ("+600", STAGES), ("-3600", STAGES[1:]))
"""What each machine's clock is off by, in seconds, and the stages that it serves; the first one crawls, relays and archives.
Object storage refuses whoever is off by more than fifteen minutes, so that the last one reads no pages."""
PATIENCE_SECONDS = 240
HARVEST_SECONDS = 600
PAGE_SECONDS = 4.0


@dataclass(frozen=True)
class Servers:
    """What an operator runs for all machines."""

    address: str
    network: Network | None
    database: DatabaseServer
    objects: ObjectServer | None
    """Where it is left out, the archive is in a folder that all machines share."""


class Harvest:
    def __init__(self, servers: Servers, folder: Path, hosts: int, machines: int = len(MACHINES)) -> None:
        self._servers = servers
        self._folder = folder
        self._hosts = hosts
        self._kinds = MACHINES[:1] + MACHINES[len(MACHINES) - machines + 1 :]
        self._pages = PageServer(hosts, servers.address)
        self._nodes: list[Node] = []
        self._machines: list[Machine] = []
        self._commands: list[Started] = []

    async def run(self, trouble: Trouble | None = None) -> list[str]:
        """The canonical export after a harvest to its end."""
        self._folder.mkdir()
        self._folder.chmod(0o711)
        async with AsyncExitStack() as stack:
            await self._pages.start()
            stack.push_async_callback(self._pages.stop)
            self._nodes = stack.enter_context(cluster(self._folder, self._servers.address))
            self._machines = self._made_machines()
            running = self._start(stack)
            if trouble:
                await trouble.strike(self)
            self._pages.open()
            code = await asyncio.to_thread(running.end, HARVEST_SECONDS)
            assert code == 0, running.lines
            first = self._machines[0].program
            assert (await asyncio.to_thread(first.records, "verify", "--json"))[-1]["ok"]
            assert not (first.data_dir / "archive").exists()
            return (await asyncio.to_thread(first, "export", "--canonical", "--status", "all")).splitlines()

    def _made_machines(self) -> list[Machine]:
        """The first has all three logins; those that only work have the machine's."""
        urls = self._servers.database.make_database(self._folder.name)
        shared = {
            "LUMBUNG_DATABASE_MACHINE_URL": urls["machine"],
            "LUMBUNG_NATS_URL": ",".join(node.url for node in self._nodes),
            "LUMBUNG_NATS_REPLICAS": str(NODES),
        } | self._archive()
        people = {"LUMBUNG_DATABASE_URL": urls["people"], "LUMBUNG_DATABASE_OWNER_URL": urls["owner"]} | FEW_AT_ONCE
        made = []
        for number, (clock, _) in enumerate(self._kinds):
            cable = self._servers.network.cable() if self._servers.network else None
            addresses = shared | (people if number == 0 else {})
            made.append(own_machine(self._folder / f"machine-{number}", number, clock, addresses, cable))
        return made

    def _archive(self) -> dict[str, str]:
        if self._servers.objects:
            return shelf_of(self._servers.objects.bucket()).environment
        shared = self._folder / "archive"
        shared.mkdir()
        shared.chmod(0o777)
        return {"LUMBUNG_ARCHIVE_DIR": str(shared)}

    def _start(self, stack: AsyncExitStack) -> Started:
        first, *others = self._machines
        print(first.program("migrate").strip(), flush=True)
        hosts = first.program.data_dir.parent / "hosts.txt"
        hosts.write_text(self._pages.hosts_lines(), encoding="ascii")
        seeds = [part for host in host_names(self._hosts) for part in ("--seed", f"http://{host}/")]
        asked = ("--hosts", hosts, "--delay", "0", "--demo-governance", "--until-dry", "--json")
        helping = []
        for machine, (_, served) in zip(others, self._kinds[1:], strict=True):
            stages = [part for stage in served for part in ("--stage", stage)]
            helping.append(machine.program.start("up", *stages, "--processes", "1"))
        self._commands = [first.program.start("harvest", *seeds, *asked), *helping]
        for each in self._commands:
            stack.callback(end, each)
        return self._commands[0]

    @property
    def pages(self) -> PageServer:
        return self._pages

    @property
    def nodes(self) -> list[Node]:
        return self._nodes

    @property
    def objects(self) -> ObjectServer | None:
        return self._servers.objects

    @property
    def last(self) -> int:
        """The number of a machine that only works."""
        return len(self._machines) - 1

    def cable(self, number: int) -> Cable | None:
        return self._machines[number].cable

    def finished_by(self, number: int | None) -> int:
        """How often jobs were finished by a machine, or by all."""
        machines = self._machines if number is None else [self._machines[number]]
        addresses = {each.cable.address if each.cable else LOOPBACK for each in machines}
        return sum(map(self._servers.database.finished_from, addresses))

    def state(self) -> str:
        said = [line for each in self._commands for line in each.lines[-3:]]
        return f"{self._pages.served} of {PAGES_A_HOST * self._hosts} pages served; {said}"


def end(command: Started) -> None:
    if command.process.poll() is None:
        command.kill()


class Trouble:
    """In an order that the seed gives: the leader of a stream killed, a server wiped, the archive away, machines cut off."""

    def __init__(self, seed: int, cut_seconds: float) -> None:
        self._random = random.Random(seed)
        self._cut_seconds = cut_seconds
        self.told: list[str] = []

    async def strike(self, harvest: Harvest) -> None:
        harvest.pages.permit(4)
        await self._goes_on(harvest)
        blows = [self._kill_a_leader, self._wipe_a_server, self._cut_off_a_worker]
        if harvest.objects:
            blows += [self._freeze_the_archive, self._cut_off_the_first]
        self._random.shuffle(blows)
        for blow in blows:
            harvest.pages.permit(2)
            await asyncio.sleep(self._random.uniform(0, 1.5))
            started = time.monotonic()
            await blow(harvest)
            seconds = time.monotonic() - started
            print(f"  {self.told[-1]}; {seconds:.1f} s, {harvest.pages.served} pages so far", flush=True)

    async def _kill_a_leader(self, harvest: Harvest) -> None:
        stage = self._random.choice(STAGES)
        node = harvest.nodes[await leader(harvest.nodes, stage)]
        await asyncio.to_thread(node.kill)
        self.told.append(f"the server that led the stream of {stage} was killed")
        await self._goes_on(harvest)
        node.start()

    async def _wipe_a_server(self, harvest: Harvest) -> None:
        node = self._random.choice(harvest.nodes)
        await asyncio.to_thread(node.wipe)
        self.told.append("a server of NATS lost its disk")
        await self._goes_on(harvest)
        node.start()

    async def _freeze_the_archive(self, harvest: Harvest) -> None:
        assert harvest.objects is not None
        harvest.objects.freeze()
        self.told.append("object storage did not answer")
        await asyncio.sleep(self._random.uniform(1, 5))
        harvest.objects.thaw()

    async def _cut_off_a_worker(self, harvest: Harvest) -> None:
        await self._cut(harvest, harvest.last)

    async def _cut_off_the_first(self, harvest: Harvest) -> None:
        """With it the crawl, the relay and the archiver."""
        await self._cut(harvest, 0)

    async def _cut(self, harvest: Harvest, number: int) -> None:
        cable = harvest.cable(number)
        if cable is None:
            self.told.append(f"machine {number} was NOT cut off, which needs network namespaces")
            return
        await self._works(harvest, number, more_than=0)
        harvest.pages.permit(2)
        cable.cut()
        self.told.append(f"machine {number} was cut off")
        await asyncio.sleep(self._cut_seconds)
        before = harvest.finished_by(number)
        cable.mend()
        await self._works(harvest, number, before)

    async def _goes_on(self, harvest: Harvest) -> None:
        """Jobs are finished, by whomever."""
        finished = harvest.finished_by(None)
        await self._until(harvest, lambda: harvest.finished_by(None) > finished, "nothing moves")

    async def _works(self, harvest: Harvest, number: int, more_than: int) -> None:
        await self._until(harvest, lambda: harvest.finished_by(number) > more_than, f"machine {number} does nothing")

    async def _until(self, harvest: Harvest, holds: Callable[[], bool], else_told: str) -> None:
        """There is a page for it every now and then, but not all of them."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            assert time.monotonic() < deadline, f"{else_told}; {harvest.state()}"
            harvest.pages.permit(1)
            await asyncio.sleep(PAGE_SECONDS)


async def leader(nodes: list[Node], stage: str) -> int:
    """Which server leads the stream of a stage."""
    client = await nats.connect([node.url for node in nodes])
    try:
        info = await client.jetstream().stream_info(stream_of(stage))
        return int(info.cluster.leader.removeprefix("n"))
    finally:
        await client.close()


def address_of(network: Network | None) -> str:
    return SERVERS if network else LOOPBACK

"""A harvest over a NATS cluster, object storage and a second machine that shares nothing but addresses; parts die and return."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import nats
import pytest
from tests.acceptance.system.program import Program, Started
from tests.chaos.pages import PageServer, host_names
from tests.cluster.servers import NODES, Node, cluster
from tests.integration.archive.shelf import shelf_of
from tests.integration.archive.storage import ObjectServer

from lumbung.queues.jetstream import stream_of

HOSTS = 12
CUT_OFF_SECONDS = 8.0
"""How long the second machine is away; longer than a message waits for its answer would only take longer."""

pytestmark = pytest.mark.long


def machine(folder: Path, logins, nodes: list[Node], archive: dict[str, str]) -> Program:
    """A machine with a home and a data folder of its own."""
    home = folder / "home"
    home.mkdir(parents=True)
    return Program(
        folder / "data",
        {
            "HOME": str(home),
            "LUMBUNG_DATABASE_URL": logins.people,
            "LUMBUNG_DATABASE_MACHINE_URL": logins.machine,
            "LUMBUNG_DATABASE_OWNER_URL": logins.owner,
            "LUMBUNG_NATS_URL": ",".join(node.url for node in nodes),
            "LUMBUNG_NATS_REPLICAS": str(NODES),
        }
        | archive,
    )


async def leader(nodes: list[Node], stage: str) -> int:
    """Which server leads the stream of a stage."""
    client = await nats.connect([node.url for node in nodes])
    try:
        info = await client.jetstream().stream_info(stream_of(stage))
        return int(info.cluster.leader.removeprefix("n"))
    finally:
        await client.close()


async def trouble(nodes: list[Node], objects: ObjectServer, second: Started, pages: PageServer) -> None:
    """The leader is killed, another server loses its disk, the archive does not answer for a while, and the second
    machine is cut off, pages coming meanwhile.
    """
    pages.permit(6)
    await until(lambda: pages.served >= 4)
    first = await leader(nodes, "decide")
    await asyncio.to_thread(nodes[first].kill)
    pages.permit(6)
    await until(lambda: pages.served >= 8)
    nodes[first].start()
    await asyncio.sleep(3)
    await asyncio.to_thread(nodes[(first + 1) % NODES].wipe)
    pages.permit(6)
    nodes[(first + 1) % NODES].start()
    objects.freeze()
    os.killpg(second.process.pid, signal.SIGSTOP)
    pages.open()
    await asyncio.sleep(CUT_OFF_SECONDS)
    os.killpg(second.process.pid, signal.SIGCONT)
    objects.thaw()


async def until(holds) -> None:
    deadline = time.monotonic() + 90
    while not holds():
        assert time.monotonic() < deadline, "nothing moves"
        await asyncio.sleep(0.1)


async def harvested(folder: Path, logins, objects: ObjectServer, disturbed: bool) -> list[str]:
    """The canonical export after a harvest to its end; the archive that both machines share holds what it cites."""
    folder.mkdir()
    pages = PageServer(HOSTS)
    await pages.start()
    if not disturbed:
        pages.open()
    with cluster(folder) as nodes:
        await asyncio.sleep(3)
        archive = shelf_of(objects.bucket()).environment
        first, second = (machine(folder / name, logins, nodes, archive) for name in ("first", "second"))
        hosts = folder / "hosts.txt"
        hosts.write_text(pages.hosts_lines(), encoding="ascii")
        seeds = [part for host in host_names(HOSTS) for part in ("--seed", f"http://{host}/")]
        running = first.start(
            "harvest", *seeds, "--hosts", hosts, "--delay", "0", "--demo-governance", "--until-dry", "--json"
        )
        stages = [part for stage in ("extract", "encode", "decide", "publish") for part in ("--stage", stage)]
        helping = second.start("up", *stages)
        try:
            if disturbed:
                await trouble(nodes, objects, helping, pages)
            assert await asyncio.to_thread(running.end) == 0, running.lines
            assert (await asyncio.to_thread(second.records, "verify", "--json"))[-1]["ok"]
            assert not (folder / "first" / "data" / "archive").exists()
            return (await asyncio.to_thread(first, "export", "--canonical", "--status", "all")).splitlines()
        finally:
            helping.kill()
            if running.process.poll() is None:
                running.kill()
            await pages.stop()


async def test_a_dead_leader_a_wiped_server_and_a_machine_cut_off_change_nothing(
    tmp_path, logins, other_logins, object_server
):
    calm = await harvested(tmp_path / "calm", logins, object_server, disturbed=False)
    assert len(calm) >= HOSTS / 2
    assert await harvested(tmp_path / "rough", other_logins, object_server, disturbed=True) == calm

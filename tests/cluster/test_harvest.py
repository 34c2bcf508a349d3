"""A harvest over a NATS cluster and a second machine that shares nothing but addresses; parts of it die and come back."""

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

from lumbung.queues.jetstream import stream_of

HOSTS = 12
CUT_OFF_SECONDS = 8.0
"""How long the second machine is away; longer than a message waits for its answer would only take longer."""

pytestmark = pytest.mark.long


def machine(folder: Path, logins, nodes: list[Node]) -> Program:
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
        },
    )


async def leader(nodes: list[Node], stage: str) -> int:
    """Which server leads the stream of a stage."""
    client = await nats.connect([node.url for node in nodes])
    try:
        info = await client.jetstream().stream_info(stream_of(stage))
        return int(info.cluster.leader.removeprefix("n"))
    finally:
        await client.close()


async def trouble(nodes: list[Node], second: Started, pages: PageServer) -> None:
    """The leader is killed, another server loses its disk, and the second machine is cut off, pages coming meanwhile."""
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
    os.killpg(second.process.pid, signal.SIGSTOP)
    pages.open()
    await asyncio.sleep(CUT_OFF_SECONDS)
    os.killpg(second.process.pid, signal.SIGCONT)


async def until(holds) -> None:
    deadline = time.monotonic() + 90
    while not holds():
        assert time.monotonic() < deadline, "nothing moves"
        await asyncio.sleep(0.1)


async def harvested(folder: Path, logins, disturbed: bool) -> list[str]:
    """The canonical export after a harvest to its end."""
    folder.mkdir()
    pages = PageServer(HOSTS)
    await pages.start()
    if not disturbed:
        pages.open()
    with cluster(folder) as nodes:
        await asyncio.sleep(3)
        first, second = machine(folder / "first", logins, nodes), machine(folder / "second", logins, nodes)
        hosts = folder / "hosts.txt"
        hosts.write_text(pages.hosts_lines(), encoding="ascii")
        seeds = [part for host in host_names(HOSTS) for part in ("--seed", f"http://{host}/")]
        running = first.start(
            "harvest", *seeds, "--hosts", hosts, "--delay", "0", "--demo-governance", "--until-dry", "--json"
        )
        helping = second.start("up", "--stage", "encode", "--stage", "decide", "--stage", "publish")
        try:
            if disturbed:
                await trouble(nodes, helping, pages)
            assert await asyncio.to_thread(running.end) == 0, running.lines
            return (await asyncio.to_thread(first, "export", "--canonical", "--status", "all")).splitlines()
        finally:
            helping.kill()
            if running.process.poll() is None:
                running.kill()
            await pages.stop()


async def test_a_dead_leader_a_wiped_server_and_a_machine_cut_off_change_nothing(tmp_path, logins, other_logins):
    calm = await harvested(tmp_path / "calm", logins, disturbed=False)
    assert len(calm) >= HOSTS / 2
    assert await harvested(tmp_path / "rough", other_logins, disturbed=True) == calm

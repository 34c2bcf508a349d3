"""A cluster of three NATS servers on loopback with three copies of each stream: one may die, and one may lose its disk."""

from __future__ import annotations

import asyncio
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from lumbung.errors import EngineUnavailable
from lumbung.queues.jetstream import JetStreamQueue
from lumbung.runtime.engines.binaries import find_nats

NODES = 3
PATIENCE_SECONDS = 60.0

pytestmark = pytest.mark.long


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        taken = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in taken:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in taken]


class Node:
    def __init__(self, number: int, folder: Path, clients: list[int], routes: list[int]) -> None:
        self.url = f"nats://lumbung:planted@127.0.0.1:{clients[number]}"
        self.store = folder / f"store-{number}"
        self._settings = folder / f"node-{number}.conf"
        others = ", ".join(f'"nats://127.0.0.1:{port}"' for port in routes)
        self._settings.write_text(
            f'server_name: n{number}\nlisten: "127.0.0.1:{clients[number]}"\njetstream {{ store_dir: "{self.store}" }}\n'
            "authorization { user: lumbung, password: planted }\n"
            f'cluster {{ name: lumbung, listen: "127.0.0.1:{routes[number]}", routes: [{others}] }}\n',
            encoding="utf-8",
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [str(find_nats()), "-c", str(self._settings)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def wipe(self) -> None:
        self.kill()
        shutil.rmtree(self.store, ignore_errors=True)


@contextmanager
def cluster(folder: Path) -> Iterator[list[Node]]:
    clients, routes = free_ports(NODES), free_ports(NODES)
    nodes = [Node(number, folder, clients, routes) for number in range(NODES)]
    for node in nodes:
        node.start()
    try:
        yield nodes
    finally:
        for node in nodes:
            node.kill()


async def patiently(attempt):
    """The cluster elects a leader in its own time."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                return await attempt()
            except EngineUnavailable:
                await asyncio.sleep(0.2)


async def received(queue: JetStreamQueue, wanted: set[int]) -> set[int]:
    got: set[int] = set()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while got != wanted:
            try:
                delivery = await queue.receive("decide", 1.0)
            except EngineUnavailable:
                await asyncio.sleep(0.2)
                continue
            if delivery is not None:
                got |= set(delivery.jobs)
                await delivery.done()
    return got


async def test_messages_survive_a_killed_node_and_a_wiped_one(tmp_path: Path) -> None:
    with cluster(tmp_path) as nodes:
        address = ",".join(node.url for node in nodes)
        queue = await patiently(lambda: JetStreamQueue.connect(address, NODES))
        try:
            for number in range(1, 11):
                await patiently(lambda number=number: queue.send([("decide", [number])]))
            nodes[0].kill()
            for number in range(11, 21):
                await patiently(lambda number=number: queue.send([("decide", [number])]))
            nodes[0].wipe()
            nodes[0].start()
            assert await received(queue, set(range(1, 21))) == set(range(1, 21))
        finally:
            await queue.close()

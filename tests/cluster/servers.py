"""Three NATS servers on loopback that share their streams; each can be killed, and lose its disk."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from lumbung.runtime.engines.binaries import find_nats

NODES = 3


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

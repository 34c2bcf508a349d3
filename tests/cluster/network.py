"""Machines in network namespaces of their own, whose cables lead to a switch where the servers are; a cable can be cut.

Nothing here leads outside, and nothing outlives the process that made it. The servers' side is the namespace of
this very process, which `in_own_network` puts it into.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

SWITCH = "lumbung0"
SERVERS = "10.91.0.1"
MARK = "LUMBUNG_TESTS_IN_OWN_NETWORK"
PROGRAMS = ("unshare", "nsenter", "setpriv", "ip", "mount")


def is_permitted() -> bool:
    """Namespaces, cables between them and other users: root's, where a container leaves them to root."""
    if os.geteuid() != 0 or not all(map(shutil.which, PROGRAMS)):
        return False
    trial = "ip link set lo up && ip link add trial0 type bridge && ip link add trial1 type veth peer name trial2"
    tried = subprocess.run(["unshare", "--net", "--mount", "sh", "-c", trial], capture_output=True, check=False)
    return tried.returncode == 0


def in_own_network(module: str, arguments: Sequence[str]) -> None:
    """Start this program anew where there is no network but its own; returns if that is so already."""
    if os.environ.get(MARK) != "1":
        os.environ[MARK] = "1"
        os.execvp("unshare", ["unshare", "--net", sys.executable, "-m", module, *arguments])  # noqa: S606 - our own module


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


class Cable:
    """From one machine's namespace to the switch."""

    def __init__(self, number: int) -> None:
        self._number = number
        self.address = f"10.91.0.{10 + number}"
        command = ["unshare", "--net", "setpriv", "--pdeathsig", "KILL", "sleep", "infinity"]
        self._holder = subprocess.Popen(command)
        self._plug_in()

    @property
    def prefix(self) -> tuple[str, ...]:
        """Starts a program at the machine's end."""
        return ("nsenter", f"--net=/proc/{self._holder.pid}/ns/net")

    def _plug_in(self) -> None:
        own = Path("/proc/self/ns/net").readlink()
        deadline = time.monotonic() + 10
        while Path(f"/proc/{self._holder.pid}/ns/net").readlink() == own:
            assert time.monotonic() < deadline, "no namespace was made"
            time.sleep(0.01)
        ip("link", "add", self._end, "type", "veth", "peer", "name", "eth0", "netns", str(self._holder.pid))
        ip("link", "set", self._end, "master", SWITCH, "up")
        for command in (["addr", "add", f"{self.address}/24", "dev", "eth0"], ["link", "set", "eth0", "up"]):
            subprocess.run([*self.prefix, "ip", *command], check=True)
        subprocess.run([*self.prefix, "ip", "link", "set", "lo", "up"], check=True)

    @property
    def _end(self) -> str:
        return f"machine{self._number}"

    def cut(self) -> None:
        """Packets are lost from now on; nobody is told."""
        ip("link", "set", self._end, "down")

    def mend(self) -> None:
        ip("link", "set", self._end, "up")

    def remove(self) -> None:
        self._holder.kill()
        self._holder.wait()


class Network:
    """The switch and its cables, in the namespace of this process."""

    def __init__(self) -> None:
        ip("link", "set", "lo", "up")
        ip("link", "add", SWITCH, "type", "bridge")
        ip("addr", "add", f"{SERVERS}/24", "dev", SWITCH)
        ip("link", "set", SWITCH, "up")
        self._cables: list[Cable] = []

    def cable(self) -> Cable:
        self._cables.append(Cable(len(self._cables) + 1))
        return self._cables[-1]

    def remove(self) -> None:
        for each in self._cables:
            each.remove()

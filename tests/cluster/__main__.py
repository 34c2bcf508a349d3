"""Three machines that share nothing but addresses harvest over PostgreSQL, three NATS servers and object storage.

Each machine has a user, a home, a data folder, a clock and, where that is permitted, a network namespace of its own.
While they work, the leader of a stream is killed, a NATS server loses its disk, object storage does not answer, and
machines are cut off and return. The canonical export must be that of the run without trouble.
The short form has two machines and a shared folder for the archive; without trouble one machine works alone.
Run: python -m tests.cluster [--short] [--hosts 20] [--seeds 1] [--seed 1] [--cut-seconds 20]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import psycopg

from tests.cluster.harvest import Harvest, Servers, Trouble, address_of
from tests.cluster.holder import LOCK
from tests.cluster.network import Network, in_own_network, is_permitted
from tests.cluster.servers import DatabaseServer
from tests.integration.archive.storage import ObjectServer

GIVEN_UP_SECONDS = 25.0
"""Within this both sides of a connection know that the other is gone; the machine may be busy."""


async def compared(servers: Servers, folder: Path, given: argparse.Namespace) -> int:
    """How many of the seeds gave another library than the run without trouble."""
    started, machines = time.monotonic(), (1, 2) if given.short else (3, 3)
    calm = await Harvest(servers, folder / "calm", given.hosts, machines[0]).run()
    print(f"without trouble: {len(calm)} entries; {time.monotonic() - started:.0f} s", flush=True)
    assert len(calm) >= given.hosts / 2
    different = 0
    for seed in range(given.seed, given.seed + given.seeds):
        started, trouble = time.monotonic(), Trouble(seed, given.cut_seconds)
        rough = await Harvest(servers, folder / f"rough_{seed}", given.hosts, machines[1]).run(trouble)
        different += rough != calm
        said = "the same library" if rough == calm else "ANOTHER LIBRARY"
        told = f"seed {seed}: {len(trouble.told)} blows, {said}; {time.monotonic() - started:.0f} s"
        print(f"{told}, load {os.getloadavg()[0]:.1f}", flush=True)
    return different


def give_up(servers: Servers) -> None:
    """A machine is cut off in the middle of a transaction: its locks are free, and it knows, within seconds."""
    assert servers.network is not None
    cable, url = servers.network.cable(), servers.database.make_database("given_up")["machine"]
    command = [*cable.prefix, sys.executable, "-m", "tests.cluster.holder", url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        cable.cut()
        holder.stdin.write("cut\n")
        holder.stdin.flush()
        started = time.monotonic()
        with psycopg.connect(url) as other:
            other.execute(LOCK)
        freed, knew = time.monotonic() - started, float(holder.stdout.readline())
    print(
        f"cut off in a transaction: its lock was free after {freed:.1f} s, and it knew after {knew:.1f} s", flush=True
    )
    assert max(freed, knew) < GIVEN_UP_SECONDS


def run(given: argparse.Namespace, permitted: bool) -> int:
    folder = Path(tempfile.mkdtemp(prefix="lumbung-cluster-"))
    folder.chmod(0o711)
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        network = Network() if permitted else None
        if network:
            stack.callback(network.remove)
        address = address_of(network)
        database = DatabaseServer(folder / "database", address)
        stack.callback(database.stop)
        database.start()
        objects = None
        if not given.short:
            (folder / "objects").mkdir()
            objects = ObjectServer(folder / "objects", address)
            stack.callback(objects.stop)
            objects.start()
        servers = Servers(address, network, database, objects)
        if network and not given.short:
            give_up(servers)
        return asyncio.run(compared(servers, folder, given))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--short", action="store_true")
    asked.add_argument("--hosts", type=int, default=20)
    asked.add_argument("--seeds", type=int, default=1)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--cut-seconds", type=float, default=20.0)
    given = asked.parse_args()
    permitted = is_permitted()
    if permitted:
        in_own_network("tests.cluster", sys.argv[1:])
    else:
        print("LOUD: no machine has a network or a user of its own, and none is cut off: that is not permitted here.")
    sys.exit(1 if run(given, permitted) else 0)


if __name__ == "__main__":
    main()

"""Three machines that share nothing but addresses harvest over PostgreSQL, three NATS servers and object storage.

Each machine has a user, a home, a data folder, a clock and, where that is permitted, a network namespace of its own.
While they work, the leader of a stream is killed, a NATS server loses its disk, object storage does not answer, and
machines are cut off and return. The canonical export must be that of the run without trouble.
Run: python -m tests.cluster [--hosts 20] [--seeds 1] [--seed 1] [--cut-seconds 20]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.cluster.harvest import Harvest, Servers, Trouble, address_of
from tests.cluster.network import Network, in_own_network, is_permitted
from tests.cluster.servers import DatabaseServer
from tests.integration.archive.storage import ObjectServer


async def compared(servers: Servers, folder: Path, given: argparse.Namespace) -> int:
    """How many of the seeds gave another library than the run without trouble."""
    started = time.monotonic()
    calm = await Harvest(servers, folder / "calm", given.hosts).run()
    print(f"without trouble: {len(calm)} entries; {time.monotonic() - started:.0f} s", flush=True)
    assert len(calm) >= given.hosts / 2
    different = 0
    for seed in range(given.seed, given.seed + given.seeds):
        started, trouble = time.monotonic(), Trouble(seed, given.cut_seconds)
        rough = await Harvest(servers, folder / f"rough_{seed}", given.hosts).run(trouble)
        different += rough != calm
        said = "the same library" if rough == calm else "ANOTHER LIBRARY"
        load = os.getloadavg()[0]
        print(f"seed {seed}: {len(trouble.told)} blows, {said}; {time.monotonic() - started:.0f} s, load {load:.1f}", flush=True)
    return different


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
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
    folder = Path(tempfile.mkdtemp(prefix="lumbung-cluster-"))
    folder.chmod(0o711)
    network = Network() if permitted else None
    database = DatabaseServer(folder / "database", address_of(network))
    (folder / "objects").mkdir()
    objects = ObjectServer(folder / "objects", address_of(network))
    try:
        database.start()
        objects.start()
        different = asyncio.run(compared(Servers(address_of(network), network, database, objects), folder, given))
    finally:
        objects.stop()
        database.stop()
        if network:
            network.remove()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()

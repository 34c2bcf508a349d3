"""Every order of four candidates gives the same library: many generated sets, through the real handlers and database.

Each set is harvested in all 24 orders and once all together; after the last, `lumbung export --canonical` of the command
line must say the same. Run: python -m tests.long.order [--sets 200] [--first 0]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lumbung.runtime.engines import Engines, RunningEngines
from lumbung.store.database import Database
from lumbung.store.migrate import migrate
from tests.integration.stages.order_sets import generated
from tests.integration.stages.test_order import Bench, page, same_in_every_order

EXPORT = [sys.executable, "-c", "from lumbung.cli.app import main; main()", "export", "--canonical", "--status", "all"]


def exported(data: Path) -> list[object]:
    done = subprocess.run(
        EXPORT, env={**os.environ, "LUMBUNG_DATA_DIR": str(data)}, capture_output=True, check=True, text=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


async def run(engines: RunningEngines, data: Path, seeds: range) -> list[int]:
    migrate(engines.postgres_url("owner"), engines.postgres_url("machine"), engines.postgres_url("people"))
    machine, people = Database(engines.postgres_url("machine")), Database(engines.postgres_url("people"))
    await machine.open()
    await people.open()
    failed = []
    try:
        bench = Bench(machine, people)
        bench.superuser = engines.postgres_url("superuser")
        await bench.govern()
        for seed in seeds:
            try:
                pages = [page(url, name, facts, **more) for url, name, facts, more in generated(seed)]
                await same_in_every_order(bench, pages)
                by_hand = json.loads(json.dumps(await bench.export()))
                assert await asyncio.to_thread(exported, data) == by_hand, "the command line says otherwise"
            except AssertionError as error:
                failed.append(seed)
                print(f"set {seed}: {error}", flush=True)
    finally:
        await machine.close()
        await people.close()
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first set")
    given = parser.parse_args()
    folder, started = Path(tempfile.mkdtemp(prefix="lumbung-order-")), time.monotonic()
    try:
        with Engines.attach(folder / "data") as engines:
            seeds = range(given.first, given.first + given.sets)
            failed = asyncio.run(run(engines, folder / "data", seeds))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    seconds = time.monotonic() - started
    print(f"{given.sets} sets, 24 orders each: {len(failed)} differ {failed or ''}; {seconds:.0f} s")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

"""The long forms: python -m tests.races --entries 1000 --seed 1 and python -m tests.races --items 500"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

import psycopg

from lumbung.runtime.engines import Engines, RunningEngines
from lumbung.store.database import Database
from lumbung.store.migrate import migrate
from tests.integration.stages.test_order import Bench
from tests.races.items import race_for_items
from tests.races.run import race


async def run(engines: RunningEngines, given: argparse.Namespace) -> bool:
    migrate(engines.postgres_url("owner"), engines.postgres_url("machine"), engines.postgres_url("people"))
    machine, people = Database(engines.postgres_url("machine")), Database(engines.postgres_url("people"))
    await machine.open()
    await people.open()
    try:
        bench = Bench(machine, people)
        await bench.govern()
        started = time.monotonic()
        raced = race_for_items if given.items else race
        count, seed = given.items or given.entries, given.seed
        outcome = await raced(bench, engines.postgres_url("machine"), count, seed, given.lives, given.longest_life)
        told = dataclasses.asdict(outcome) | {"seed": seed, "seconds": round(time.monotonic() - started)}
        print(json.dumps(told))
        return outcome.clean
    finally:
        await machine.close()
        await people.close()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--entries", type=int, default=1000)
    asked.add_argument("--items", type=int, default=0, help="so many items, each under four names, instead")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--lives", type=int, default=1000, help="of each worker before one is left alone")
    asked.add_argument("--longest-life", type=float, default=2.0, help="of a worker that is ready, in seconds")
    given = asked.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="lumbung-races-"))
    try:
        with Engines.attach(folder / "data", fsync=False) as engines:
            with psycopg.connect(engines.postgres_url("superuser"), autocommit=True) as connection:
                connection.execute("create extension if not exists vector")
            clean = asyncio.run(run(engines, given))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if clean else 1)


if __name__ == "__main__":
    main()

"""Every order of four arrivals gives the same library: many generated sets, through the real handlers and database.

Ten sets at a time lie side by side in one library; they are harvested in all 24 orders and once all together, and each
time `lumbung export --canonical --status all` must say the same. Sets of a library that differs are tried again one by
one, so that the report names them. Run: python -m tests.long.order [--sets 200] [--first 0] [--processes 2]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from lumbung.runtime.engines import Engines, RunningEngines
from lumbung.store.database import Database
from lumbung.store.migrate import migrate
from tests.integration.stages.order_sets import generated
from tests.integration.stages.test_order import Bench, same_in_every_order

SIDE_BY_SIDE = 10
EXPORTER = """
import sys
from lumbung.cli.app import app
for _ in sys.stdin:
    app(["export", "--canonical", "--status", "all"], standalone_mode=False)
    print(flush=True)
"""


class CommandLine:
    """The command `lumbung export`, asked again and again without loading the program anew."""

    def __init__(self, data: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", EXPORTER],
            env={**os.environ, "LUMBUNG_DATA_DIR": str(data)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _asked(self) -> list[object]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        lines = list(iter(self._process.stdout.readline, "\n"))
        assert all(lines), "the export ended before its last line"
        return [json.loads(line) for line in lines]

    async def export(self) -> list[object]:
        return await asyncio.to_thread(self._asked)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


async def differing(bench: Bench, export: CommandLine, seeds: range) -> list[int]:
    """Which of these sets give different libraries in different orders."""
    try:
        await same_in_every_order(bench, *(generated(seed) for seed in seeds), exported=export.export)
    except AssertionError as error:
        if len(seeds) > 1:
            print(f"sets {seeds.start} to {seeds.stop - 1} side by side: {error}", flush=True)
            alone = [await differing(bench, export, range(seed, seed + 1)) for seed in seeds]
            return sorted(seed for found in alone for seed in found) or list(seeds)
        print(f"set {seeds[0]}: {error}", flush=True)
        return list(seeds)
    return []


async def run(engines: RunningEngines, data: Path, seeds: range) -> list[int]:
    migrate(engines.postgres_url("owner"), engines.postgres_url("machine"), engines.postgres_url("people"))
    machine, people = Database(engines.postgres_url("machine")), Database(engines.postgres_url("people"))
    await machine.open()
    await people.open()
    export = CommandLine(data)
    failed = []
    try:
        bench = Bench(machine, people)
        bench.superuser = engines.postgres_url("superuser")
        await bench.govern()
        for start in range(seeds.start, seeds.stop, SIDE_BY_SIDE):
            failed += await differing(bench, export, range(start, min(start + SIDE_BY_SIDE, seeds.stop)))
    finally:
        export.close()
        await machine.close()
        await people.close()
    return failed


def run_here(seeds: range) -> list[int]:
    folder = Path(tempfile.mkdtemp(prefix="lumbung-order-"))
    try:
        with Engines.attach(folder / "data", fsync=False) as engines:
            return asyncio.run(run(engines, folder / "data", seeds))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_in_processes(seeds: range, processes: int) -> list[int]:
    """Each with engines of its own; their reports come through."""
    share = -(-len(seeds) // processes)
    failed: list[int] = []
    with ExitStack() as stack:
        parts = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", "tests.long.order", "--first", str(part.start), "--sets", str(len(part))],
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for part in (seeds[start : start + share] for start in range(0, len(seeds), share))
        ]
        for part in parts:
            told, _ = part.communicate()
            *reports, last = told.splitlines()
            print("\n".join(reports), end="\n" if reports else "", flush=True)
            failed += json.loads(last)["differ"]
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first set")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    started, seeds = time.monotonic(), range(given.first, given.first + given.sets)
    failed = run_here(seeds) if given.processes == 1 else run_in_processes(seeds, given.processes)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = time.process_time() + used.ru_utime + used.ru_stime
    told = {
        "sets": given.sets,
        "orders": 24,
        "differ": failed,
        "seconds": round(time.monotonic() - started),
        "cpu": round(cpu),
    }
    print(json.dumps(told))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

"""`python -m tests.chaos --seeds 10 --faults 300 --seed 1`: kill everything at random and compare what is left."""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.chaos.installation import Outcome, prepared_folder
from tests.chaos.run import ChaosRun, Plan, Record

SEEDS_A_MODEL = 5
"""Every so many seeds the pages are read by a model."""


def percentile(values: list[float], share: float) -> float:
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))] if ranked else 0.0


def with_model(seed: int) -> bool:
    return seed % SEEDS_A_MODEL == 0


class Chaos:
    def __init__(self, folder: Path, hosts: int, only: str) -> None:
        self._only = only
        self._folder = folder
        self._hosts = hosts
        self._expected: dict[bool, Outcome] = {}
        self.records: list[Record] = []
        self.wrong = 0

    async def prepare(self) -> None:
        await prepared_folder(self._folder / "prepared", self._hosts)

    async def _fault_free(self, model: bool) -> Outcome:
        if model not in self._expected:
            name = f"fault-free{'-model' if model else ''}"
            record = await self._run(name, Plan(self._hosts, model=model))
            told = self._expected[model] = record.told()
            print(f"{name}: {len(told.library)} entries, {len(told.pages)} pages, {record.seconds:.1f} s", flush=True)
        return self._expected[model]

    async def _run(self, name: str, plan: Plan) -> Record:
        return await ChaosRun(self._folder / "prepared", self._folder / name, plan).run()

    async def seed(self, seed: int, faults: int) -> None:
        expected = await self._fault_free(with_model(seed))
        print(f"seed {seed}", flush=True)
        plan = Plan(self._hosts, seed, faults, with_model(seed), talk=True, only=self._only)
        record = await self._run(f"seed-{seed}", plan)
        self.records.append(record)
        differences = record.told().differences(expected)
        self.wrong += bool(differences)
        print(
            f"seed {seed}: {len(record.survived)} faults, {len(record.idle)} idle, {record.seconds:.1f} s, "
            f"{'equal' if not differences else 'DIFFERENT'}",
            flush=True,
        )
        for line in differences:
            print(f"  {line}")

    def summary(self) -> str:
        lines = [f"{sum(len(record.survived) for record in self.records)} faults, {self.wrong} seeds different"]
        for name in sorted({name for record in self.records for name in record.recovery_seconds}):
            seconds = [each for record in self.records for each in record.recovery_seconds.get(name, [])]
            median, tail = percentile(seconds, 0.5), percentile(seconds, 0.95)
            lines.append(f"{name}: recovered after {median:.2f} s (median), {tail:.2f} s (p95) of {len(seconds)}")
        return "\n".join(lines)


async def all_seeds(folder: Path, hosts: int, only: str, first_seed: int, seeds: int, faults: int) -> int:
    chaos = Chaos(folder, hosts, only)
    await chaos.prepare()
    for seed in range(first_seed, first_seed + seeds):
        await chaos.seed(seed, faults // seeds + (seed - first_seed < faults % seeds))
    print(chaos.summary())
    return chaos.wrong


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--faults", type=int, default=300)
    parser.add_argument("--hosts", type=int, default=25, help="size of the set of pages: 15 to 25 hosts of three pages")
    parser.add_argument("--seed", type=int, default=None, help="the first seed; random and printed if not given")
    parser.add_argument("--only", default="", help="faults whose name holds this word, e.g. PostgreSQL")
    parser.add_argument("--keep", type=Path, default=None, help="work in this folder and leave it")
    options = parser.parse_args()
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    print(
        f"seed {first}, {options.seeds} seeds, {options.faults} faults, {time.strftime('%Y-%m-%d %H:%M')}", flush=True
    )
    folder = options.keep or Path(tempfile.mkdtemp(prefix="lumbung-chaos-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        wrong = asyncio.run(all_seeds(folder, options.hosts, options.only, first, options.seeds, options.faults))
    finally:
        if options.keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

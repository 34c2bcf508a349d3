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

from tests.chaos.installation import Outcome, copy_of, prepared_folder
from tests.chaos.run import ChaosRun, Record


def percentile(values: list[float], share: float) -> float:
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))] if ranked else 0.0


async def reference(prepared: Path, folder: Path, hosts: int) -> Outcome:
    record = await ChaosRun(copy_of(prepared, folder), hosts, 0, 0, talk=False).run()
    assert record.outcome is not None
    print(
        f"fault-free: {len(record.outcome.library)} entries, {len(record.outcome.pages)} pages, {record.seconds:.1f} s"
    )
    return record.outcome


async def all_seeds(folder: Path, hosts: int, first_seed: int, seeds: int, faults: int) -> int:
    prepared = await prepared_folder(folder / "prepared", hosts)
    expected = await reference(prepared, folder / "fault-free", hosts)
    records: list[Record] = []
    wrong = 0
    for seed in range(first_seed, first_seed + seeds):
        print(f"seed {seed}", flush=True)
        share = faults // seeds + (seed - first_seed < faults % seeds)
        record = await ChaosRun(copy_of(prepared, folder / f"seed-{seed}"), hosts, seed, share, talk=True).run()
        records.append(record)
        assert record.outcome is not None
        differences = record.outcome.differences(expected)
        wrong += bool(differences)
        print(
            f"seed {seed}: {len(record.survived)} faults, {record.idle} idle, {record.seconds:.1f} s, "
            f"{'equal' if not differences else 'DIFFERENT'}",
            flush=True,
        )
        for line in differences:
            print(f"  {line}")
        if not differences:
            shutil.rmtree(folder / f"seed-{seed}", ignore_errors=True)
    recoveries = [each for record in records for each in record.recovery_seconds]
    print(
        f"{sum(len(record.survived) for record in records)} faults over {seeds} seeds, {wrong} seeds different; "
        f"recovery of an engine: median {percentile(recoveries, 0.5):.1f} s, p95 {percentile(recoveries, 0.95):.1f} s "
        f"of {len(recoveries)}"
    )
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--faults", type=int, default=300)
    parser.add_argument("--hosts", type=int, default=25, help="size of the set of pages: 15 to 25 hosts of three pages")
    parser.add_argument("--seed", type=int, default=None, help="the first seed; random and printed if not given")
    parser.add_argument("--keep", type=Path, default=None, help="work in this folder and leave it")
    options = parser.parse_args()
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    print(
        f"seed {first}, {options.seeds} seeds, {options.faults} faults, {time.strftime('%Y-%m-%d %H:%M')}", flush=True
    )
    folder = options.keep or Path(tempfile.mkdtemp(prefix="lumbung-chaos-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        wrong = asyncio.run(all_seeds(folder, options.hosts, first, options.seeds, options.faults))
    finally:
        if options.keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

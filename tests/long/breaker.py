"""Sixteen worker processes whose models die and come back, over many seeds and cooldowns.

Each seed is a library of its own on real engines; what is checked is in tests/integration/providers/breaker/outage.py.
Run: python -m tests.long.breaker [--seeds 10] [--first 1] [--cooldowns 5]
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path

from lumbung.runtime.engines import Engines
from lumbung.telemetry import set_up_logs
from tests.cluster.throughput import fresh
from tests.integration.providers.breaker.outage import outage


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seeds", type=int, default=10)
    asked.add_argument("--first", type=int, default=1)
    asked.add_argument("--cooldowns", type=int, default=5)
    given = asked.parse_args()
    set_up_logs("error")
    probes = jobs = 0
    folder = Path(tempfile.mkdtemp(prefix="lumbung-breaker-"))
    try:
        with Engines.attach(folder / "data", fsync=False) as engines:
            for seed in range(given.first, given.first + given.seeds):
                urls, started = fresh(engines, f"outage_{seed}"), time.monotonic()
                run = outage(urls["machine"], urls["owner"], engines.nats_url, seed, given.cooldowns)
                probes, jobs = probes + run.probes, jobs + run.given
                seconds = time.monotonic() - started
                print(
                    f"seed {seed}: {run.probes} probes, one a cooldown; {run.given} jobs; {seconds:.0f} s", flush=True
                )
        print(f"{given.seeds} seeds: {probes} probes, each the only one of its cooldown; {jobs} jobs, each done once")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

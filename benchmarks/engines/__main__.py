"""Start of both engines, first and warm, their idle share of a core, and how soon they answer again after a kill.

python -m benchmarks.engines [--repeat 8] [--idle 60]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import nats
import psycopg

from benchmarks.runtime.cpu import cpu_seconds
from lumbung.runtime.engines import EnginePids, Engines, RunningEngines, engine_pids

FIRST_STARTS = 3
PATIENCE_SECONDS = 60.0
KILLED: dict[str, Callable[[EnginePids], tuple[int | None, ...]]] = {
    "PostgreSQL": lambda pids: (pids.postgres,),
    "NATS": lambda pids: (pids.nats,),
    "supervisor": lambda pids: (pids.supervisor,),
    "all three": lambda pids: (pids.supervisor, pids.postgres, pids.nats),
}


async def broker_answers(url: str) -> None:
    client = await nats.connect(url, allow_reconnect=False, connect_timeout=1, error_cb=silent)
    try:
        await client.jetstream().account_info()
    finally:
        await client.close()


async def silent(_error: Exception) -> None:
    """The next try says the same."""


def answer(engines: RunningEngines) -> None:
    with psycopg.connect(engines.postgres_url("owner")) as connection:
        connection.execute("select 1")
    asyncio.run(broker_answers(engines.nats_url))


def until_they_answer(engines: RunningEngines) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            answer(engines)
        except (psycopg.Error, nats.errors.Error, OSError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


@contextmanager
def started(folder: Path, seconds: list[float]) -> Iterator[RunningEngines]:
    began = time.monotonic()
    with Engines.attach(folder) as engines:
        answer(engines)
        seconds.append(time.monotonic() - began)
        yield engines


def all_pids(folder: Path) -> EnginePids:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        pids = engine_pids(folder)
        if pids is not None and pids.postgres is not None and pids.nats is not None:
            return pids
        time.sleep(0.01)
    raise TimeoutError("the engines do not come back")


def recovery(folder: Path, engines: RunningEngines, whom: str) -> float:
    hit = [pid for pid in KILLED[whom](all_pids(folder)) if pid is not None]
    began = time.monotonic()
    for pid in hit:
        os.kill(pid, signal.SIGKILL)
    while any(Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes() for pid in hit):
        time.sleep(0.005)
    until_they_answer(engines)
    return time.monotonic() - began


def told(what: str, seconds: list[float]) -> None:
    print(f"{what}: {median(seconds):.2f} s (median), {max(seconds):.2f} s at most of {len(seconds)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=8)
    parser.add_argument("--idle", type=float, default=60.0)
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="lumbung-bench-engines-"))
    first: list[float] = []
    warm: list[float] = []
    try:
        for number in range(FIRST_STARTS):
            with started(work / str(number), first):
                pass
        told("first start", first)
        for _ in range(options.repeat):
            with started(work / "0", warm):
                pass
        told("warm start", warm)
        with Engines.attach(work / "0") as engines:
            supervisor = all_pids(work / "0").supervisor
            before = cpu_seconds(supervisor)
            time.sleep(options.idle)
            print(f"idle: {(cpu_seconds(supervisor) - before) / options.idle:.4f} of a core over {options.idle:.0f} s")
            for whom in KILLED:
                seconds = [recovery(work / "0", engines, whom) for _ in range(options.repeat)]
                told(f"answer again after {whom} was killed", seconds)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()

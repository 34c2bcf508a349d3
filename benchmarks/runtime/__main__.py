"""The runtime's no-op stage beside procrastinate and pgqueuer, the relay beside a bare publish loop, a long backlog.

The peers need a Python that has them: `BENCH_PEERS_PYTHON=/path/to/python`; without one they are left out.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import tempfile
from pathlib import Path

import psycopg

from benchmarks.runtime.cpu import cpu_seconds
from benchmarks.runtime.noop import Figure, measure, measure_backlog, measure_relay
from lumbung.runtime.engines import Engines, RunningEngines, engine_pids
from lumbung.store.migrate import migrate

JOBS = {1: 2_000, 100: 20_000}
PEER_JOBS = {"procrastinate": {1: 1_500}, "pgqueuer": {1: 1_500, 100: 20_000}}
BACKLOGS = (10_000, 200_000)
PEERS_PYTHON = os.environ.get("BENCH_PEERS_PYTHON")


def fresh(engines: RunningEngines, name: str) -> tuple[str, str]:
    """A database with our schema: the machine's and the superuser's address."""
    with psycopg.connect(engines.postgres_url("superuser", "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name} owner lumbung_owner")
    with psycopg.connect(engines.postgres_url("superuser", name), autocommit=True) as connection:
        connection.execute("create extension if not exists vector")
    machine = engines.postgres_url("machine", name)
    migrate(engines.postgres_url("owner", name), machine, engines.postgres_url("people", name))
    return machine, engines.postgres_url("superuser", name)


def peer(engines: RunningEngines, roots: list[int], name: str, number: int, batch: int) -> Figure:
    database = f"peer_{name}_{batch}"
    with psycopg.connect(engines.postgres_url("superuser", "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {database}")
    script = Path(__file__).with_name("peers.py")
    arguments = [name, engines.postgres_url("superuser", database), str(number), str(batch)]
    with subprocess.Popen(
        [str(PEERS_PYTHON), str(script), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        before = cpu_seconds(*roots, process.pid)
        process.stdin.write("go\n")
        process.stdin.flush()
        seconds = json.loads(process.stdout.readline())["seconds"]
        figure = Figure(number, seconds, cpu_seconds(*roots, process.pid) - before)
        process.stdin.write("end\n")
        process.stdin.flush()
    return figure


def run(engines: RunningEngines, folder: Path) -> None:
    pids = engine_pids(folder)
    assert pids is not None
    roots = [pids.supervisor]
    for batch, number in JOBS.items():
        machine, _ = fresh(engines, f"ours_{batch}")
        print(
            f"lumbung        batch {batch:3}  {asyncio.run(measure(machine, engines.nats_url, roots, batch, number)).line()}",
            flush=True,
        )
    if PEERS_PYTHON:
        for name, batches in PEER_JOBS.items():
            for batch, number in batches.items():
                print(f"{name:14} batch {batch:3}  {peer(engines, roots, name, number, batch).line()}", flush=True)
    machine, _ = fresh(engines, "relay")
    relayed, bare = asyncio.run(measure_relay(machine, engines.nats_url, 5_000))
    print(f"relay {relayed:.0f} messages/s, bare publish loop {bare:.0f}: {relayed / bare:.2f} of it", flush=True)
    for waiting in BACKLOGS:
        machine, _ = fresh(engines, f"backlog_{waiting}")
        figure = asyncio.run(measure_backlog(machine, engines.nats_url, roots, waiting, 10_000))
        print(f"behind {waiting:7} waiting jobs  {figure.line()}", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="lumbung-bench-") as name:
        folder = Path(name) / "data"
        with Engines.attach(folder) as engines:
            run(engines, folder)


if __name__ == "__main__":
    main()

"""The runtime's no-op stage beside procrastinate and pgqueuer, the relay beside a bare publish loop, a long backlog."""

from __future__ import annotations

import asyncio
import json
import subprocess
import tempfile
from pathlib import Path

import psycopg

from benchmarks.peers import peers_python
from benchmarks.runtime.cpu import cpu_seconds
from benchmarks.runtime.noop import ALONE, IN_EIGHTS, IN_HUNDREDS, Case, Figure, add_backlog, measure, measure_relay
from lumbung.runtime.engines import Engines, RunningEngines, engine_pids
from lumbung.store.migrate import migrate

JOBS = {ALONE: 2_000, IN_EIGHTS: 2_000, IN_HUNDREDS: 20_000}
IDS_A_MESSAGE = {ALONE: 1, IN_EIGHTS: 8, IN_HUNDREDS: 100}
PEER_JOBS = {"procrastinate": {1: 1_500}, "pgqueuer": {1: 1_500, 100: 20_000}}
BACKLOGS = (10_000, 100_000, 1_000_000)
BACKLOG_JOBS = {ALONE: 1_500, IN_HUNDREDS: 20_000}


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
        connection.execute(f"drop database if exists {database} with (force)")
        connection.execute(f"create database {database}")
    script = Path(__file__).with_name("peers.py")
    arguments = [name, engines.postgres_url("superuser", database), str(number), str(batch)]
    with subprocess.Popen(
        [peers_python(), str(script), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
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
    for case, number in JOBS.items():
        machine, _ = fresh(engines, f"ours_{case.stage}")
        figure = asyncio.run(measure(machine, engines.nats_url, roots, case, number))
        print(f"lumbung        {told(case)}  {figure.line()}", flush=True)
    for name, batches in PEER_JOBS.items():
        for batch, number in batches.items():
            figure = peer(engines, roots, name, number, batch)
            print(f"{name:14} batch {batch:3}                    {figure.line()}", flush=True)
    for waiting in BACKLOGS:
        for case, number in BACKLOG_JOBS.items():
            machine, superuser = fresh(engines, f"backlog_{waiting}_{case.batch}")
            asyncio.run(add_backlog(superuser, waiting))
            figure = asyncio.run(measure(machine, engines.nats_url, roots, case, number))
            print(f"{waiting:7} waiting  {told(case)}  {figure.line()}", flush=True)
    # Last, since its messages stay in the broker, where the next worker of the stage would look at every one.
    machine, _ = fresh(engines, "relay")
    relayed, bare = asyncio.run(measure_relay(machine, engines.nats_url, roots, 5_000))
    share = bare.seconds / relayed.seconds
    print(f"relay {relayed.line()}, bare publish loop {bare.line()}: {share:.2f} of it", flush=True)


def told(case: Case) -> str:
    return f"batch {case.batch:3}, {IDS_A_MESSAGE[case]:3} ids a message"


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="lumbung-bench-") as name:
        folder = Path(name) / "data"
        with Engines.attach(folder) as engines:
            run(engines, folder)


if __name__ == "__main__":
    main()

"""Candidates a second through encode, decide and publish with 1, 2 and 4 worker processes, and the database's share.

The workers are `lumbung up --stage ...` as on a machine of their own: they share nothing with the rest but addresses.
A library that is there already may be asked for, since what a candidate costs must not depend on its size.
Run: python -m tests.cluster.throughput [--candidates 200] [--processes 1 2 4] [--library 100000]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import tempfile
import time
from pathlib import Path
from random import Random

import psycopg
from benchmarks import corpus
from benchmarks.runtime.cpu import cpu_seconds

from lumbung.queues.jetstream import JetStreamQueue
from lumbung.runtime.engines import Engines, RunningEngines, engine_pids
from lumbung.runtime.heartbeat import beat_once
from lumbung.runtime.relay import relay_once
from lumbung.store.database import Database
from lumbung.store.migrate import migrate
from tests.acceptance.system.program import Program
from tests.integration.stages.test_order import PROFILE, Bench, page
from tests.races.run import names

WARMING = 60
"""Candidates a process that go before: what is read once is not measured."""
STAGES = ("encode", "decide", "publish")
NUMBERED = ("document", "claim", "item", "fact")


def fresh(engines: RunningEngines, name: str) -> dict[str, str]:
    with psycopg.connect(engines.postgres_url("superuser", "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name} owner lumbung_owner")
    with psycopg.connect(engines.postgres_url("superuser", name), autocommit=True) as connection:
        connection.execute("create extension if not exists vector")
    urls = {role: engines.postgres_url(role, name) for role in ("owner", "machine", "people")}
    migrate(urls["owner"], urls["machine"], urls["people"])
    return urls


def stock(engines: RunningEngines, name: str, entries: int) -> None:
    """A library of so many entries; what comes is numbered behind it."""
    url = engines.postgres_url("superuser", name)
    corpus.grow(url, entries)
    with psycopg.connect(url, autocommit=True) as connection:
        for table in NUMBERED:
            connection.execute(f"select setval(pg_get_serial_sequence('{table}', 'id'), {corpus.WAITING_FROM})")


async def fill(bench: Bench, count: int, seed: int) -> None:
    """Items of all categories and provinces, two pages each."""
    categories = sorted(PROFILE.categories)
    provinces = sorted(code for code, each in PROFILE.regions.items() if each.level == "province")
    for number, name in enumerate(names(count // 2, Random(seed))):
        place = categories[number % len(categories)], (provinces[number % len(provinces)],)
        for site in ("a", "b"):
            facts = [("fungsi", f"hiburan ke {number}"), ("makna", f"arti {site} ke {number}")]
            await bench.add(*page(f"https://{site}{seed}-{number}.go.id/1", name, facts, *place))


async def until_done(machine: Database, queue: JetStreamQueue) -> None:
    """The relay, until no job of these stages is left."""
    while True:
        sent = await relay_once(machine, queue)
        async with machine.transaction() as tx:
            await beat_once(machine, "bench")
            left = await tx.value(
                "select count(*) from job where state in ('ready', 'waiting') and stage = any (%(stages)s)",
                {"stages": list(STAGES)},
            )
        if not left:
            return
        if not sent:
            await asyncio.sleep(0.05)


async def measured(
    engines: RunningEngines, folder: Path, processes: int, candidates: int, library: int
) -> dict[str, object]:
    urls = fresh(engines, f"workers_{processes}")
    if library:
        await asyncio.to_thread(stock, engines, f"workers_{processes}", library)
    machine, people = Database(urls["machine"]), Database(urls["people"])
    await machine.open()
    await people.open()
    queue = await JetStreamQueue.connect(engines.nats_url)
    addresses = {"LUMBUNG_DATABASE_MACHINE_URL": urls["machine"], "LUMBUNG_NATS_URL": engines.nats_url}
    bench = Bench(machine, people)
    await bench.govern()
    asked = [part for stage in STAGES for part in ("--stage", stage)]
    running = Program(folder / f"machine-{processes}", addresses).start("up", *asked, "--processes", str(processes))
    try:
        seen = 0
        while seen < processes:
            await asyncio.sleep(0.2)
            async with machine.transaction() as tx:
                seen = int(await tx.value("select count(*) from worker where state = 'running'"))
        pids = engine_pids(folder / "data")
        assert pids is not None
        assert pids.postgres is not None
        await fill(bench, WARMING * processes, 1)
        await until_done(machine, queue)
        await fill(bench, candidates, 2)
        before = cpu_seconds(pids.postgres), cpu_seconds(running.process.pid), time.monotonic()
        await until_done(machine, queue)
        database = cpu_seconds(pids.postgres) - before[0]
        workers = cpu_seconds(running.process.pid) - before[1]
        seconds = time.monotonic() - before[2]
    finally:
        running.kill()
        await queue.close()
        await machine.close()
        await people.close()
    return {
        "processes": processes,
        "library": library,
        "candidates_per_second": round(candidates / seconds, 1),
        "candidates_per_cpu_second": round(candidates / (database + workers), 1),
        "database_share": round(database / (database + workers), 2),
    }


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--candidates", type=int, default=200)
    asked.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    asked.add_argument("--library", type=int, default=0)
    given = asked.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="lumbung-throughput-"))
    try:
        for processes in given.processes:
            with Engines.attach(folder / "data", fsync=False) as engines:
                told = asyncio.run(measured(engines, folder, processes, given.candidates, given.library))
            print(json.dumps(told | {"load": round(os.getloadavg()[0], 1)}), flush=True)
            shutil.rmtree(folder / "data")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

"""Entries a second into the reference library, and public search in it, at growing sizes.

Whole entries of four facts, sources and a revision. The library is filled set-wise to each size; the last thousand entries
go through the real handler and are timed, then their encoding for the neighbour index, which is no part of the first figure, and
searches by titles, aliases and the hundred commonest words.

Run: python -m benchmarks.publish [entries ...]
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median, quantiles

from benchmarks.publish.filling import COMMONEST, grow, vocabulary
from lumbung.governance.actions.demo_governance import demo_governance
from lumbung.governance.installation import install
from lumbung.model.job import Job
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE
from lumbung.profiles.loader import load_profile
from lumbung.runtime.engines import Engines, RunningEngines
from lumbung.stages.encode.handler import EncodeHandler
from lumbung.stages.publish.handler import PublishHandler
from lumbung.store import search
from lumbung.store.database import Database
from lumbung.store.migrate import migrate
from lumbung.store.search import Asked
from lumbung.text.region import Gazetteer
from lumbung.text.search import query_terms

MEASURED = 1000
QUERIES = 300


async def publish(machine: Database, handler: PublishHandler, numbers: list[int]) -> float:
    """Seconds for all of them, in the handler's own batches."""
    started = time.perf_counter()
    for start in range(0, len(numbers), handler.batch_size):
        jobs = [
            Job(number, "publish", str(number), {"item": number}, 0)
            for number in numbers[start : start + handler.batch_size]
        ]
        async with machine.transaction() as tx:
            prepared = await handler.prepare(tx, jobs)
        outcome = await handler.perform(prepared, jobs)
        async with machine.transaction() as tx:
            await handler.commit(tx, jobs, outcome)
    return time.perf_counter() - started


async def indexed(machine: Database, handler: EncodeHandler, numbers: list[int]) -> float:
    """Seconds for the neighbour index's share: what the encode stage does for the candidates of these entries."""
    async with machine.transaction() as tx:
        rows = await tx.rows("select candidate from item_member where item = any (%(items)s)", {"items": numbers})
    jobs = [Job(place, "encode", row["candidate"], {"node": row["candidate"]}, 0) for place, row in enumerate(rows)]
    started = time.perf_counter()
    for start in range(0, len(jobs), handler.batch_size):
        batch = jobs[start : start + handler.batch_size]
        async with machine.transaction() as tx:
            prepared = await handler.prepare(tx, batch)
        outcome = await handler.perform(prepared, batch)
        async with machine.transaction() as tx:
            await handler.commit(tx, batch, outcome)
    return time.perf_counter() - started


def questions(size: int) -> list[str]:
    """A third titles, a third aliases, a third the commonest words; the same for every run."""
    words, random = vocabulary(), Random(7)  # noqa: S311 - the same questions in every run
    asked = []
    for place in range(QUERIES):
        number = random.randint(1, size)
        first, second = words[number % len(words)], words[(number // len(words)) % len(words)]
        asked.append((f"Tari {first} {second}", f"Tarian {second}", words[random.randrange(COMMONEST)])[place % 3])
    return asked


async def searched(people: Database, size: int) -> list[float]:
    """Milliseconds of each search for a page of twenty."""
    took = []
    for question in questions(size):
        started = time.perf_counter()
        async with people.transaction() as tx:
            await search.find(tx, Asked(query_terms(question), limit=21))
        took.append(1000 * (time.perf_counter() - started))
    return took


async def measured(engines: RunningEngines, sizes: list[int]) -> None:
    migrate(engines.postgres_url("owner"), engines.postgres_url("machine"), engines.postgres_url("people"))
    profile = load_profile("pdbi")
    machine, people = Database(engines.postgres_url("machine")), Database(engines.postgres_url("people"))
    await machine.open()
    await people.open()
    try:
        async with people.transaction() as tx:
            await install(tx, profile)
            await demo_governance(tx, OPERATOR_AT_THE_MACHINE, profile, embedded_library=True)
        handler, encoder, held = PublishHandler(profile, "benchmark"), EncodeHandler(profile, Gazetteer(profile)), 0
        for size in sizes:
            started = time.perf_counter()
            numbers = await asyncio.to_thread(grow, engines.postgres_url("superuser"), held + 1, size, MEASURED)
            filled = time.perf_counter() - started
            seconds = await publish(machine, handler, numbers)
            index_seconds = await indexed(machine, encoder, numbers)
            took = await searched(people, size)
            held = size
            told = {
                "entries": size,
                "filled_seconds": round(filled, 1),
                "published_per_second": round(len(numbers) / seconds, 1),
                "index_ms_an_entry": round(1000 * index_seconds / len(numbers), 2),
                "search_median_ms": round(median(took), 1),
                "search_p95_ms": round(quantiles(took, n=20)[-1], 1),
                "load": round(os.getloadavg()[0], 1),
            }
            print(json.dumps(told), flush=True)
    finally:
        await machine.close()
        await people.close()


def main() -> None:
    sizes = sorted(int(each) for each in sys.argv[1:]) or [2_000, 20_000]
    folder = Path(tempfile.mkdtemp(prefix="lumbung-publish-"))
    try:
        with Engines.attach(folder / "data") as engines:
            asyncio.run(measured(engines, sizes))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

"""Entries a second into the reference library, and public search in it, at growing sizes.

Whole entries of four facts, sources and a revision: the library of `benchmarks.corpus`. A thousand more go through the real
handler and are timed, then their encoding for the neighbour index, which is no part of the first figure, and searches by titles, aliases
and the hundred commonest words. CPU is that of this process and of the server's together.

Run: python -m benchmarks.publish [entries ...] [--folder FOLDER]
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from random import Random
from statistics import median, quantiles

from benchmarks.corpus import (
    COMMONEST,
    asked_for,
    backend_of,
    grown,
    library,
    processor_seconds,
    thing,
    vocabulary,
    waiting,
)
from lumbung.governance.actions.demo_governance import demo_governance
from lumbung.governance.installation import install
from lumbung.model.job import Job
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE
from lumbung.ports.stage import Handler
from lumbung.profiles.loader import load_profile
from lumbung.runtime.engines import RunningEngines
from lumbung.stages.encode.handler import EncodeHandler
from lumbung.stages.publish.handler import PublishHandler
from lumbung.store import search
from lumbung.store.database import Database
from lumbung.store.search import Asked
from lumbung.text.region import Gazetteer
from lumbung.text.search import query_terms

MEASURED = 1000
QUERIES = 300


Took = tuple[float, float]
"""Seconds that passed, and seconds of CPU."""


async def handled(machine: Database, handler: Handler, jobs: list[Job]) -> Took:
    """What all of them take, in the handler's own batches."""
    backend = await backend_of(machine)
    used, started = processor_seconds(backend), time.perf_counter()
    for start in range(0, len(jobs), handler.batch_size):
        batch = jobs[start : start + handler.batch_size]
        async with machine.transaction() as tx:
            prepared = await handler.prepare(tx, batch)
        outcome = await handler.perform(prepared, batch)
        async with machine.transaction() as tx:
            await handler.commit(tx, batch, outcome)
    return time.perf_counter() - started, processor_seconds(backend) - used


def questions(size: int) -> list[str]:
    """A third titles, a third aliases, a third the commonest words; the same for every run."""
    words, random = vocabulary(), Random(7)  # noqa: S311 - the same questions in every run
    held = [thing(random.randint(1, size)) for _ in range(QUERIES)]
    return [(each.title, each.alias, words[random.randrange(COMMONEST)])[place % 3] for place, each in enumerate(held)]


async def searched(people: Database, size: int) -> list[Took]:
    """What each search for a page of twenty takes, first time asked."""
    backend, took = await backend_of(people), []
    for question in questions(size):
        used, started = processor_seconds(backend), time.perf_counter()
        async with people.transaction() as tx:
            await search.find(tx, Asked(query_terms(question), limit=21))
        took.append((time.perf_counter() - started, processor_seconds(backend) - used))
    return took


def told(size: int, filled: float, published: Took, indexed: Took, took: list[Took]) -> dict[str, float]:
    passed, used = ([1000 * each for each in column] for column in zip(*took, strict=True))
    return {
        "entries": size,
        "filled_seconds": filled,
        "published_per_second": round(MEASURED / published[0], 1),
        "publish_cpu_ms_an_entry": round(1000 * published[1] / MEASURED, 2),
        "index_ms_an_entry": round(1000 * indexed[0] / MEASURED, 2),
        "index_cpu_ms_an_entry": round(1000 * indexed[1] / MEASURED, 2),
        "search_median_ms": round(median(passed), 1),
        "search_p95_ms": round(quantiles(passed, n=20)[-1], 1),
        "search_cpu_median_ms": round(median(used), 1),
        "search_cpu_p95_ms": round(quantiles(used, n=20)[-1], 1),
        "load": round(os.getloadavg()[0], 1),
    }


async def measured(engines: RunningEngines, sizes: list[int]) -> None:
    profile, superuser = load_profile("pdbi"), engines.postgres_url("superuser")
    machine, people = (Database(engines.postgres_url(login), size=1) for login in ("machine", "people"))
    await machine.open()
    await people.open()
    try:
        async with people.transaction() as tx:
            await install(tx, profile)
            await demo_governance(tx, OPERATOR_AT_THE_MACHINE, profile, embedded_library=True)
        publisher, encoder = PublishHandler(profile, "benchmark"), EncodeHandler(profile, Gazetteer(profile))
        async for size, filled in grown(superuser, sizes):
            numbers = await asyncio.to_thread(waiting, superuser, MEASURED)
            published = await handled(
                machine, publisher, [Job(each, "publish", str(each), {"item": each}, 0) for each in numbers]
            )
            indexed = await handled(
                machine, encoder, [Job(each, "encode", f"c{each}", {"node": f"c{each}"}, 0) for each in numbers]
            )
            took = await searched(people, size)
            print(json.dumps(told(size, filled, published, indexed, took)), flush=True)
    finally:
        await machine.close()
        await people.close()


def main() -> None:
    options = asked_for(__doc__, [2_000, 20_000])
    with library(options.folder) as engines:
        asyncio.run(measured(engines, options.entries))


if __name__ == "__main__":
    main()

"""The feature index at size, skewed as PDBI is: recall@10, time of a query and of an insert, by size.

The library is that of `benchmarks.corpus`: whole entries, whose names are hard for a graph, because the tenth neighbour is hardly
nearer than the hundredth and half of them share their first word with thousands. Blocks settle as the steward would have them do.
A tenth of the queries has no region. A query is timed the first time it is asked, and as the least of three; recall is against the same blocks read in full.
Run: python -m benchmarks.index [nodes ...] [--folder FOLDER]      (each size is filled up from the one before; default 10000 100000)
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import psycopg
from psycopg.sql import SQL

from benchmarks.corpus import Thing, asked_for, backend_of, grown, library, processor_seconds, thing
from lumbung.runtime.engines import RunningEngines
from lumbung.store import features
from lumbung.store.database import Database
from lumbung.store.features import Feature
from lumbung.text.features import FEATURES_VERSION, content_vector

VERSION = int(FEATURES_VERSION)
QUERIES, JUDGED, INSERTS, FOUND = 400, 200, 200, 10
WARMING, TRIES = 100, 3
STRANGERS_FROM = 2_000_000_000
"""Numbers of things that the library does not hold."""
Node = tuple[str, str, list[float], list[str]]


async def settled(machine: Database) -> dict[str, float]:
    """Move what has grown into graphs, portion by portion, as the jobs of the steward do."""
    made = moved = 0
    making = moving = 0.0
    while True:
        async with machine.transaction() as tx:
            grown = await features.grown_blocks(tx, VERSION)
        if not grown:
            break
        for block in grown:
            started = time.perf_counter()
            async with machine.transaction() as tx:
                nodes = await features.settle(tx, VERSION, block["category"], block["province"])
            took = time.perf_counter() - started
            made, making = (made + nodes, making + took) if block["round"] == 0 else (made, making)
            moved, moving = (moved + nodes, moving + took) if block["round"] else (moved, moving)
    async with machine.transaction() as tx:
        largest = await tx.row(
            "select max(nodes) as nodes, count(graph) as graphs, sum(graphed) as graphed from index_block"
        )
    return {
        "largest_block": int(largest["nodes"]),
        "graphs": int(largest["graphs"]),
        "graphed": int(largest["graphed"]),
        "made_per_second": round(made / making) if made else 0,
        "moved_per_second": round(moved / moving) if moved else 0,
    }


def queries(size: int, seed: int, number: int) -> Iterator[tuple[Node, bool]]:
    """Things that are held, asked for as a stranger with the same name would."""
    rng = random.Random(seed)  # noqa: S311 - the same in every run
    for turn in range(number):
        yield asked_as_stranger(thing(rng.randint(1, size))), turn % 10 != 0


def asked_as_stranger(one: Thing) -> Node:
    content = content_vector(one.title, [], [one.province], [("fungsi", "lain")], one.category)
    return one.category, one.province, content, one.keys(with_alias=False)


def exact(connection: psycopg.Connection[tuple[Any, ...]], asked: Node, *, known: bool) -> list[float]:
    """The same blocks read in full: no index serves an order by a sum."""
    category, province, content, _ = asked
    graphs = connection.execute(
        "select graph from index_block where version = %s and category = any (%s) and (%s or province = any (%s)) and graph is not null",
        (VERSION, [category, ""], not known, [province, "-"]),
    ).fetchall()
    waiting = (
        "select content from feature where content is not null and version = %(version)s "
        "and category = any (%(categories)s) and (%(all)s or province = any (%(provinces)s))"
    )
    blocks = " union all ".join([waiting, *("select content from " + graph for [graph] in graphs)])  # noqa: S608 - names that the index gave
    query = SQL(
        "select 1 - (content <=> %(content)s::halfvec) from ({blocks}) f order by (content <=> %(content)s::halfvec) + 0 limit %(found)s"
    )
    found = connection.execute(
        query.format(blocks=SQL(blocks)),
        {"content": features.halfvec(content), "version": VERSION, "categories": [category, ""], "all": not known, "provinces": [province, "-"], "found": FOUND},
    )  # fmt: skip
    return [row[0] for row in found]


async def searched(machine: Database, superuser: str, size: int) -> dict[str, float]:
    """All queries first and then the reading in full, which would leave nothing of the graphs in the server's memory."""
    backend = await backend_of(machine)
    for one, known in queries(size, 3, WARMING):
        await asked(machine, backend, one, known=known)
    answers = [
        (one, known, await asked(machine, backend, one, known=known)) for one, known in queries(size, 7, QUERIES)
    ]
    hits: dict[bool, list[int]] = {True: [0, 0], False: [0, 0]}
    with psycopg.connect(superuser, autocommit=True) as connection:
        for one, known, (found, _) in answers[:JUDGED]:
            wanted = exact(connection, one, known=known)
            hits[known][0] += sum(cosine >= wanted[-1] - 1e-6 for cosine in found)
            hits[known][1] += len(wanted)
    return {
        "recall": round((hits[True][0] + hits[False][0]) / (hits[True][1] + hits[False][1]), 4),
        "recall_unknown": round(hits[False][0] / hits[False][1], 4),
        **percentiles("known", [took for _, known, (_, took) in answers if known]),
        **percentiles("unknown", [took for _, known, (_, took) in answers if not known]),
    }


async def asked(machine: Database, backend: int, one: Node, *, known: bool) -> tuple[list[float], tuple[float, ...]]:
    """What is found; seconds and processor seconds of the first try, and the least seconds of some."""
    category, province, content, words = one
    tries = []
    for _ in range(TRIES):
        used, started = processor_seconds(backend), time.perf_counter()
        async with machine.transaction() as tx:
            found = await features.neighbours(
                tx, "q", VERSION, [category, ""], [province, "-"] if known else None, content, FOUND, words
            )
        tries.append((time.perf_counter() - started, processor_seconds(backend) - used))
    return [each.cosine for each in found], (*tries[0], min(passed for passed, _ in tries))


def percentiles(name: str, took: list[tuple[float, ...]]) -> dict[str, float]:
    """In milliseconds: of the time that passed at the first try, of processor time, and of the least of some tries."""
    columns = np.array(took).T * 1000
    return {
        f"{name}_p{share}_{kind}": round(float(np.percentile(column, share)), 2)
        for kind, column in zip(("ms", "cpu_ms", "least_ms"), columns, strict=False)
        for share in (50, 95)
    }


async def inserted(machine: Database) -> dict[str, float]:
    """One node at a time, and a hundred in a transaction as the encode stage does; taken out again."""
    took, made = [], []
    for number in range(INSERTS):
        one = thing(STRANGERS_FROM + number)
        words = dict.fromkeys(one.keys(with_alias=True), len(one.words) - 1)
        made.append(Feature(f"x{number}", False, VERSION, one.category, [one.province], one.content(), words))
    backend = await backend_of(machine)
    for each in made[: INSERTS // 2]:
        used, started = processor_seconds(backend), time.perf_counter()
        async with machine.transaction() as tx:
            await features.keep(tx, [each.node], [each])
        took.append((time.perf_counter() - started, processor_seconds(backend) - used))
    started = time.perf_counter()
    async with machine.transaction() as tx:
        rest = made[INSERTS // 2 :]
        await features.keep(tx, [each.node for each in rest], rest)
    together = (time.perf_counter() - started) / len(rest)
    async with machine.transaction() as tx:
        await features.keep(tx, [each.node for each in made], [])
    return {**percentiles("insert", took), "insert_batched_ms": round(1000 * together, 2)}


async def measured(engines: RunningEngines, sizes: list[int]) -> None:
    machine, superuser = Database(engines.postgres_url("machine"), size=1), engines.postgres_url("superuser")
    await machine.open()
    try:
        async for size, filled in grown(superuser, sizes):
            built = await settled(machine)
            await asyncio.to_thread(vacuumed, superuser)
            found = {**built, **await searched(machine, superuser, size), **await inserted(machine)}
            load = round(os.getloadavg()[0], 1)
            print(json.dumps({"nodes": size, "fill_seconds": filled, **found, "load": load}), flush=True)
    finally:
        await machine.close()


def vacuumed(superuser: str) -> None:
    """As the autovacuum does in time: nodes that left for a graph leave dead rows behind."""
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("vacuum analyze feature")


def main() -> None:
    options = asked_for(__doc__, [10_000, 100_000])
    with library(options.folder) as engines:
        asyncio.run(measured(engines, options.entries))


if __name__ == "__main__":
    main()

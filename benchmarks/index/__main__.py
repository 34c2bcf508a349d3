"""The feature index at size, skewed as PDBI is: recall@10, time of a query and of an insert, by size.

The library is filled with whole entries (four facts, sources, names, a revision each); 63 % are food, provinces follow Zipf's
law, so that one block holds a quarter of all. Their vectors are of made-up names of random syllables with four attributes: hard
for a graph, because the tenth neighbour is hardly nearer than the hundredth. Blocks settle as the steward would have them do.
A tenth of the queries has no region. A query is timed the first time it is asked, and as the least of three; recall is against the same blocks read in full.
Run: python -m benchmarks.index [nodes ...]      (each size is filled up from the one before; default 10000 100000)
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import struct
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from psycopg.sql import SQL

from benchmarks.publish.filling import grow, place_of
from lumbung.runtime.engines import Engines, RunningEngines
from lumbung.store import features
from lumbung.store.database import Database
from lumbung.store.features import Feature
from lumbung.store.migrate import migrate
from lumbung.text.features import FEATURES_VERSION, content_vector

VERSION = int(FEATURES_VERSION)
QUERIES, INSERTS, FOUND = 400, 200, 10
WARMING, TRIES = 100, 3
SYLLABLES = [a + b for a in (*"bcdghjklmnprstwy", "ng", "ny") for b in ("a", "i", "u", "e", "o", "an", "ung")]
ATTRIBUTES = ("bahan", "rasa", "penyajian", "fungsi")
Node = tuple[str, str, str, list[float]]


def word(rng: random.Random) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.choice((2, 2, 3))))


def node(number: int) -> Node:
    """Category, province, name and vector; node number n is the same in every process."""
    rng = random.Random(-number)  # noqa: S311 - the same in every run
    category, province = place_of(number)
    name = " ".join(word(rng) for _ in range(rng.choice((1, 2, 2, 3))))
    facts = [(attribute, word(rng)) for attribute in ATTRIBUTES]
    return category, province, name, content_vector(name, [word(rng)], [province], facts, category)


def packed(content: list[float]) -> bytes:
    """A halfvec as the server's binary format has it."""
    return struct.pack(">hh", len(content), 0) + np.array(content, dtype=">f2").tobytes()


def rows_of(span: tuple[int, int]) -> bytes:
    """Binary COPY rows of a range of nodes."""
    out = bytearray()
    for number in range(*span):
        category, province, _, content = node(number)
        fields = [
            f"c{number}".encode(),
            b"\0",
            struct.pack(">i", VERSION),
            category.encode(),
            province.encode(),
            packed(content),
        ]
        out += struct.pack(">h", len(fields))
        for field in fields:
            out += struct.pack(">i", len(field)) + field
    return bytes(out)


def fill(superuser: str, first: int, last: int) -> None:
    grow(superuser, first, last, 0)
    spans = [(start, min(last + 1, start + 2000)) for start in range(first, last + 1, 2000)]
    copying = "copy feature (node, human, version, category, province, content) from stdin with (format binary)"
    with psycopg.connect(superuser, autocommit=True) as connection:
        with ProcessPoolExecutor(os.cpu_count()) as pool, connection.cursor().copy(copying) as copy:
            copy.write(b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0))
            for rows in pool.map(rows_of, spans):
                copy.write(rows)
            copy.write(struct.pack(">h", -1))
        connection.execute(
            "insert into index_block (version, category, province, nodes) select version, category, province, count(*) from feature group by 1, 2, 3 "
            "on conflict (version, category, province) do update set nodes = excluded.nodes"
        )
        connection.execute("vacuum analyze feature")


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
    """Nodes that are held, asked for as a stranger with the same name would."""
    rng = random.Random(seed)  # noqa: S311 - the same in every run
    for turn in range(number):
        category, province, name, _ = node(rng.randint(1, size))
        content = content_vector(name, [], [province], [("rasa", "lain")], category)
        yield (category, province, name, content), turn % 10 != 0


def exact(connection: psycopg.Connection[tuple[Any, ...]], asked: Node, *, known: bool) -> list[float]:
    """The same blocks read in full: no index serves an order by a sum."""
    category, province, _, content = asked
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


def processor_seconds(backend: int) -> float:
    """What this process and the server's have used: on a busy machine it says more than the time that passed."""
    used = int(Path(f"/proc/{backend}/schedstat").read_text(encoding="ascii").split()[0])
    return time.process_time() + used / 1e9


async def searched(machine: Database, superuser: str, size: int) -> dict[str, float]:
    """All queries first and then the reading in full, which would leave nothing of the graphs in the server's memory."""
    async with machine.transaction() as tx:
        backend = await tx.value("select pg_backend_pid()")
    for one, known in queries(size, 3, WARMING):
        await asked(machine, backend, one, known=known)
    answers = [
        (one, known, await asked(machine, backend, one, known=known)) for one, known in queries(size, 7, QUERIES)
    ]
    hits: dict[bool, list[int]] = {True: [0, 0], False: [0, 0]}
    with psycopg.connect(superuser, autocommit=True) as connection:
        for one, known, (found, _) in answers:
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
    category, province, _, content = one
    tries = []
    for _ in range(TRIES):
        used, started = processor_seconds(backend), time.perf_counter()
        async with machine.transaction() as tx:
            found = await features.neighbours(
                tx, "q", VERSION, [category, ""], [province, "-"] if known else None, content, FOUND
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


async def inserted(machine: Database, size: int) -> dict[str, float]:
    """One node at a time, and a hundred in a transaction as the encode stage does; taken out again."""
    took, made = [], []
    for number in range(INSERTS):
        category, province, _, content = node(size * 10 + number)
        made.append(Feature(f"x{number}", False, VERSION, category, [province], content))
    async with machine.transaction() as tx:
        backend = await tx.value("select pg_backend_pid()")
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


async def measured(logins: dict[str, str], sizes: list[int]) -> None:
    migrate(logins["owner"], logins["machine"], logins["people"])
    machine = Database(logins["machine"], size=1)
    await machine.open()
    held = 0
    try:
        for size in sizes:
            started = time.perf_counter()
            await asyncio.to_thread(fill, logins["superuser"], held + 1, size)
            filled = round(time.perf_counter() - started, 1)
            held = size
            found = {
                **await settled(machine),
                **await searched(machine, logins["superuser"], size),
                **await inserted(machine, size),
            }
            print(
                json.dumps({"nodes": size, "fill_seconds": filled, **found, "load": round(os.getloadavg()[0], 1)}),
                flush=True,
            )
    finally:
        await machine.close()


def logins_of(engines: RunningEngines) -> dict[str, str]:
    return {role: engines.postgres_url(role) for role in ("superuser", "owner", "machine", "people")}


def main() -> None:
    sizes = sorted(int(each) for each in sys.argv[1:]) or [10_000, 100_000]
    folder = Path(tempfile.mkdtemp(prefix="lumbung-index-"))
    try:
        with Engines.attach(folder / "data") as engines:
            asyncio.run(measured(logins_of(engines), sizes))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

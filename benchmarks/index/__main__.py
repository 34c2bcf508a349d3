"""The feature index at size, skewed as PDBI is: recall@10, time of a query and of an insert, by size.

Made-up names, four attributes each; 63 % are food, provinces follow Zipf's law, so that one block holds a quarter of all.
Blocks above the measured crossover get their graph, as the steward would build it. A tenth of the queries has no region.
Only rows of the index are filled, not whole entries: what is measured is the search, not the library.
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

import numpy as np
import psycopg

from lumbung.profiles.loader import load_profile
from lumbung.runtime.engines import Engines, RunningEngines
from lumbung.store import features
from lumbung.store.database import Database, Transaction
from lumbung.store.features import Feature
from lumbung.store.migrate import migrate
from lumbung.text.features import FEATURES_VERSION, content_vector

VERSION = int(FEATURES_VERSION)
FOOD_SHARE, ZIPF = 0.63, 1.4
QUERIES, INSERTS, FOUND = 300, 200, 10
SYLLABLES = [a + b for a in "b c d g h j k l m n p r s t w y ng ny".split() for b in ("a", "i", "u", "e", "o", "an", "ung")]
ATTRIBUTES = ("bahan", "rasa", "penyajian", "fungsi")
Node = tuple[str, str, str, list[float]]


class Maker:
    """Node number n is the same in every process."""

    def __init__(self) -> None:
        profile = load_profile("pdbi")
        self.categories = [code for code in profile.categories if code != "makanan-minuman"]
        self.provinces = sorted(code for code, region in profile.regions.items() if region.level == "province")
        self.weights = [1 / (rank + 1) ** ZIPF for rank in range(len(self.provinces))]

    def node(self, number: int) -> Node:
        rng = random.Random(number)
        category = "makanan-minuman" if rng.random() < FOOD_SHARE else rng.choice(self.categories)
        province = rng.choices(self.provinces, self.weights)[0]
        word = lambda: "".join(rng.choice(SYLLABLES) for _ in range(rng.choice((2, 2, 3))))  # noqa: E731
        name = " ".join(word() for _ in range(rng.choice((1, 2, 2, 3))))
        facts = [(attribute, word()) for attribute in ATTRIBUTES]
        return category, province, name, content_vector(name, [word()], [province], facts, category)


def packed(content: list[float]) -> bytes:
    """A halfvec as the server's binary format has it."""
    return struct.pack(">hh", len(content), 0) + np.array(content, dtype=">f2").tobytes()


def rows_of(span: tuple[int, int]) -> bytes:
    """Binary COPY rows of a range of nodes."""
    maker, out = Maker(), bytearray()
    for number in range(*span):
        category, province, _, content = maker.node(number)
        fields = [f"n{number}".encode(), b"\0", struct.pack(">i", VERSION), category.encode(), province.encode(), packed(content)]
        out += struct.pack(">h", len(fields))
        for field in fields:
            out += struct.pack(">i", len(field)) + field
    return bytes(out)


def fill(engines: RunningEngines, first: int, last: int) -> None:
    spans = [(start, min(last, start + 2000)) for start in range(first, last, 2000)]
    copying = "copy feature (node, human, version, category, province, content) from stdin with (format binary)"
    with (
        psycopg.connect(engines.postgres_url("superuser"), autocommit=True) as connection,
        ProcessPoolExecutor(os.cpu_count()) as pool,
        connection.cursor().copy(copying) as copy,
    ):
        copy.write(b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0))
        for rows in pool.map(rows_of, spans):
            copy.write(rows)
        copy.write(struct.pack(">h", -1))


def counted(engines: RunningEngines) -> dict[str, float]:
    """Sizes of the blocks, and the seconds that the graphs of the large ones take."""
    with psycopg.connect(engines.postgres_url("superuser"), autocommit=True) as connection:
        connection.execute("delete from index_block where not indexed")
        connection.execute(
            "insert into index_block (version, category, province, nodes) select version, category, province, count(*) from feature group by 1, 2, 3 "
            "on conflict (version, category, province) do update set nodes = excluded.nodes"
        )
        connection.execute("vacuum analyze feature")
        connection.execute("set maintenance_work_mem = '2GB'")
        started, built = time.perf_counter(), 0
        large = "select version, category, province from index_block where nodes >= %s and not indexed"
        for block in connection.execute(large, [features.GRAPH_FROM_NODES]).fetchall():
            connection.execute("select build_block_graph(%s, %s, %s)", block)
            built += 1
        seconds = time.perf_counter() - started
        [largest] = connection.execute("select max(nodes) from index_block").fetchone() or [0]
    return {"largest_block": largest, "graphs_built": built, "build_seconds": round(seconds, 1)}


async def nearest(tx: Transaction, node: Node, *, known: bool) -> list[float]:
    category, province, _, content = node
    provinces = [province, "-"] if known else None
    found = await features.neighbours(tx, "q", VERSION, [category, ""], provinces, content, FOUND)
    return [each.cosine for each in found]


def queries(maker: Maker, size: int) -> Iterator[tuple[Node, bool]]:
    """Nodes that are held, asked for as a stranger with the same name would."""
    rng = random.Random(7)
    for turn in range(QUERIES):
        category, province, name, _ = maker.node(rng.randrange(size))
        content = content_vector(name, [], [province], [("rasa", "lain")], category)
        yield (category, province, name, content), turn % 10 != 0


async def searched(machine: Database, size: int) -> dict[str, float]:
    maker = Maker()
    seconds: dict[bool, list[float]] = {True: [], False: []}
    hits = wanted = 0
    for node, known in queries(maker, size):
        async with machine.transaction() as tx:
            await nearest(tx, node, known=known)
            started = time.perf_counter()
            found = await nearest(tx, node, known=known)
            seconds[known].append(time.perf_counter() - started)
            await tx.run("set local enable_indexscan = off")
            exact = await nearest(tx, node, known=known)
        least = exact[-1] if exact else 0.0
        hits += sum(cosine >= least - 1e-6 for cosine in found)
        wanted += len(exact)
    return {
        "recall": round(hits / wanted, 4),
        "p50_ms": round(1000 * float(np.percentile(seconds[True], 50)), 2),
        "p95_ms": round(1000 * float(np.percentile(seconds[True], 95)), 2),
        "p95_unknown_ms": round(1000 * float(np.percentile(seconds[False], 95)), 2),
    }


async def inserted(machine: Database, size: int) -> dict[str, float]:
    """One node at a time, and a hundred in a transaction as the encode stage does; taken out again."""
    maker, seconds = Maker(), []
    made = []
    for number in range(INSERTS):
        category, province, _, content = maker.node(size * 10 + number)
        made.append(Feature(f"x{number}", False, VERSION, category, [province], content))
    for each in made[: INSERTS // 2]:
        started = time.perf_counter()
        async with machine.transaction() as tx:
            await features.keep(tx, [each.node], [each])
        seconds.append(time.perf_counter() - started)
    started = time.perf_counter()
    async with machine.transaction() as tx:
        rest = made[INSERTS // 2 :]
        await features.keep(tx, [each.node for each in rest], rest)
    together = (time.perf_counter() - started) / len(rest)
    async with machine.transaction() as tx:
        await features.keep(tx, [each.node for each in made], [])
    return {"insert_p95_ms": round(1000 * float(np.percentile(seconds, 95)), 2), "insert_batched_ms": round(1000 * together, 2)}


async def measured(engines: RunningEngines, sizes: list[int]) -> None:
    migrate(engines.postgres_url("owner"), engines.postgres_url("machine"), engines.postgres_url("people"))
    machine = Database(engines.postgres_url("machine"))
    await machine.open()
    held = 0
    try:
        for size in sizes:
            started = time.perf_counter()
            await asyncio.to_thread(fill, engines, held, size)
            filled = round(time.perf_counter() - started, 1)
            blocks = await asyncio.to_thread(counted, engines)
            held = size
            found = {**await searched(machine, size), **await inserted(machine, size)}
            print(json.dumps({"nodes": size, "fill_seconds": filled, **blocks, **found}), flush=True)
    finally:
        await machine.close()


def main() -> None:
    sizes = sorted(int(each) for each in sys.argv[1:]) or [10_000, 100_000]
    folder = Path(tempfile.mkdtemp(prefix="lumbung-index-"))
    try:
        with Engines.attach(folder / "data") as engines:
            asyncio.run(measured(engines, sizes))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

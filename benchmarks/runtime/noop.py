"""The runtime's own no-op stage: outbox, relay, JetStream, worker, transaction, acknowledgement."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.runtime.cpu import cpu_seconds
from lumbung.model.job import Job, NewJob
from lumbung.queues.jetstream import JetStreamQueue
from lumbung.runtime.heartbeat import beat_once
from lumbung.runtime.relay import Relay, relay_once
from lumbung.runtime.worker import Worker
from lumbung.store import jobs
from lumbung.store.database import Database, Transaction

CONCURRENCY = {1: 4, 100: 2}


@dataclass(frozen=True)
class Case:
    """A message of the steward carries one job id, one of extract 8, one of encode 100.

    At batch 1 each job has its own three steps and its own committing transaction.
    """

    stage: str
    batch: int


ALONE, IN_EIGHTS, IN_HUNDREDS = Case("steward", 1), Case("extract", 1), Case("encode", 100)


@dataclass(frozen=True)
class Figure:
    jobs: int
    seconds: float
    cpu_seconds: float

    @property
    def per_cpu_second(self) -> float:
        return self.jobs / self.cpu_seconds

    def line(self) -> str:
        return f"{self.jobs / self.seconds:8.0f} jobs/s {self.per_cpu_second:8.0f} jobs/CPU-s"


class NoOp:
    """Does nothing, with everything that surrounds a handler."""

    def __init__(self, case: Case, expected: int) -> None:
        self.stage = case.stage
        self.batch_size = case.batch
        self._left = expected
        self.done = asyncio.Event()

    async def prepare(self, tx: Transaction, jobs: Sequence[Job]) -> Any:
        return None

    async def perform(self, prepared: Any, jobs: Sequence[Job]) -> Mapping[int, Any]:
        return {}

    async def commit(self, tx: Transaction, jobs: Sequence[Job], outcome: Mapping[int, Any]) -> list[NewJob]:
        self._left -= len(jobs)
        if self._left <= 0:
            self.done.set()
        return []


async def enqueue(database: Database, stage: str, number: int, label: str) -> None:
    for start in range(0, number, 1000):
        async with database.transaction() as tx:
            await jobs.add(tx, [NewJob(stage, f"{label}-{each}") for each in range(start, min(start + 1000, number))])


async def measure(machine_url: str, nats_url: str, engine_roots: Sequence[int], case: Case, number: int) -> Figure:
    database = Database(machine_url, size=8)
    await database.open()
    queue = await JetStreamQueue.connect(nats_url)
    await beat_once(database, "bench")
    handler = NoOp(case, number)
    await enqueue(database, handler.stage, number, "no-op")
    roots = [*engine_roots, os.getpid()]
    worker = Worker(database, queue, {handler.stage: handler}, {handler.stage: CONCURRENCY[case.batch]})
    started, cpu = time.monotonic(), cpu_seconds(*roots)
    tasks = [asyncio.create_task(worker.run()), asyncio.create_task(Relay(database, queue).run())]
    await handler.done.wait()
    figure = Figure(number, time.monotonic() - started, cpu_seconds(*roots) - cpu)
    worker.stop()
    await tasks[0]
    tasks[1].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await queue.close()
    await database.close()
    return figure


async def measure_relay(
    machine_url: str, nats_url: str, engine_roots: Sequence[int], rows: int
) -> tuple[Figure, Figure]:
    """The relay, and a loop that only publishes messages of the same size."""
    database = Database(machine_url)
    await database.open()
    queue = await JetStreamQueue.connect(nats_url)
    await enqueue(database, "steward", rows, "relay")
    roots = [*engine_roots, os.getpid()]
    started, cpu = time.monotonic(), cpu_seconds(*roots)
    while await relay_once(database, queue):
        pass
    relayed = Figure(rows, time.monotonic() - started, cpu_seconds(*roots) - cpu)
    started, cpu = time.monotonic(), cpu_seconds(*roots)
    for start in range(0, rows, 500):
        await queue.send([("steward", [number]) for number in range(start, start + 500)])
    bare = Figure(rows, time.monotonic() - started, cpu_seconds(*roots) - cpu)
    await queue.close()
    await database.close()
    return relayed, bare


async def add_backlog(superuser_url: str, waiting: int) -> None:
    """Jobs that are ready behind those that are measured; the server has put its house in order after them."""
    database = Database(superuser_url, size=1)
    await database.open()
    await database.statement(
        "insert into job (stage, key) select 'publish', 'behind-' || g from generate_series(1, %(waiting)s) g",
        {"waiting": waiting},
    )
    await database.statement("vacuum (analyze) job")
    await database.statement("checkpoint")
    await database.close()

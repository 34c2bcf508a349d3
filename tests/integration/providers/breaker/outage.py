"""Sixteen worker processes whose two models die one after the other and come back; the workers are killed meanwhile.

Real workers on the real queue and database ask a real server over HTTP. The database's clock is moved by hand, so that a
cooldown ends when the run says so and never by itself, however slow the machine is.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.sharedctypes import Synchronized
from random import Random
from typing import Any, Literal

import openai  # noqa: F401 - as the next one, imported once, before the workers are forked
import psycopg
import pydantic_ai.models.openai  # noqa: F401
from pydantic import BaseModel

from lumbung.demo.protocol_server import Fault, ProtocolServer
from lumbung.errors import LumbungError
from lumbung.model.job import Job, NewJob
from lumbung.ports.inference import Prompt
from lumbung.providers.inference import asking, wire  # noqa: F401
from lumbung.providers.inference.endpoint import Endpoint
from lumbung.providers.inference.gateway import GuardedInference
from lumbung.queues.jetstream import JetStreamQueue, stream_of
from lumbung.runtime.heartbeat import start_beating
from lumbung.runtime.relay import Relay
from lumbung.runtime.retry import RetryPolicy
from lumbung.runtime.worker import Worker
from lumbung.store import breakers, jobs
from lumbung.store.breakers import BreakerRules, SharedBreakers
from lumbung.store.database import Database
from lumbung.store.inference_cache import SharedAnswers
from lumbung.store.ledger import SharedLedger

WORKERS = 16
JOBS = 2 * WORKERS
RULES = BreakerRules(failures=5, cooldown_seconds=3000, hold_seconds=6000)
STAGE = "steward"
"""Its messages carry one job each, so that all workers have something in hand."""
NEXT_STAGE = "encode"
DEATHS = (Fault.SERVER_ERROR, Fault.CUT_OFF, Fault.NO_PROTOCOL)
PATIENCE_SECONDS = 120
FORK = multiprocessing.get_context("fork")


class Taste(BaseModel):
    verdict: Literal["good"]


class Watched(ProtocolServer):
    """Its fault and the number of its requests are shared with the test's process."""

    def __init__(self) -> None:
        super().__init__(mind=lambda _: {"verdict": "good"}, slow_seconds=3600.0)
        self.wanted: Synchronized[int] = FORK.Value("i", 0)
        self.counted: Synchronized[int] = FORK.Value("i", 0)
        self.listens_on: Synchronized[int] = FORK.Value("i", 0)

    async def _answer(self, request: Any, asked: Any, shape: Any) -> Any:
        self.counted.value += 1
        self.fault = list(Fault)[self.wanted.value - 1] if self.wanted.value else None
        return await super()._answer(request, asked, shape)

    def fail_by(self, fault: Fault | None) -> None:
        self.wanted.value = list(Fault).index(fault) + 1 if fault else 0

    @property
    def endpoint(self) -> Endpoint:
        address = f"http://127.0.0.1:{self.listens_on.value}/v1"
        return Endpoint(address, "m", input_micros_per_million=0, output_micros_per_million=0, timeout_seconds=600)


async def keep_answering(servers: list[Watched]) -> None:
    for each in servers:
        await each.start()
        each.listens_on.value = each.port
    await asyncio.Event().wait()


@dataclass
class AskingHandler:
    inference: GuardedInference
    stage: str = STAGE
    batch_size: int = 1

    async def prepare(self, tx: Any, given: Any) -> None:
        """Nothing is read."""

    async def perform(self, prepared: None, given: list[Job]) -> dict[int, Any]:
        outcome: dict[int, Any] = {}
        for job in given:
            prompt = Prompt("taste", "1", "Say what it is.", job.key, max_output_tokens=20, subject=job.key)
            try:
                outcome[job.id] = await self.inference.answer(prompt, Taste, STAGE, job.key)
            except LumbungError as error:
                outcome[job.id] = error
        return outcome

    async def commit(self, tx: Any, done: list[Job], outcome: dict[int, Any]) -> list[NewJob]:
        return [NewJob(NEXT_STAGE, job.key) for job in done]


async def empty_queue(nats: str) -> None:
    """What others left there is no work of ours."""
    queue = await JetStreamQueue.connect(nats)
    for stage in (STAGE, NEXT_STAGE):
        await queue.ensure(stage)
        await queue._context.purge_stream(stream_of(stage))
    await queue.close()


async def keep_working(machine: str, nats: str, endpoints: list[Endpoint]) -> None:
    database = Database(machine, size=2)
    await database.open()
    shared = SharedBreakers(database, RULES)
    inference = GuardedInference(endpoints, SharedLedger(database), shared, SharedAnswers(database))
    queue = await JetStreamQueue.connect(nats)
    policy = RetryPolicy(first_seconds=0.05, factor=1.0)
    await Worker(database, queue, {STAGE: AskingHandler(inference)}, policy=policy).run()


async def keep_relaying(machine: str, nats: str) -> None:
    database = Database(machine)
    await database.open()
    beating = await start_beating(database)
    await Relay(database, await JetStreamQueue.connect(nats)).run()
    await beating


def forked(work: Any, *given: Any) -> Any:
    def run() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        asyncio.run(work(*given))

    process = FORK.Process(target=run, daemon=True)
    process.start()
    return process


def killed(processes: list[Any]) -> None:
    for each in processes:
        os.kill(each.pid, signal.SIGKILL)
        each.join()
    processes.clear()


@dataclass
class Outage:
    """One seeded run. The calls that a model has had are counted by the model itself."""

    machine: str
    owner: psycopg.Connection[Any]
    nats: str
    rng: Random
    servers: list[Watched] = field(default_factory=lambda: [Watched(), Watched()])
    workers: list[Any] = field(default_factory=list)
    others: list[Any] = field(default_factory=list)
    probes: int = 0
    given: int = 0
    calls_before_death: int = 0

    @contextmanager
    def running(self) -> Any:
        try:
            self.others.append(forked(keep_answering, self.servers))
            self.until(lambda: all(each.listens_on.value for each in self.servers))
            self.others.append(forked(keep_relaying, self.machine, self.nats))
            self.begin_working()
            yield self
        finally:
            killed(self.workers)
            killed(self.others)

    def begin_working(self) -> None:
        endpoints = [each.endpoint for each in self.servers]
        self.workers += [forked(keep_working, self.machine, self.nats, endpoints) for _ in range(WORKERS)]
        pids = [each.pid for each in self.workers]
        self.until(lambda: self.count("select count(*) from worker where pid = any (%s)", pids) == WORKERS)

    def until(self, holds: Any) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            assert time.monotonic() < deadline, f"nothing moves: {self.states()}"
            time.sleep(0.02)

    def count(self, query: str, *given: Any) -> int:
        row = self.owner.execute(query, given).fetchone()
        assert row is not None
        return int(row[0])

    def states(self) -> dict[str, int]:
        query = "select state, count(*) from job where stage = %s group by state"
        return dict(self.owner.execute(query, (STAGE,)).fetchall())

    def until_all_are(self, state: str, number: int) -> None:
        self.until(lambda: self.states().get(state) == number)

    def calls(self) -> list[int]:
        return [each.counted.value for each in self.servers]

    def add_jobs(self) -> None:
        new = [NewJob(STAGE, f"{self.given + number}") for number in range(JOBS)]
        self.given += JOBS
        self.in_database(lambda tx: jobs.add(tx, new))

    def in_database(self, act: Any) -> None:
        async def acted() -> None:
            database = Database(self.machine, size=1)
            await database.open()
            try:
                async with database.transaction() as tx:
                    await act(tx)
            finally:
                await database.close()

        asyncio.run(acted())

    def everybody_asks(self) -> list[int]:
        """All parked work goes out at once and is parked again; how often each model was called meanwhile."""
        before = self.calls()
        self.in_database(lambda tx: jobs.unpark(tx, "inference"))
        self.until_all_are("parked", JOBS)
        return [now - then for now, then in zip(self.calls(), before, strict=True)]

    def one_probe_each(self) -> None:
        """A job whose worker is held up by the machine is delivered again and parked while its probe is still on the way."""
        before = self.calls()
        self.everybody_asks()
        self.until(lambda: self.count("select count(*) from breaker where probe is not null") == 0)
        assert [now - then for now, then in zip(self.calls(), before, strict=True)] == [1, 1]

    def pass_seconds(self, seconds: float) -> None:
        self.owner.execute(
            "update clock set logical = logical + make_interval(secs => %s), beat_at = clock_timestamp()", (seconds,)
        )

    def restart_workers(self) -> None:
        killed(self.workers)
        self.begin_working()

    def one_dies(self) -> None:
        """The second answers, within the same call: no job is tried twice."""
        first, second = self.servers
        self.add_jobs()
        self.until_all_are("done", JOBS)
        self.calls_before_death = first.counted.value
        assert second.counted.value == 0
        first.fail_by(self.rng.choice(DEATHS))
        self.add_jobs()
        self.until_all_are("done", 2 * JOBS)
        self.few_calls_to_the_dead()
        assert second.counted.value >= JOBS
        assert self.count("select coalesce(sum(attempts), 0) from job where stage = %s", STAGE) == 0

    def few_calls_to_the_dead(self) -> None:
        """Those that open its breaker, and of each worker one that was on its way by then, however late it arrives."""
        calls = self.servers[0].counted.value - self.calls_before_death
        assert RULES.failures <= calls < RULES.failures + WORKERS, "a call through an open breaker"

    def both_die(self) -> None:
        second = self.servers[1]
        before = second.counted.value
        second.fail_by(self.rng.choice(DEATHS))
        self.add_jobs()
        self.until_all_are("parked", JOBS)
        self.few_calls_to_the_dead()
        assert RULES.failures <= second.counted.value - before < RULES.failures + WORKERS

    def a_cooldown_ends(self) -> None:
        if self.rng.random() < 0.5:
            self.restart_workers()
            assert self.everybody_asks() == [0, 0], "the breakers' state did not survive the restart"
        self.pass_seconds(RULES.cooldown_seconds + 3)
        self.one_probe_each()
        assert self.everybody_asks() == [0, 0]
        self.probes += 2

    def a_probe_dies(self) -> None:
        """All workers are killed while one waits for its probe: nobody else probes before its time is over."""
        first, before = self.servers[0], self.calls()
        fault = self.rng.choice(DEATHS)
        first.fail_by(Fault.SLOW)
        self.pass_seconds(RULES.cooldown_seconds + 3)
        self.in_database(lambda tx: jobs.unpark(tx, "inference"))
        self.until(lambda: first.counted.value > before[0] and self.states().get("parked", 0) >= JOBS - 1)
        killed(self.workers)
        first.fail_by(fault)
        self.begin_working()
        self.until_all_are("parked", JOBS)
        assert self.everybody_asks()[0] == 0
        assert first.counted.value == before[0] + 1
        self.pass_seconds(RULES.hold_seconds + 3)
        self.one_probe_each()
        self.probes += 3

    def they_return(self) -> None:
        """One of them or both; the work that was kept goes on by itself, each piece once."""
        back = self.rng.sample(self.servers, self.rng.randint(1, 2))
        for each in back:
            each.fail_by(None)
        self.pass_seconds(RULES.cooldown_seconds + 3)
        names = [each.endpoint.name for each in self.servers]

        def done() -> bool:
            self.in_database(lambda tx: breakers.wake(tx, "inference", names))
            return self.states() == {"done": self.given}

        self.until(done)
        assert self.count("select count(*) from job where stage = %s", NEXT_STAGE) == self.given
        assert self.count("select count(*) from breaker where state = 'closed'") >= len(back)


def outage(machine: str, owner_url: str, nats: str, seed: int, cooldowns: int) -> Outage:
    """Tells the probes that were made, each the only one of its cooldown, and the jobs, each done once in the end."""
    asyncio.run(empty_queue(nats))
    with psycopg.connect(owner_url, autocommit=True) as owner:
        run = Outage(machine, owner, nats, Random(seed))
        with run.running():
            run.one_dies()
            run.both_die()
            for _ in range(cooldowns):
                run.a_cooldown_ends()
            run.a_probe_dies()
            run.they_return()
        return run

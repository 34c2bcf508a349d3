"""The runtime on real engines: every job's effect once, whatever is delivered twice, lost or fails."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from lumbung.equations import queueing
from lumbung.errors import (
    BudgetExhausted,
    CapabilityMissing,
    ContractError,
    EngineUnavailable,
    PolicyRefused,
    StaleRead,
    TransientError,
)
from lumbung.model.job import STAGES, NewJob
from lumbung.queues import jetstream
from lumbung.queues.jetstream import JetStreamQueue
from lumbung.runtime import worker as worker_module
from lumbung.runtime.ending import end_all
from lumbung.runtime.heartbeat import beat_once
from lumbung.runtime.reconciler import reconcile
from lumbung.runtime.relay import Relay, relay_once
from lumbung.runtime.retry import RetryPolicy
from lumbung.runtime.worker import Worker
from lumbung.store import jobs, stages
from lumbung.store.database import Database

FAST = RetryPolicy(first_seconds=0.05, factor=1.0, cap_seconds=0.05, tries=2)


class Effects:
    """A handler whose effect is a row, and whose behaviour a test scripts by the job's key."""

    stage = "extract"
    batch_size = 8

    def __init__(self) -> None:
        self.performed: list[str] = []
        self.scripts: dict[str, list[Exception]] = {}

    async def prepare(self, tx, jobs):
        return None

    async def perform(self, prepared, jobs):
        outcome = {}
        for job in jobs:
            self.performed.append(job.key)
            outcome[job.id] = self.scripts[job.key].pop(0) if self.scripts.get(job.key) else job.key
        return outcome

    async def commit(self, tx, jobs, outcome):
        for job in jobs:
            await tx.run(
                "insert into refusal (stage, subject, reason) values ('extract', %(key)s, 'effect')", {"key": job.key}
            )
        return [NewJob("encode", job.key) for job in jobs]


@pytest.fixture
def chain(logins, engines):
    """A machine database and a queue whose streams are this test's own."""

    @asynccontextmanager
    async def opened():
        database = Database(logins.machine)
        await database.open()
        queue = await JetStreamQueue.connect(engines.nats_url)
        for stage in STAGES:
            await queue._context.purge_stream(f"lumbung_{stage}")
        try:
            await beat_once(database, "test")
            yield database, queue
        finally:
            await queue.close()
            await database.close()

    return opened


async def add(database, *keys):
    async with database.transaction() as tx:
        await jobs.add(tx, [NewJob("extract", key) for key in keys])


async def effects_of(database):
    async with database.transaction() as tx:
        return sorted(row["subject"] for row in await tx.rows("select subject from refusal where reason = 'effect'"))


async def states(database, stage="extract"):
    async with database.transaction() as tx:
        rows = await tx.rows("select key, state, reason, attempts from job where stage = %(stage)s", {"stage": stage})
    return {row["key"]: row for row in rows}


@asynccontextmanager
async def working(database, queue, handler, policy=FAST):
    worker = Worker(database, queue, {"extract": handler}, policy=policy)
    tasks = [
        asyncio.create_task(worker.run()),
        asyncio.create_task(Relay(database, queue).run()),
        asyncio.create_task(beating(database)),
    ]
    try:
        yield worker
    finally:
        worker.stop()
        await asyncio.wait_for(tasks[0], 60)
        await end_all(tasks)


async def beating(database):
    while True:
        await beat_once(database, "test")
        await asyncio.sleep(0.05)


async def until(condition, seconds=60):
    """Longer than the broker waits before it delivers again what nobody has acknowledged."""
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)


async def all_in(database, wanted, state="done"):
    found = await states(database)
    return all(found[key]["state"] == state for key in wanted)


class Held(Effects):
    """Its work takes until the test lets it go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go = asyncio.Event(), asyncio.Event()

    async def perform(self, prepared, jobs):
        self.begun.set()
        await self.go.wait()
        return await super().perform(prepared, jobs)


async def test_who_is_told_to_stop_finishes_what_is_in_hand_and_takes_nothing_new(chain):
    async with chain() as (database, queue):
        handler = Held()
        await add(database, "a")
        async with working(database, queue, handler) as worker:
            await handler.begun.wait()
            worker.stop()
            await add(database, "b")
            handler.go.set()
            await until(lambda: all_in(database, ["a"]))
        assert (await states(database))["b"]["state"] == "ready"
        assert handler.performed == ["a"]


@pytest.fixture
async def short_patience(engines, monkeypatch):
    """The broker gives to another what nobody has spoken of for two seconds."""

    async def consumer_anew():
        queue = await JetStreamQueue.connect(engines.nats_url)
        await queue._context.delete_consumer("lumbung_extract", "extract")
        await queue.close()

    await consumer_anew()
    monkeypatch.setattr(jetstream, "ACK_WAIT_SECONDS", 2)
    monkeypatch.setattr(worker_module, "STILL_WORKING_SECONDS", 0.1)
    yield
    monkeypatch.undo()
    await consumer_anew()


async def test_long_work_is_not_given_to_another_while_its_worker_says_that_it_goes_on(short_patience, chain):
    async with chain() as (database, queue):
        handler = Held()
        await add(database, "a")
        async with working(database, queue, handler):
            await handler.begun.wait()
            # Beside it somebody takes a message and falls silent: when that one comes again, the patience is over.
            other = await JetStreamQueue.connect(engines_url(queue))
            await queue.send([("extract", [0])])
            silent = await other.receive("extract", 30)
            again = await other.receive("extract", 30)
            assert silent.jobs == again.jobs == [0]
            await again.done()
            handler.go.set()
            await until(lambda: all_in(database, ["a"]))
            await other.close()
        assert handler.performed == ["a"]
        assert (await states(database))["a"]["attempts"] == 0


def engines_url(queue):
    return str(queue._client.connected_url.geturl())


async def test_artefact_follow_on_job_and_message_come_together(chain):
    async with chain() as (database, queue):
        await add(database, "a", "b")
        async with working(database, queue, Effects()):
            await until(lambda: all_in(database, ["a", "b"]))
        assert await effects_of(database) == ["a", "b"]
        assert set(await states(database, "encode")) == {"a", "b"}


async def test_a_reading_that_went_stale_while_a_job_was_performed_is_read_again_and_costs_no_try(chain):
    handler = Effects()
    handler.scripts["a"] = [StaleRead("written anew") for _ in range(worker_module.FRESH_PREPARES - 1)]
    async with chain() as (database, queue):
        await add(database, "a", "b")
        async with working(database, queue, handler):
            await until(lambda: all_in(database, ["a", "b"]))
        found = await states(database)
        assert await effects_of(database) == ["a", "b"]
    assert handler.performed.count("a") == worker_module.FRESH_PREPARES
    assert handler.performed.count("b") == 1
    assert (found["a"]["attempts"], found["a"]["reason"]) == (0, None)


async def test_a_reading_that_is_always_stale_ends_as_a_dead_letter(chain):
    handler = Effects()
    handler.scripts["a"] = [StaleRead("written anew") for _ in range(100)]
    async with chain() as (database, queue):
        await add(database, "a", "b")
        async with working(database, queue, handler):
            await until(lambda: all_in(database, ["a"], "dead"))
            await until(lambda: all_in(database, ["b"]))
        assert (await states(database))["a"]["reason"] == "StaleRead: written anew"


async def test_an_engine_that_was_away_while_a_job_was_performed_costs_the_job_no_try(chain):
    handler = Effects()
    handler.scripts["a"] = [EngineUnavailable("away") for _ in range(FAST.tries + 1)]
    async with chain() as (database, queue):
        await add(database, "a", "b")
        async with working(database, queue, handler):
            await until(lambda: all_in(database, ["a", "b"]))
        assert await effects_of(database) == ["a", "b"]
        assert (await states(database))["a"]["attempts"] == 0


async def test_a_job_is_queued_once_under_one_key(chain):
    async with chain() as (database, _):
        await add(database, "a")
        await add(database, "a", "b")
        async with database.transaction() as tx:
            assert [row.jobs for row in await jobs.unsent(tx, 10)] == [[1], [3]] or len(await states(database)) == 2


async def test_a_message_that_is_delivered_twice_has_one_effect(chain):
    async with chain() as (database, queue):
        await add(database, "a")
        async with database.transaction() as tx:
            row = (await jobs.unsent(tx, 1))[0]
        for _ in range(3):
            await queue.send([("extract", row.jobs)])
        async with working(database, queue, Effects()):
            await until(lambda: all_in(database, ["a"]))
            await until(lambda: drained(queue))
        assert await effects_of(database) == ["a"]


async def drained(queue):
    return await queue.drained("extract")


async def test_two_workers_that_perform_one_job_at_once_commit_it_once(chain):
    async with chain() as (database, queue):
        await add(database, "a")
        async with database.transaction() as tx:
            row = (await jobs.unsent(tx, 1))[0]
            await jobs.mark_sent(tx, [row.id])
        meeting = asyncio.Barrier(2)

        class Slow(Effects):
            async def perform(self, prepared, jobs):
                await meeting.wait()
                return await super().perform(prepared, jobs)

        handlers = [Slow(), Slow()]
        workers = [Worker(database, queue, {"extract": handler}) for handler in handlers]
        await asyncio.gather(
            *(worker._handle(handler, row.jobs) for worker, handler in zip(workers, handlers, strict=True))
        )
        assert await effects_of(database) == ["a"]


async def test_a_lost_broker_store_is_repaired_and_nothing_is_sent_needlessly(chain):
    async with chain() as (database, queue):
        await add(database, "a", "b")
        while await relay_once(database, queue):
            pass
        assert await reconcile(database, queue) == 0
        await queue._context.delete_stream("lumbung_extract")
        assert await reconcile(database, queue) == 2
        async with working(database, queue, Effects()):
            await until(lambda: all_in(database, ["a", "b"]))
        assert await effects_of(database) == ["a", "b"]


async def test_a_transient_failure_is_tried_again_and_then_succeeds(chain):
    async with chain() as (database, queue):
        handler = Effects()
        handler.scripts["a"] = [TransientError("not now"), TransientError("not yet")]
        await add(database, "a")
        async with working(database, queue, handler):
            await until(lambda: all_in(database, ["a"]))
        assert handler.performed.count("a") == 3
        assert await effects_of(database) == ["a"]


async def test_a_transient_failure_that_stays_becomes_a_dead_letter_and_can_be_driven_again(chain):
    async with chain() as (database, queue):
        handler = Effects()
        handler.scripts["a"] = [TransientError("never")] * 3
        await add(database, "a")
        async with working(database, queue, handler):
            await until(lambda: all_in(database, ["a"], "dead"))
            assert "never" in (await states(database))["a"]["reason"]
            async with database.transaction() as tx:
                assert await jobs.redrive(tx) == 1
            await until(lambda: all_in(database, ["a"]))
        assert await effects_of(database) == ["a"]


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (ContractError("a bug"), "dead"),
        (PolicyRefused("not this one"), "done"),
        (CapabilityMissing("no model", "inference"), "parked"),
    ],
)
async def test_each_family_of_errors_has_its_reaction_and_costs_only_its_own_job(chain, error, state):
    async with chain() as (database, queue):
        handler = Effects()
        handler.scripts["bad"] = [error]
        await add(database, "bad", "good")
        async with working(database, queue, handler):
            await until(lambda: all_in(database, ["good"]))
            await until(lambda: all_in(database, ["bad"], state))
        assert await effects_of(database) == ["good"]


async def test_a_parked_job_goes_on_when_its_capability_returns(chain):
    async with chain() as (database, queue):
        handler = Effects()
        handler.scripts["a"] = [CapabilityMissing("no model", "inference")]
        await add(database, "a")
        async with working(database, queue, handler):
            await until(lambda: all_in(database, ["a"], "parked"))
            async with database.transaction() as tx:
                await jobs.unpark(tx, "inference")
            await until(lambda: all_in(database, ["a"]))


async def test_an_exhausted_budget_pauses_the_stage_and_keeps_the_work(chain):
    async with chain() as (database, queue):
        handler = Effects()
        handler.scripts["a"] = [BudgetExhausted("the day's cap is reached")]
        await add(database, "a")
        async with working(database, queue, handler, RetryPolicy()):
            await until(lambda: all_in(database, ["a"], "waiting"))
            async with database.transaction() as tx:
                paused = {row["name"]: row["paused_reason"] for row in await stages.all_stages(tx)}
            assert paused["extract"] == "the day's cap is reached"


async def test_a_stale_reading_is_prepared_again(chain):
    async with chain() as (database, queue):

        class Stale(Effects):
            def __init__(self):
                super().__init__()
                self.left = 2

            async def commit(self, tx, jobs, outcome):
                self.left -= 1
                if self.left >= 0:
                    raise StaleRead("a neighbour came")
                return await super().commit(tx, jobs, outcome)

        handler = Stale()
        await add(database, "a")
        async with working(database, queue, handler):
            await until(lambda: all_in(database, ["a"]))
        assert handler.performed == ["a"] * 3
        assert (await states(database))["a"]["attempts"] == 0


async def test_a_bad_job_in_a_batch_that_breaks_the_commit_is_found_alone(chain):
    async with chain() as (database, queue):

        class Breaking(Effects):
            async def commit(self, tx, jobs, outcome):
                if any(job.key == "bad" for job in jobs):
                    await tx.run("insert into refusal (stage) values ('no subject')")
                return await super().commit(tx, jobs, outcome)

        await add(database, "a", "bad", "b")
        async with working(database, queue, Breaking()):
            await until(lambda: all_in(database, ["a", "b"]))
            await until(lambda: all_in(database, ["bad"], "dead"))
        assert await effects_of(database) == ["a", "b"]


async def test_a_paused_stage_takes_nothing_until_it_is_resumed(chain):
    async with chain() as (database, queue):
        async with database.transaction() as tx:
            await stages.pause(tx, "extract", "maintenance")
        handler = Effects()
        async with working(database, queue, handler) as worker:
            await until(lambda: is_paused(worker))
            await add(database, "a")
            async with database.transaction() as tx:
                await stages.resume(tx, "extract")
            await until(lambda: all_in(database, ["a"]))


async def is_paused(worker):
    return "extract" in worker._paused


async def test_a_message_that_names_jobs_of_another_stage_has_no_effect(chain):
    async with chain() as (database, queue):
        async with database.transaction() as tx:
            await jobs.add(tx, [NewJob("publish", "not mine")])
            foreign = (await jobs.unsent(tx, 1))[0]
            await jobs.mark_sent(tx, [foreign.id])
        await add(database, "mine")
        await queue.send([("extract", foreign.jobs)])
        async with working(database, queue, Effects()):
            await until(lambda: all_in(database, ["mine"]))
            await until(lambda: drained(queue))
        assert await effects_of(database) == ["mine"]
        assert (await states(database, "publish"))["not mine"]["state"] == "ready"


async def test_a_stage_takes_more_at_a_time_when_much_arrives_and_never_more_than_its_bound(chain, monkeypatch):
    monkeypatch.setattr(worker_module, "FIGURES_SECONDS", 0.05)
    monkeypatch.setattr(queueing, "DRAIN_SECONDS", 1e-6)
    at_work, highest, crowd = 0, 0, asyncio.Event()

    class Crowded(Effects):
        async def perform(self, prepared, jobs):
            nonlocal at_work, highest
            at_work += 1
            highest = max(highest, at_work)
            if at_work == 3:
                crowd.set()
            if jobs[0].key != "first":
                await asyncio.wait_for(crowd.wait(), 60)
            at_work -= 1
            return {job.id: job.key for job in jobs}

    async with chain() as (database, queue):
        worker = Worker(database, queue, {"extract": Crowded()}, most={"extract": 3})
        running = asyncio.create_task(worker.run())
        keys = ["first", *"abcdefg"]
        async with database.transaction() as tx:
            await jobs.add(tx, [NewJob("extract", key) for key in keys])
            rows = await tx.rows("select id, key from job where stage = 'extract' order by key = 'first' desc, key")
        await queue.send([("extract", [rows[0]["id"]])])
        while (await states(database))["first"]["state"] != "done":
            await asyncio.sleep(0.02)
        await queue.send([("extract", [row["id"]]) for row in rows[1:]])
        await asyncio.wait_for(crowd.wait(), 60)
        while any(row["state"] != "done" for row in (await states(database)).values()):
            await asyncio.sleep(0.02)
        worker.stop()
        await asyncio.wait_for(running, 60)
    assert highest == 3

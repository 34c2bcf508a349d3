"""The worker: receives batches of job ids, runs the handler's three steps, owns transactions, acks and retries."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from lumbung.equations.queueing import StageLoad
from lumbung.errors import EngineUnavailable, LumbungError, StaleRead, TransientError
from lumbung.model.job import Job
from lumbung.ports.queue import Delivery, Queue
from lumbung.ports.stage import Handler
from lumbung.runtime.ending import end_all
from lumbung.runtime.failpoints import passage
from lumbung.runtime.retry import RetryPolicy, family_of, react
from lumbung.store import governed
from lumbung.store import jobs as job_store
from lumbung.store import stages as stage_store
from lumbung.store.database import Database
from lumbung.telemetry import Step, begin_step, log

RECEIVE_SECONDS = 20.0
FIGURES_SECONDS = 5.0
STILL_WORKING_SECONDS = 1.5
AGAIN_SECONDS = 0.2
FRESH_PREPARES = 5
"""How often a commit may find its reading stale before the job waits like any other transient failure."""


@dataclass
class Handled:
    """Work done since the figures were last written; a job must not cost a transaction for its figure."""

    jobs: int = 0
    busy_seconds: float = 0.0

    def add(self, jobs: int, seconds: float) -> None:
        self.jobs += jobs
        self.busy_seconds += seconds


class Worker:
    """Serves some stages with a bounded number of deliveries at a time each."""

    def __init__(
        self,
        database: Database,
        queue: Queue,
        handlers: Mapping[str, Handler],
        concurrency: Mapping[str, int] | None = None,
        policy: RetryPolicy | None = None,
        most: Mapping[str, int] | None = None,
    ) -> None:
        """Stages named in `most` take more deliveries at a time than `concurrency` says, where what arrives asks for it."""
        self._database = database
        self._queue = queue
        self._handlers = handlers
        fewest = {stage: (concurrency or {}).get(stage, 1) for stage in handlers}
        self._loads = {stage: StageLoad(fewest[stage], (most or {}).get(stage, 1)) for stage in handlers}
        self._policy = policy
        self._paused: set[str] = set()
        self._stage_changed = asyncio.Event()
        self._stopping = asyncio.Event()
        self._handled = {stage: Handled() for stage in handlers}
        self._in_hand: set[Delivery] = set()
        self._id = uuid4()

    def stop(self) -> None:
        """Take nothing new; what is in hand is finished."""
        self._stopping.set()
        self._stage_changed.set()

    async def run(self) -> None:
        """Serve until stopped; returns when the work in hand is done."""
        watching = asyncio.create_task(self._watch_stages())
        seeing = asyncio.create_task(self._keep_seen())
        holding = asyncio.create_task(self._keep_in_hand())
        serving = [
            asyncio.create_task(self._serve(stage, place))
            for stage in self._handlers
            for place in range(self._loads[stage].most)
        ]
        try:
            await asyncio.gather(*serving)
        finally:
            self.stop()
            await end_all((watching, seeing, holding, *serving))
            with suppress(LumbungError):
                await self._see("stopped")
                await self._write_figures()

    def follow(self, handlers: Mapping[str, Handler]) -> None:
        """Serve the same stages with these from the next delivery on."""
        self._handlers = handlers

    async def _serve(self, stage: str, place: int) -> None:
        stopping = asyncio.ensure_future(self._stopping.wait())
        while not self._stopping.is_set():
            await self._until_wanted(stage, place)
            if self._stopping.is_set():
                break
            try:
                delivery = await self._receive(stage, stopping)
            except TransientError as error:
                log.info("worker.waits", stage=stage, reason=str(error))
                await asyncio.sleep(0.2)
                continue
            if delivery is not None:
                await self._handle_delivery(self._handlers[stage], delivery)

    async def _receive(self, stage: str, stopping: asyncio.Future[Any]) -> Delivery | None:
        receiving = asyncio.ensure_future(self._queue.receive(stage, RECEIVE_SECONDS))
        await asyncio.wait({receiving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not receiving.done():
            receiving.cancel()
            return None
        return receiving.result()

    async def _handle_delivery(self, handler: Handler, delivery: Delivery) -> None:
        passage("worker.received")
        self._in_hand.add(delivery)
        started = time.monotonic()
        try:
            for start in range(0, len(delivery.jobs), handler.batch_size):
                await self._handle(handler, delivery.jobs[start : start + handler.batch_size])
            await delivery.done()
            self._loads[handler.stage].add(time.monotonic() - started)
        except TransientError as error:
            log.info("worker.gives_back", stage=handler.stage, reason=str(error))
            await delivery.again(AGAIN_SECONDS)
        finally:
            self._in_hand.discard(delivery)

    async def _handle(self, handler: Handler, ids: Sequence[int]) -> None:
        """A batch; if it fails as a whole, each of its jobs alone, so that one bad job costs only itself."""
        started = time.monotonic()
        jobs: list[Job] = []
        try:
            await self._attempt(handler, ids, jobs)
        except EngineUnavailable:
            raise  # no fault of the jobs': the message comes again, and no try is used up
        except Exception as error:
            if len(jobs) > 1:
                for job in jobs:
                    await self._handle(handler, [job.id])
                return
            if not jobs:
                raise
            await self._react(jobs[0], family_of(error))
        self._handled[handler.stage].add(len(jobs), time.monotonic() - started)

    async def _attempt(self, handler: Handler, ids: Sequence[int], jobs: list[Job]) -> None:
        for _ in range(FRESH_PREPARES):
            try:
                again = await self._three_steps(handler, ids, jobs)
            except StaleRead as error:
                stale = error
                continue
            if not again:
                return
            self._handled[handler.stage].add(len(jobs) - len(again), 0.0)
            ids, stale = list(again), next(iter(again.values()))
            jobs[:] = [job for job in jobs if job.id in again]
        raise stale

    async def _three_steps(self, handler: Handler, ids: Sequence[int], jobs: list[Job]) -> dict[int, StaleRead]:
        """`jobs` is filled with those of the ids that are still to be done; returns those whose reading went stale."""
        async with self._database.reading() as tx:
            jobs[:] = await job_store.open_jobs(tx, handler.stage, ids)
            if not jobs:
                return {}
            prepared = await handler.prepare(tx, jobs)
        passage("worker.prepared")
        steps = {job.id: begin_step(job.stage, job.trace, job=job.key, tries=job.attempts) for job in jobs}
        try:
            failed = await self._perform_and_commit(handler, prepared, jobs, steps)
        except Exception as error:
            for step in steps.values():
                step.end(error)
            raise
        for job in jobs:
            steps[job.id].end(failed.get(job.id))
            if job.id in failed and not isinstance(failed[job.id], EngineUnavailable | StaleRead):
                await self._react(job, failed[job.id])
        for failure in failed.values():
            if isinstance(failure, EngineUnavailable):
                raise failure  # it was away while the job was performed: that is no try of the job's
        return {job: failure for job, failure in failed.items() if isinstance(failure, StaleRead)}

    async def _perform_and_commit(
        self, handler: Handler, prepared: Any, jobs: Sequence[Job], steps: Mapping[int, Step]
    ) -> dict[int, LumbungError]:
        """Those that failed each by itself, with their errors."""
        outcome = await handler.perform(prepared, jobs)
        passage("worker.performed")
        failed = {job.id: outcome[job.id] for job in jobs if isinstance(outcome.get(job.id), LumbungError)}
        async with self._database.transaction() as tx:
            ours = await job_store.finish(tx, [job.id for job in jobs if job.id not in failed])
            done = [replace(job, trace=steps[job.id].trace) for job in jobs if job.id in ours]
            if done:
                await job_store.add(tx, await handler.commit(tx, done, outcome))
        passage("worker.committed")
        return failed

    async def _react(self, job: Job, error: Exception) -> None:
        async with self._database.transaction() as tx:
            policy = self._policy or RetryPolicy.from_rows(await governed.values_now(tx))
            reaction = await react(tx, job, error, policy)
            await job_store.record_figure(tx, job.stage, reaction, 1, 0.0)
        log.warning("job.failed", stage=job.stage, job=job.key, reaction=reaction, reason=str(error))

    async def _watch_stages(self) -> None:
        """Keep the set of paused stages current by the database's notices."""
        while True:
            try:
                async for _ in self._database.listen([stage_store.STAGE_CHANNEL]):
                    async with self._database.transaction() as tx:
                        rows = await stage_store.all_stages(tx)
                    self._paused = {row["name"] for row in rows if row["paused_reason"] is not None}
                    self._stage_changed.set()
            except TransientError:
                await asyncio.sleep(0.2)

    async def _until_wanted(self, stage: str, place: int) -> None:
        """The stage is not paused, and its load asks for so many at a time."""
        while (stage in self._paused or place >= self._loads[stage].allowed) and not self._stopping.is_set():
            self._stage_changed.clear()
            await self._stage_changed.wait()

    async def _keep_in_hand(self) -> None:
        """What takes long is not given to another meanwhile."""
        while True:
            await asyncio.sleep(STILL_WORKING_SECONDS)
            for delivery in tuple(self._in_hand):
                await delivery.still_working()

    async def _keep_seen(self) -> None:
        while True:
            with suppress(LumbungError):
                await self._see("running")
                await self._write_figures()
                await self._settle_loads()
            await asyncio.sleep(FIGURES_SECONDS)

    async def _settle_loads(self) -> None:
        for stage, load in self._loads.items():
            if not load.is_fixed:
                before = load.allowed
                if load.settle(FIGURES_SECONDS, await self._queue.waiting(stage)) != before:
                    log.info("worker.at_a_time", stage=stage, deliveries=load.allowed)
                    self._stage_changed.set()

    async def _write_figures(self) -> None:
        for stage, handled in self._handled.items():
            if handled.jobs:
                self._handled[stage] = Handled()
                async with self._database.transaction() as tx:
                    await job_store.record_figure(tx, stage, "handled", handled.jobs, handled.busy_seconds)

    async def _see(self, state: str) -> None:
        async with self._database.transaction() as tx:
            await stage_store.see_worker(tx, self._id, list(self._handlers), socket.gethostname(), os.getpid(), state)

"""The queue between visits and the database: what ended while a transaction ran goes together into the next."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from lumbung.errors import LumbungError, TransientError
from lumbung.ports.failpoints import Passage
from lumbung.stages.crawl.answers import Ending
from lumbung.stages.crawl.keeping import Keeper
from lumbung.stages.crawl.links import FoundLinks
from lumbung.stages.crawl.visit import Visit
from lumbung.store.database import Database
from lumbung.telemetry import log

MOST_VISITS = 300
MOST_BYTES = 16_000_000
GATHER_SECONDS = 0.1
GATHER_POLITELY_SECONDS = 0.01
AGAIN_SECONDS = 0.2


@dataclass
class _Entry:
    visit: Visit
    done: asyncio.Future[None]

    @property
    def size(self) -> int:
        answer = self.visit.answer
        return len(answer.content) + len(answer.body) if answer else 0


class CommitQueue:
    def __init__(self, database: Database, keeper: Keeper, passage: Passage) -> None:
        self._database = database
        self._keeper = keeper
        self._passage = passage
        self._queue: asyncio.Queue[_Entry] = asyncio.Queue(MOST_VISITS)
        self._waiting_bytes = 0
        self._room = asyncio.Event()
        self._room.set()
        self._committing: set[str] = set()

    async def put(self, visit: Visit) -> asyncio.Future[None]:
        """Waits for room, not for the commit; the future ends with the visit's transaction."""
        entry = _Entry(visit, asyncio.get_running_loop().create_future())
        while self._waiting_bytes >= MOST_BYTES:
            self._room.clear()
            await self._room.wait()
        await self._queue.put(entry)
        self._waiting_bytes += entry.size
        return entry.done

    def is_committing(self, host: str) -> bool:
        return host in self._committing

    async def drain(self) -> None:
        await self._queue.join()

    async def run(self) -> None:
        while True:
            batch = await self._batch()
            self._committing = {entry.visit.lease.host for entry in batch}
            try:
                await self._commit(batch)
            finally:
                self._committing = set()
                for entry in batch:
                    self._queue.task_done()
                    if not entry.done.done():
                        entry.done.set_result(None)

    async def _batch(self) -> list[_Entry]:
        """Whatever comes within a moment: a transaction of many pages costs little more than one of a single page."""
        batch = [await self._queue.get()]
        await asyncio.sleep(GATHER_SECONDS if batch[0].visit.lease.delay == 0 else GATHER_POLITELY_SECONDS)
        size = batch[0].size
        while len(batch) < MOST_VISITS and size < MOST_BYTES and not self._queue.empty():
            batch.append(self._queue.get_nowait())
            size += batch[-1].size
        self._waiting_bytes -= size
        self._room.set()
        return batch

    async def _commit(self, batch: list[_Entry]) -> None:
        try:
            await self._keep([entry.visit for entry in batch])
        except LumbungError as error:
            log.warning("crawl.kept_singly", pages=len(batch), reason=str(error))
            for entry in batch:
                await self._keep_alone(entry.visit)

    async def _keep(self, visits: list[Visit]) -> None:
        """A database that is away is waited for; anything else is the caller's."""
        while True:
            try:
                async with self._database.transaction() as tx:
                    await self._keeper.keep(tx, visits)
            except TransientError as error:
                log.info("crawl.keeps_later", pages=len(visits), reason=str(error))
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            self._keeper.kept(visits)
            self._passage("crawl.committed")
            return

    async def _keep_alone(self, visit: Visit) -> None:
        """One bad page costs itself: its URL ends as failed, with the reason."""
        try:
            await self._keep([visit])
        except LumbungError as error:
            log.error("crawl.page_not_kept", url=visit.lease.url, reason=str(error))
            visit.found, visit.sources, visit.outline_kind = FoundLinks(), [], None
            visit.policy_answers = []
            await self._keep([visit.end(Ending("failed", f"it could not be kept: {str(error)[:300]}"))])

"""Visits wait for their transaction in a queue that holds few bytes, whatever the pages' size."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from types import SimpleNamespace

from lumbung.stages.crawl import commits
from lumbung.stages.crawl.commits import CommitQueue


class StoreThatWaits:
    """A database and a keeper whose transactions end when they are told to."""

    def __init__(self):
        self.may_end = asyncio.Event()
        self.batches = []

    @asynccontextmanager
    async def transaction(self):
        yield self

    async def keep(self, _, visits):
        self.batches.append(len(visits))
        await self.may_end.wait()

    def kept(self, _):
        return


def visit(size):
    answer = SimpleNamespace(content=b"", body=b" " * size)
    return SimpleNamespace(answer=answer, lease=SimpleNamespace(host="a.example", delay=0.0))


async def settled():
    for _ in range(20):
        await asyncio.sleep(0)


async def test_large_pages_wait_before_the_queue_until_those_before_them_are_taken(monkeypatch):
    monkeypatch.setattr(commits, "MOST_BYTES", 1_000)
    monkeypatch.setattr(commits, "GATHER_SECONDS", 0.0)
    store = StoreThatWaits()
    queue = CommitQueue(store, store, lambda _: None)
    putting = [asyncio.create_task(queue.put(visit(600))) for _ in range(10)]
    await settled()
    assert sum(each.done() for each in putting) == 2, "the second passes the bound, the third waits"
    running = asyncio.create_task(queue.run())
    store.may_end.set()
    await asyncio.wait_for(asyncio.gather(*putting), 60)
    await asyncio.wait_for(queue.drain(), 60)
    running.cancel()
    assert store.batches == [2] * 5

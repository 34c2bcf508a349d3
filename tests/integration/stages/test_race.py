"""Many workers at once, one item under four names: exactly one entry for each."""

from __future__ import annotations

import asyncio
import random

from tests.integration.stages.test_order import page

from lumbung.store import jobs

WORKERS = 16
ITEMS = {
    "Tari Seruni": ("Tari Seroeni", "Tarian Seruni", "Seruni"),
    "Tari Melati": ("Tari Mélati", "Tarian Melati", "Melati"),
    "Tari Cempaka": ("Tari Tjempaka", "Tarian Cempaka", "Cempaka"),
}


def pages():
    found = []
    for number, (name, others) in enumerate(ITEMS.items()):
        for place, written in enumerate((name, *others)):
            url = f"https://s{number}{place}.go.id/1"
            facts = [("fungsi", f"hiburan di {url}")]
            found.append(page(url, written, facts, aliases=(name,) if written != name else ()))
    random.Random(5).shuffle(found)
    return found


async def work(made, stage):
    """Take whatever is ready, one job at a time, like a worker that knows of no other."""
    while True:
        async with made.machine.transaction() as tx:
            ready = await jobs.ready_of(tx, stage, 100)
        if not ready:
            return
        await made.worker._handle(made.handlers[stage], [ready[0]])


async def test_sixteen_workers_make_one_entry_of_an_item_under_four_names(bench):
    async with bench() as made:
        for each in pages():
            await made.add(*each)
        for stage in ("encode", "decide", "publish", "decide", "publish"):
            await asyncio.gather(*(work(made, stage) for _ in range(WORKERS)))
        await made.run()
        entries = await made.export()
        assert sorted(entry["title"] for entry in entries) == sorted(ITEMS)
        assert all(len(entry["facts"]) == 4 for entry in entries)

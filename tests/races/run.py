"""People edit while machine workers enrich the same entries and are killed over and over: what must hold afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from lumbung.model.item import human_node
from lumbung.model.job import NewJob
from lumbung.runtime.ending import end_all
from lumbung.store import jobs
from tests.integration.stages.publish.test_races import revise
from tests.integration.stages.test_order import PROFILE, Bench, page
from tests.races.pack import Pack

SYLLABLES = tuple(a + b for a in "bcdgjklmnprstw" for b in "aeiou")
WORKERS = 2


@dataclass
class Outcome:
    entries: int
    edited: int
    kills: int
    overwritten: list[str]
    """Edited entries that are not the person's words any more."""
    doubled: list[str]
    """Names under which the machine holds two entries."""
    lost: int
    """Claims that no fact rests on."""

    @property
    def clean(self) -> bool:
        return not self.overwritten and not self.doubled and not self.lost


def names(count: int, random: Random) -> list[str]:
    """Far enough apart that none is a spelling of another."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(random.choice(SYLLABLES) for _ in range(5)).capitalize()] = None
    return list(found)


async def add_pages(bench: Bench, named: list[str], site: str, attribute: str) -> None:
    categories, regions = (
        ("tarian",),
        sorted(code for code, each in PROFILE.regions.items() if each.level == "province"),
    )
    for number, name in enumerate(named):
        facts = [(attribute, f"{attribute} ke {number}")]
        where = (regions[number % len(regions)],)
        await bench.add(*page(f"https://{site}{number}.go.id/1", f"Tari {name}", facts, categories[0], where))


async def read_again(bench: Bench, identity: str) -> None:
    """What stage 2 does with a person's words: the record enters the index."""
    node = human_node(identity)
    async with bench.people.transaction() as tx:
        await jobs.add(tx, [NewJob("encode", f"{node}:2", {"node": node})])


async def until_quiet(bench: Bench, packs: Sequence[asyncio.Task[None]], pause_seconds: float = 0.2) -> None:
    """Until nothing is left to do; a pack that fell out of the race is told of at once."""
    while True:
        for pack in packs:
            if pack.done():
                pack.result()
        async with bench.machine.transaction() as tx:
            waiting = await tx.value(
                "select count(*) from job where stage = any (%(stages)s) and state not in ('done', 'dead', 'parked')",
                {"stages": list(bench.handlers)},
            )
        if not waiting:
            return
        await asyncio.sleep(pause_seconds)


async def race(bench: Bench, machine_url: str, count: int, seed: int, lives: int, longest_life: float) -> Outcome:
    named = names(count, Random(seed))
    pack = Pack(machine_url, seed, longest_life)
    packs = [asyncio.create_task(pack.live(lives)) for _ in range(WORKERS)]
    try:
        await add_pages(bench, named, "a", "fungsi")
        await until_quiet(bench, packs)
        async with bench.people.transaction() as tx:
            rows = await tx.rows(
                "select identity, title, regions from entry where owner = 'machine' and status = 'published' order by identity"
            )
        edited = rows[::2]

        async def people_edit() -> None:
            for row in edited:
                await revise(bench.people, row)
                await read_again(bench, row["identity"])

        await asyncio.gather(add_pages(bench, named, "b", "iringan"), people_edit())
        await until_quiet(bench, packs)
    finally:
        await end_all(packs)
    return await looked_over(bench, edited, len(rows), pack.kills)


async def looked_over(bench: Bench, edited: list[dict[str, str]], published: int, kills: int) -> Outcome:
    async with bench.people.transaction() as tx:
        held = {row["identity"]: row for row in await tx.rows("select identity, owner, body from entry")}
        doubled = await tx.rows(
            "select title from entry where owner = 'machine' and status <> 'withdrawn' group by title, primary_region having count(*) > 1"
        )
        lost = await tx.value(
            "select count(*) from claim k join candidate c on c.digest = k.candidate "
            "where c.state = 'live' and not exists (select 1 from fact_claim f where f.claim = k.id)"
        )
        assert await jobs.dead(tx) == []
    overwritten = [
        row["title"]
        for row in edited
        if (held[row["identity"]]["owner"], held[row["identity"]]["body"])
        != ("human", f"Kata warga tentang {row['title']}.")
    ]
    return Outcome(published, len(edited), kills, overwritten, [row["title"] for row in doubled], int(lost))

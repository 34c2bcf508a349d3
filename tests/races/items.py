"""Sixteen workers, each item under four names at once: exactly one entry for each, whatever is killed meanwhile."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from random import Random

from lumbung.runtime.ending import end_all
from tests.integration.stages.order_sets import old_spelling
from tests.integration.stages.test_order import Bench, page
from tests.races.pack import Pack
from tests.races.run import names, until_quiet

WORKERS = 16


@dataclass
class ItemsOutcome:
    items: int
    kills: int
    entries: int
    incomplete: list[str]
    """Titles of entries that do not rest on all four pages."""

    @property
    def clean(self) -> bool:
        return self.items == self.entries and not self.incomplete


def pages_of(count: int, random: Random) -> list[tuple[str, str, tuple[str, ...]]]:
    """URL, name and aliases: the name as it is, in old spelling, with another generic word and without any."""
    found = []
    for number, word in enumerate(names(count, random)):
        name = f"Tari {word}"
        spelled = (name, f"Tari {old_spelling(word.lower()).capitalize()}", f"Tarian {word}", word)
        for place, written in enumerate(spelled):
            found.append((f"https://s{number}-{place}.go.id/1", written, (name,) if written != name else ()))
    random.shuffle(found)
    return found


async def race_for_items(
    bench: Bench, machine_url: str, count: int, seed: int, lives: int, longest_life: float
) -> ItemsOutcome:
    pack = Pack(machine_url, seed, longest_life)
    packs = [asyncio.create_task(pack.live(lives)) for _ in range(WORKERS)]
    try:
        for url, name, aliases in pages_of(count, Random(seed)):
            await bench.add(*page(url, name, [("fungsi", f"hiburan di {url}")], aliases=aliases))
        await until_quiet(bench, packs)
    finally:
        await end_all(packs)
    entries = await bench.export()
    incomplete = [entry["title"] for entry in entries if len(entry["facts"]) != 4]
    return ItemsOutcome(count, pack.kills, len(entries), incomplete)

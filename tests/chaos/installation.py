"""A data folder with everything people do before a harvest; copied for each run, and read at the end of it."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from lumbung.bootstrap import LocalNames, System, open_system
from lumbung.config import load_settings
from lumbung.errors import TransientError
from lumbung.governance.actions.demo_governance import demo_governance
from lumbung.governance.actions.inject_seeds import inject_seeds
from lumbung.governance.reports.funnel import is_dry
from lumbung.library.actions.import_records import import_record
from lumbung.library.exports import STATUSES, canonical_export
from lumbung.library.records import RecordReader
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE
from lumbung.runtime.engines import Engines
from lumbung.store import frontier
from lumbung.text.url import registrable_domain
from tests.chaos.pages import host_names, human_records

IN_FLIGHT = """
select (select count(*) from frontier where state = 'leased') as leased,
       (select count(*) from outbox) as outbox,
       (select count(*) from document where body is not null and archive is null) as unarchived,
       coalesce((select jsonb_object_agg(stage, jobs) from
           (select stage, count(*) as jobs from job where state in ('ready', 'waiting') group by stage) s), '{}') as jobs,
       (select count(*) from job where state = 'done') as done,
       coalesce((select stage || ' ' || left(key, 60) from job where state = 'ready' order by id limit 1),
                (select 'crawl ' || url from frontier where state = 'leased' order by id limit 1)) as first
"""
HUMAN = "select identity, revision, title, body, category, regions, aliases, owner from entry where owner = 'human' order by identity"
DEAD = "select stage, key, reason from job where state = 'dead' order by stage, key"
PAGES = "select url, digest from document order by url, digest"
EXPIRE = "select budget_expire(lumbung_now() + interval '1 hour')"
UNSETTLED = "select id, state, job from spend where state in ('reserved', 'begun')"
MOST_AT_ONCE = """
select w.name, w.cap_micros, coalesce(max(taken.micros), 0)::bigint as micros from budget_window w cross join spend s cross join lateral (
    select sum(case when o.spent_at <= s.reserved_at then o.spent_micros else o.reserved_micros end) as micros from spend o
    where o.reserved_at <= s.reserved_at and o.spent_at > s.reserved_at - make_interval(secs => w.seconds)) taken
group by w.name, w.cap_micros
"""
OVERRUNS = "select subject, detail from alarm where kind = 'budget.overrun'"


@dataclass(frozen=True)
class InFlight:
    """What a fault hit."""

    leased: int
    outbox: int
    unarchived: int
    jobs: dict[str, int]
    done: int
    first: str | None
    """The job that has been in hand for longest."""

    @property
    def queued(self) -> bool:
        return sum(self.jobs.values()) + self.outbox > 0

    @property
    def busy(self) -> bool:
        return self.queued or self.leased > 0

    def told(self) -> str:
        parts = [f"{self.leased} URLs leased", f"{self.outbox} outbox rows", f"{self.unarchived} bodies to archive"]
        parts += [f"{number} {stage} jobs" for stage, number in sorted(self.jobs.items())]
        return ", ".join([*parts, f"first {self.first}"])


@dataclass(frozen=True)
class Outcome:
    """What must be equal, whatever happened on the way."""

    library: list[str]
    human: str
    dead_letters: list[str]
    pages: list[str]
    ledger: list[str]
    """What is wrong with the money; always nothing."""

    def differences(self, other: Outcome) -> list[str]:
        told = []
        for name in ("library", "dead_letters", "pages"):
            ours, theirs = set(getattr(self, name)), set(getattr(other, name))
            told += [f"{name} lacks {line[:400]}" for line in sorted(theirs - ours)[:5]]
            told += [f"{name} has beyond it {line[:400]}" for line in sorted(ours - theirs)[:5]]
        if self.human != other.human:
            told.append("the human records changed")
        return told + self.ledger


class Installation:
    """One data folder whose engines this process keeps attached."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._stack = AsyncExitStack()
        self._system: System | None = None

    async def open(self, environment: Mapping[str, str] | None = None) -> None:
        # Killing processes loses nothing that the kernel holds, so the disk need not be waited for.
        engines = await asyncio.to_thread(Engines.attach, self.folder, fsync=False)
        self._stack.push_async_callback(asyncio.to_thread, engines.close)
        settings, _ = load_settings({"data_dir": self.folder}, environment or {})
        self._system = await self._stack.enter_async_context(open_system(settings, None, LocalNames()))

    async def close(self) -> None:
        await self._stack.aclose()

    @property
    def system(self) -> System:
        assert self._system is not None
        return self._system

    async def prepare(self, hosts: list[str]) -> None:
        """Import, govern and seed: what people do."""
        reader = RecordReader(self.system.profile, self.system.gazetteer)
        async with self.system.people.transaction() as tx:
            for record in human_records():
                await import_record(tx, OPERATOR_AT_THE_MACHINE, reader.read(record))
            await demo_governance(tx, OPERATOR_AT_THE_MACHINE, self.system.profile, True)
            await frontier.set_delay(tx, [(host, registrable_domain(host)) for host in hosts], 0.0)
            urls = [f"http://{host}/" for host in hosts]
            await inject_seeds(tx, OPERATOR_AT_THE_MACHINE, urls, "chaos", "the fixed set of pages")

    async def rows(self, query: str) -> list[dict[str, Any]]:
        """Read, waiting for an engine that is being restarted."""
        while True:
            try:
                async with self.system.people.transaction() as tx:
                    return await tx.rows(query)
            except TransientError:
                await asyncio.sleep(0.05)

    async def in_flight(self) -> InFlight:
        return InFlight(**(await self.rows(IN_FLIGHT))[0])

    async def dry(self) -> bool:
        try:
            async with self.system.people.transaction() as tx:
                return await is_dry(tx)
        except TransientError:
            return False

    async def outcome(self) -> Outcome:
        async with self.system.people.transaction() as tx:
            library = [json.dumps(each, sort_keys=True) for each in await canonical_export(tx, list(STATUSES))]
        human = json.dumps(await self.rows(HUMAN), sort_keys=True, default=str)
        return Outcome(
            library=library,
            human=hashlib.sha256(human.encode()).hexdigest(),
            dead_letters=[json.dumps(row) for row in await self.rows(DEAD)],
            pages=[f"{row['url']} {row['digest']}" for row in await self.rows(PAGES)],
            ledger=await self._ledger(),
        )

    async def _ledger(self) -> list[str]:
        """Once the leases of killed workers have passed, every reservation is settled; no window ever passed its cap."""
        assert self.system.addresses.owner is not None
        async with await psycopg.AsyncConnection.connect(self.system.addresses.owner, autocommit=True) as owner:
            await owner.execute(EXPIRE)
        told = [f"the ledger holds {row}" for row in await self.rows(UNSETTLED)]
        over = [row for row in await self.rows(MOST_AT_ONCE) if row["micros"] > row["cap_micros"]]
        told += [f"the cap was passed: {row}" for row in over]
        return told + [f"the ledger has an alarm: {row}" for row in await self.rows(OVERRUNS)]


async def prepared_folder(folder: Path, number_of_hosts: int) -> Path:
    installation = Installation(folder)
    await installation.open()
    try:
        await installation.prepare(host_names(number_of_hosts))
    finally:
        await installation.close()
    return folder

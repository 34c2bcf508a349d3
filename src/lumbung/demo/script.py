"""What the demo does, step by step, through the real actions, fetcher, queue and database."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Callable
from importlib.resources import files
from io import StringIO

from pydantic_core import from_json

from lumbung.bootstrap import LocalNames, System
from lumbung.demo.curation import Talk, demo_actor
from lumbung.demo.expectations import load_expectations
from lumbung.demo.progress import Filling, filling
from lumbung.demo.server import DemoWorld
from lumbung.funnel import Running
from lumbung.governance.actions.approvals import approve_request
from lumbung.governance.actions.demo_governance import demo_governance
from lumbung.governance.actions.source_rules import set_source_rules
from lumbung.governance.reports.funnel import funnel_report, is_dry
from lumbung.governance.steward.sampling import draw
from lumbung.library.actions.contribute import remove_entry
from lumbung.library.actions.import_records import ImportReport, import_record, record_import
from lumbung.library.records import RecordReader
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, Role
from lumbung.model.profile import SourceRule, SourceType
from lumbung.store import entries, frontier, governed
from lumbung.store.database import Transaction
from lumbung.text.url import registrable_domain

Watch = Callable[[Filling], None]
LOOK_SECONDS = 0.25
HARVESTED = "demo-harvested"


def local_names(world: DemoWorld) -> LocalNames:
    names = LocalNames()
    for line in world.hosts_lines():
        host, place = line.split()
        address, _, port = place.rpartition(":")
        names.hosts[host] = (address, int(port))
    return names


def source_rules() -> list[SourceRule]:
    text = files("lumbung.demo").joinpath("world", "sources.csv").read_text(encoding="utf-8")
    return [
        SourceRule(SourceType(row["type"]), row["rule"], row["pattern"], row["reason"])
        for row in csv.DictReader(StringIO(text))
    ]


async def prepare(system: System, world: DemoWorld, talk: Talk) -> None:
    """The people's part before the machine starts: corpus, rules, modes, and one entry that was taken down."""
    report = await import_corpus(system)
    talk(f"{report.added} human entries imported; they stay as people wrote them.")
    async with system.people.transaction() as tx:
        await demo_governance(tx, OPERATOR_AT_THE_MACHINE, system.profile, embedded_library=True)
        curator = await demo_actor(tx, Role.CURATOR)
        why = "the hosts of the demo world"
        change = await set_source_rules(tx, curator, source_rules(), system.profile, why)
        if change.request is not None:
            await approve_request(tx, await demo_actor(tx, Role.APPROVER), change.request, why)
        hosts = [(host, registrable_domain(host)) for host in world.sites]
        await frontier.set_delay(tx, hosts, 0.0)
        await take_down(tx)


async def take_down(tx: Transaction) -> None:
    """What the demo's guardian removes before the harvest, and no page brings back."""
    guardian = await demo_actor(tx, Role.GUARDIAN)
    for branch in load_expectations():
        held = await entries.by_title(tx, branch.entry) if branch.outcome == "tombstone" else None
        if held is not None and held["status"] == "published":
            await remove_entry(tx, guardian, held["identity"], branch.reason)


async def import_corpus(system: System) -> ImportReport:
    reader = RecordReader(system.profile, system.gazetteer)
    report = ImportReport()
    corpus = files("lumbung.demo").joinpath("corpus", "human.jsonl").read_text(encoding="utf-8")
    for line in corpus.splitlines():
        async with system.people.transaction() as tx:
            outcome = await import_record(tx, OPERATOR_AT_THE_MACHINE, reader.read(from_json(line)))
        setattr(report, outcome, getattr(report, outcome) + 1)
    async with system.people.transaction() as tx:
        await record_import(tx, OPERATOR_AT_THE_MACHINE, "demo corpus", report)
    return report


async def until_dry(system: System, running: Running, watch: Watch) -> None:
    """Returns when nothing waits, is under way or is due; `watch` sees how the funnel fills."""
    while True:
        running.check()
        async with system.people.transaction() as tx:
            if await is_dry(tx):
                return
            watch(await filling(tx))
        await asyncio.sleep(LOOK_SECONDS)


async def is_harvested(system: System) -> bool:
    """Once an earlier demo came to its end; what people set going since then, and hosts that rested, do not count."""
    async with system.people.transaction() as tx:
        return bool(await governed.log_tail(tx, limit=1, verb=HARVESTED))


async def round_off(system: System) -> None:
    """Every decision has its chance to be read by an auditor, what is sacred surely; then the harvest is over."""
    waits = 1
    while waits:
        async with system.people.transaction() as tx:
            waits = await draw(tx)
    async with system.people.transaction() as tx:
        found = await funnel_report(tx)
        await governed.append_action(
            tx, None, HARVESTED, "demo", "all tranches have run dry", {"entries": found.entries}
        )

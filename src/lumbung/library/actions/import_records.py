"""Import of human records: each line in a transaction of its own, so that an interrupted import simply goes on."""

from __future__ import annotations

from dataclasses import dataclass, field

from lumbung.model.item import human_node
from lumbung.model.job import NewJob
from lumbung.model.permission import Actor, allow
from lumbung.store import entries, governed, jobs
from lumbung.store.database import Transaction
from lumbung.store.entries import HumanEntry


@dataclass
class ImportReport:
    added: int = 0
    revised: int = 0
    unchanged: int = 0
    errors: list[str] = field(default_factory=list)


async def import_record(tx: Transaction, actor: Actor, entry: HumanEntry) -> str:
    """added, revised or unchanged; whatever changed is read again by stage 2 for its index facts."""
    allow(actor, "import-records")
    if await entries.write_human(tx, entry, actor.person, "imported"):
        await queue_reading(tx, entry.identity, 1)
        return "added"
    held = await entries.get(tx, entry.identity)
    if held is None or same_record(held, entry):
        return "unchanged"
    revision = await entries.revise_human(tx, entry, actor.person, "imported again", status=held["status"])
    await queue_reading(tx, entry.identity, revision or 1)
    return "revised"


def same_record(held: dict[str, object], entry: HumanEntry) -> bool:
    fields = ("title", "body", "category", "regions", "aliases", "files", "licence", "remote_revision")
    return all(held[name] == getattr(entry, name) for name in fields)


async def queue_reading(tx: Transaction, identity: str, revision: int) -> None:
    await jobs.add(tx, [NewJob("extract", f"{human_node(identity)}:{revision}", {"human": identity})])


async def record_import(tx: Transaction, actor: Actor, source: str, report: ImportReport) -> None:
    await governed.append_action(
        tx,
        actor.person,
        "import-records",
        source,
        "the human corpus, through the library port",
        {"added": report.added, "revised": report.revised, "unchanged": report.unchanged, "errors": len(report.errors)},
    )

"""Import of human records: each line in a transaction of its own, so that an interrupted import simply goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from lumbung.errors import UsageError
from lumbung.model.item import human_node
from lumbung.model.job import NewJob
from lumbung.model.permission import Actor, allow
from lumbung.store import entries, governed, jobs
from lumbung.store.database import Transaction
from lumbung.store.entries import HumanEntry

FIRST, AGAIN = "imported", "imported again"
"""The notes by which an import's revisions are known from people's own."""


@dataclass
class ImportReport:
    added: int = 0
    revised: int = 0
    unchanged: int = 0
    older: int = 0
    errors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What came in all the same, but not whole."""
    met: set[int] = field(default_factory=set, repr=False)

    def meets(self, entry: HumanEntry) -> bool:
        """Whether an earlier line was about the same record; this one is remembered, in few bytes."""
        mark = int(entry.identity[:16], 16)
        known = mark in self.met
        self.met.add(mark)
        return known

    def tell_unplaced(self, number: int, regions: Sequence[str]) -> None:
        self.notes += [
            f"line {number}: no region is known as {name[:100]}; the record came in without it" for name in regions
        ]


async def import_record(tx: Transaction, actor: Actor, entry: HumanEntry, *, repeated: bool = False) -> str:
    """added, revised, unchanged or older; whatever changed is read again by stage 2 for its index facts.

    What somebody revised here since the last import stays as they left it: a newer record is then refused, for a person
    to bring the two together. `repeated` is a record that an earlier line of the same file was about: of two that differ
    only the newer one counts, and where nobody can say which that is, the first.
    """
    allow(actor, "import-records")
    if await entries.write_human(tx, entry, actor.person, FIRST):
        await queue_reading(tx, entry.identity, 1)
        return "added"
    held = await entries.get(tx, entry.identity)
    if held is None:
        return "unchanged"
    number, before = await entries.last_noted(tx, entry.identity, [FIRST, AGAIN]) or (held["revision"], held)
    if same_record(held, entry) or same_record(before, entry):
        return "unchanged"
    if is_older(entry.remote_revision, before.get("remote_revision")):
        return "older"
    if number != held["revision"]:
        raise UsageError(f"{entry.identity} was revised here since it was imported, and is left as it is")
    if repeated and not is_older(before.get("remote_revision"), entry.remote_revision):
        raise UsageError(f'an earlier line has the same "remote_id" ({entry.remote_id}) and says something else')
    revision = await entries.revise_human(tx, entry, actor.person, AGAIN, status=held["status"])
    await queue_reading(tx, entry.identity, revision or 1)
    return "revised"


def same_record(held: Mapping[str, Any], entry: HumanEntry) -> bool:
    fields = ("title", "body", "category", "regions", "aliases", "files", "licence", "remote_revision")
    return all(held.get(name) == getattr(entry, name) for name in fields)


def is_older(revision: str | None, held: str | None) -> bool:
    """Only numbers and times have an order; of other marks nobody can say which came first."""
    if revision is None or held is None:
        return False
    if (revision + held).isascii() and revision.isdecimal() and held.isdecimal():
        return number_order(revision) < number_order(held)
    times = time_of(revision), time_of(held)
    return times[0] is not None and times[1] is not None and times[0] < times[1]


def number_order(digits: str) -> tuple[int, str]:
    """However many digits there are."""
    plain = digits.lstrip("0")
    return len(plain), plain


def time_of(mark: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(mark)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


async def queue_reading(tx: Transaction, identity: str, revision: int) -> None:
    await jobs.add(tx, [NewJob("extract", f"{human_node(identity)}:{revision}", {"human": identity})])


async def record_import(tx: Transaction, actor: Actor, source: str, report: ImportReport) -> None:
    await governed.append_action(
        tx,
        actor.person,
        "import-records",
        source,
        "the human corpus, through the library port",
        {
            "added": report.added,
            "revised": report.revised,
            "unchanged": report.unchanged,
            "older": report.older,
            "errors": len(report.errors),
        },
    )

"""Stage 5 against a remote library: looked at and written outside of any transaction, mirrored and recorded in one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lumbung.errors import LumbungError, StaleRead
from lumbung.model.item import ItemContent
from lumbung.model.job import Job, NewJob
from lumbung.ports.failpoints import Passage
from lumbung.ports.library import Library, LibraryEntry, LibraryFact, LibrarySource
from lumbung.ports.stage import Outcome
from lumbung.stages.publish.handler import PublishHandler
from lumbung.stages.publish.remote import Published, publish_entry, withdraw_entry
from lumbung.store import entries, governed, items, publications
from lumbung.store.database import Row, Transaction
from lumbung.store.entries import MachineEntry

LONGEST_QUOTE = 300
SHORTEST_QUOTE = 20
QUOTED_SHARE = 10
NO_BATCH = 0


@dataclass(frozen=True, slots=True)
class Plan:
    identity: str
    digest: str | None
    """Of the mirror's entry; None when the item is not to stand in the library."""
    entry: LibraryEntry | None
    remote_id: str | None
    known: bool
    """The remote library was sent it before."""
    reason: str


class RemotePublishHandler:
    stage = "publish"
    batch_size = 10

    def __init__(self, local: PublishHandler, library: Library, passage: Passage) -> None:
        self._local = local
        self._library = library
        self._passage = passage

    async def prepare(self, tx: Transaction, jobs: Sequence[Job]) -> dict[int, Plan]:
        rows = await items.get(tx, sorted({job.payload["item"] for job in jobs}))
        modes = await governed.values_now(tx)
        ledger = await publications.ledger_of(tx, self._library.name, [row["identity"] for row in rows.values()])
        return {number: await self._plan(tx, row, modes, ledger.get(row["identity"])) for number, row in rows.items()}

    async def _plan(self, tx: Transaction, row: Row, modes: dict[str, Any], sent: Row | None) -> Plan:
        content = ItemContent.from_json(row["content"])
        held = await entries.get(tx, row["identity"])
        known, remote_id = sent is not None, sent["remote_id"] if sent else None
        reason = "; ".join(content.reasons) or "no existence claim lives"
        if not row["alive"] or (held is not None and held["owner"] == "human"):
            return Plan(row["identity"], None, None, remote_id, known, reason)
        human = await entries.get(tx, content.supplement_of) if content.supplement_of else None
        title = human["title"] if human else None
        entry = self._local.entry_of(row["identity"], content, modes, held, NO_BATCH, title)
        if entry.status != "published":
            return Plan(row["identity"], entry.digest, None, remote_id, known, reason)
        claims = [claim for fact in entry.facts for claim in fact["claims"]]
        sources = await publications.sources_of(tx, claims)
        target = None if human is None else human["remote_id"] or human["identity"]
        return Plan(row["identity"], entry.digest, remote_entry(entry, sources, target), remote_id, known, reason)

    async def perform(self, prepared: dict[int, Plan], jobs: Sequence[Job]) -> Outcome:
        """Items side by side, each once; how many at a time is for the library's guard to say."""
        asked = sorted({job.payload["item"] for job in jobs})
        sent = await asyncio.gather(*(self._send(prepared.get(item)) for item in asked))
        outcome = dict(zip(asked, sent, strict=True))
        return {job.id: outcome[job.payload["item"]] for job in jobs}

    async def _send(self, plan: Plan | None) -> tuple[Plan, Published] | LumbungError | None:
        if plan is None:
            return None
        try:
            published = await self._carry_out(plan)
        except LumbungError as error:
            return error
        self._passage("library.sent")
        return plan, published

    async def _carry_out(self, plan: Plan) -> Published:
        if plan.entry is not None:
            return await publish_entry(self._library, plan.entry, plan.remote_id)
        if plan.known:
            return await withdraw_entry(self._library, plan.identity, plan.remote_id, plan.reason)
        return Published("absent")

    async def commit(self, tx: Transaction, jobs: Sequence[Job], outcome: Outcome) -> Iterable[NewJob]:
        """The mirror, then the ledger; an item that changed since it was sent is sent again."""
        follow_on = await self._local.commit(tx, jobs, outcome)
        for job in jobs:
            if outcome[job.id] is not None:
                await self._record(tx, *outcome[job.id])
        return follow_on

    async def _record(self, tx: Transaction, plan: Plan, published: Published) -> None:
        held = await entries.get(tx, plan.identity)
        if (
            plan.digest is not None
            and held is not None
            and held["owner"] == "machine"
            and held["digest"] != plan.digest
        ):
            raise StaleRead("The item was decided anew while it was sent.")
        if held is None or held["batch"] is None or published.outcome not in ("written", "supplemented", "withdrawn"):
            return
        own = published.seen if published.outcome == "written" else None
        await publications.record(
            tx,
            {
                "entry": plan.identity,
                "batch": held["batch"],
                "revision": held["revision"],
                "digest": plan.entry.digest if plan.entry else "",
                "library": self._library.name,
                "remote_id": own.remote_id if own else None,
                "remote_revision": own.revision if own else None,
                "state": "undone" if published.outcome == "withdrawn" else "written",
            },
        )


def remote_entry(entry: MachineEntry, sources: dict[int, Row], supplement_of: str | None) -> LibraryEntry:
    """What leaves the house: published facts alone, and quotes cut to what may be public."""
    facts = tuple(
        LibraryFact(
            fact["attribute"],
            fact["value"],
            round(fact["probability"], 6),
            "low-confidence" if fact["flagged"] else None,
            tuple(public_source(sources[claim]) for claim in sorted(fact["claims"]) if claim in sources),
        )
        for fact in entry.facts
        if fact["state"] == "published"
    )
    return LibraryEntry(
        identity=entry.identity,
        title=entry.title,
        aliases=tuple(entry.aliases),
        category=entry.category,
        regions=tuple(entry.regions),
        primary_region=entry.primary_region,
        text=entry.body,
        facts=tuple(fact for fact in facts if fact.sources),
        media=tuple(entry.media),
        supplement_of=supplement_of,
    )


def public_source(row: Row) -> LibrarySource:
    """At most 300 characters and a tenth of the page, cut without a mark so that it stays verbatim."""
    limit = max(SHORTEST_QUOTE, min(LONGEST_QUOTE, row["page_length"] // QUOTED_SHARE))
    return LibrarySource(row["url"], row["quote"][:limit], row["digest"])

"""Stage 5: what an item should hold is written into the library, once, beside people's entries and never over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from pydantic_core import to_json

from lumbung.model.item import ItemContent
from lumbung.model.job import Job, NewJob
from lumbung.model.profile import Profile
from lumbung.ports.stage import Outcome
from lumbung.profiles.sentences import load_sentences
from lumbung.stages.publish.composition import compose, entry_title
from lumbung.store import entries, governed, items
from lumbung.store.database import Transaction
from lumbung.store.entries import MachineEntry
from lumbung.text.names import name_key

STATUS_OF_MODE = {"shadow": "shadow", "trickle": "held", "full": "published"}


class PublishHandler:
    stage = "publish"
    batch_size = 50

    def __init__(self, profile: Profile, run: str) -> None:
        self._profile = profile
        self._run = run
        self._sentences = load_sentences(profile.name)

    async def prepare(self, tx: Transaction, jobs: Sequence[Job]) -> None:
        """The embedded library is written in the commit; there is nothing to look at outside."""

    async def perform(self, prepared: None, jobs: Sequence[Job]) -> Outcome:
        return {job.id: None for job in jobs}

    async def commit(self, tx: Transaction, jobs: Sequence[Job], outcome: Outcome) -> Iterable[NewJob]:
        """Always the item's present content: an older job than the newest finds nothing to do."""
        rows = await items.load(tx, sorted({job.payload["item"] for job in jobs}))
        modes = await governed.values_now(tx)
        for number in sorted(rows):
            await self._publish(tx, rows[number], modes)
        return []

    async def _publish(self, tx: Transaction, row: dict[str, Any], modes: dict[str, Any]) -> None:
        content = ItemContent.from_json(row["content"])
        if not row["alive"]:
            await self._withdraw(tx, row["identity"], content)
            return
        batch = await entries.open_batch(tx, self._run, content.category)
        held = await entries.get(tx, row["identity"])
        if held is not None and held["owner"] == "human":
            return
        entry = await self.entry_of(tx, row["identity"], content, modes, held, batch)
        if held is not None and held["digest"] == entry.digest and held["status"] == entry.status:
            return
        revision = await entries.write_machine(tx, entry)
        if revision is None:
            return
        await entries.drop_redirect(tx, entry.identity)
        await entries.add_publication(tx, entry.identity, batch, revision, entry.digest)
        await entries.mark_batch(tx, batch, await items.members_of(tx, [row["id"]]))

    async def _withdraw(self, tx: Transaction, identity: str, content: ItemContent) -> None:
        held = await entries.get(tx, identity)
        if held is None or held["owner"] == "human":
            return
        reason = "; ".join(content.reasons) or "no existence claim lives"
        await entries.withdraw(tx, identity, reason)
        if content.supplement_of:
            await entries.redirect(tx, identity, content.supplement_of, reason)

    async def entry_of(
        self,
        tx: Transaction,
        identity: str,
        content: ItemContent,
        modes: dict[str, Any],
        held: dict[str, Any] | None,
        batch: int,
    ) -> MachineEntry:
        human = await entries.get(tx, content.supplement_of) if content.supplement_of else None
        title = entry_title(content, human["title"] if human else None)
        shown = [fact for fact in content.facts if fact.state == "published"]
        body = compose(content, shown, self._profile, self._sentences)
        digest = sha256(to_json([title, body, asdict(content)])).hexdigest()
        return MachineEntry(
            identity=identity,
            status=status_of(content, modes, held),
            status_reason="; ".join(content.reasons) or None,
            supplement_of=content.supplement_of,
            category=content.category,
            title=title,
            name_key=name_key(title),
            aliases=list(content.aliases),
            alias_keys=sorted({name_key(alias) for alias in content.aliases} - {""}),
            regions=list(content.regions),
            primary_region=content.primary_region,
            body=body,
            media=list(content.media),
            digest=digest,
            sensitive=content.sensitive,
            batch=batch,
            facts=[asdict(fact) | {"claims": list(fact.claims)} for fact in content.facts],
        )


def status_of(content: ItemContent, modes: dict[str, Any], held: dict[str, Any] | None) -> str:
    """Review if a person must look; otherwise what the category's mode allows. Trickle keeps what was released."""
    if content.verdict == "review":
        return "review"
    mode = modes.get(f"mode.{content.category}", "shadow")
    if mode == "trickle" and held is not None and held["status"] == "published":
        return "published"
    return STATUS_OF_MODE[mode]

"""Stage 5: what an item should hold is written into the library, once, beside people's entries and never over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from pydantic_core import to_json

from lumbung.equations.calibration import CalibrationChain
from lumbung.equations.identity import identity
from lumbung.model.item import ItemContent
from lumbung.model.job import Job, NewJob
from lumbung.model.profile import Profile
from lumbung.ports.stage import Outcome
from lumbung.stages.publish.composition import SUPPLEMENT_MARK, compose, entry_title
from lumbung.stages.publish.pictures import want_pictures
from lumbung.store import entries, governed, items, publications
from lumbung.store.database import Row, Transaction
from lumbung.store.entries import MachineEntry
from lumbung.text.names import name_key

STATUS_OF_MODE = {"shadow": "shadow", "trickle": "held", "full": "published"}


class PublishHandler:
    stage = "publish"
    batch_size = 50

    def __init__(self, profile: Profile, run: str) -> None:
        self._profile = profile
        self._run = run

    async def prepare(self, tx: Transaction, jobs: Sequence[Job]) -> None:
        """The embedded library is written in the commit; there is nothing to look at outside."""

    async def perform(self, prepared: None, jobs: Sequence[Job]) -> Outcome:
        return {job.id: None for job in jobs}

    async def commit(self, tx: Transaction, jobs: Sequence[Job], outcome: Outcome) -> Iterable[NewJob]:
        """Always the item's present content: an older job than the newest finds nothing to do.

        Set-wise: a batch costs a dozen statements, however many entries it writes.
        """
        rows = await items.load(tx, sorted({job.payload["item"] for job in jobs}))
        parted = [number for number, row in sorted(rows.items()) if await self._part(tx, row)]
        contents = {row["identity"]: ItemContent.from_json(row["content"]) for row in rows.values()}
        for row in (rows[number] for number in sorted(rows)):
            if not row["alive"]:
                await self._withdraw(tx, row["identity"], contents.pop(row["identity"]))
        if contents:
            await self._write(tx, contents)
        return [NewJob("publish", f"parted:{number}:{rows[number]['identity']}", {"item": number}) for number in parted]

    async def _part(self, tx: Transaction, row: Row) -> bool:
        """People made the item's entry theirs, identity and all: what the sources add goes on as a supplement of it."""
        content = ItemContent.from_json(row["content"])
        if not row["alive"] or content.supplement_of != row["identity"]:
            return False
        own = identity(content.category, f"{SUPPLEMENT_MARK}\x1f{row['identity']}", content.primary_region)
        if not await publications.part(tx, row["id"], own):
            return False
        row["identity"] = own
        return True

    async def _write(self, tx: Transaction, contents: dict[str, ItemContent]) -> None:
        modes = await governed.values_now(tx)
        held = await publications.held(tx, sorted(contents))
        titles = await publications.titles_of(
            tx, [each.supplement_of for each in contents.values() if each.supplement_of]
        )
        batches = {
            category: await entries.open_batch(tx, self._run, category)
            for category in sorted({content.category for content in contents.values()})
        }
        changed = []
        for own, content in sorted(contents.items()):
            present = held.get(own)
            if present is not None and present["owner"] == "human":
                continue
            title = titles.get(content.supplement_of or "")
            entry = self.entry_of(own, content, modes, present, batches[content.category], title)
            if present is None or (present["digest"], present["status"]) != (entry.digest, entry.status):
                changed.append(entry)
        await publications.write_entries(tx, changed)
        await want_pictures(tx, changed)

    async def _withdraw(self, tx: Transaction, own: str, content: ItemContent) -> None:
        held = await entries.get(tx, own)
        if held is None or held["owner"] == "human":
            return
        reason = "; ".join(content.reasons) or "no existence claim lives"
        await entries.withdraw(tx, own, reason)
        if content.supplement_of:
            await entries.redirect(tx, own, content.supplement_of, reason)

    def entry_of(
        self,
        own: str,
        content: ItemContent,
        modes: dict[str, Any],
        held: dict[str, Any] | None,
        batch: int,
        human_title: str | None,
    ) -> MachineEntry:
        title = entry_title(content, human_title)
        shown = [fact for fact in content.facts if fact.state == "published"]
        body = compose(content, shown, self._profile)
        calibration = CalibrationChain.from_rows(modes.get("fusion.calibration") or ())
        digest = sha256(to_json([title, body, asdict(content), *calibration.as_rows()])).hexdigest()
        return MachineEntry(
            identity=own,
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
            facts=[
                asdict(fact) | {"claims": list(fact.claims), "probability": calibration.apply(fact.probability)}
                for fact in content.facts
            ],
        )


def status_of(content: ItemContent, modes: dict[str, Any], held: dict[str, Any] | None) -> str:
    """Review if a person must look; otherwise what the category's mode allows. Trickle keeps what was released."""
    if content.verdict == "review":
        return "review"
    mode = modes.get(f"mode.{content.category}", "shadow")
    if mode == "trickle" and held is not None and held["status"] == "published":
        return "published"
    return STATUS_OF_MODE[mode]

"""Send archived pages through the current extractor; a page it has read already is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lumbung.errors import UsageError
from lumbung.model.job import NewJob
from lumbung.model.permission import Actor, allow
from lumbung.store import governed, jobs, readings
from lumbung.store.database import Transaction
from lumbung.text.markup import CLEANER_VERSION

FIELDS = ("all", "category", "host", "kind", "language", "parked", "url")


@dataclass(frozen=True, slots=True)
class Selection:
    """`field=value` conditions that must all hold; `url` is the beginning of an address."""

    conditions: dict[str, str]

    @classmethod
    def parse(cls, where: Sequence[str]) -> Selection:
        conditions: dict[str, str] = {}
        for piece in where:
            name, _, value = piece.partition("=")
            if name not in FIELDS or (name != "all" and not value):
                raise UsageError(f"--where {piece} is not understood; write field=value with {', '.join(FIELDS)}.")
            conditions[name] = value
        if not conditions:
            raise UsageError("Say which pages: --where all, or --where host=museum.example, for instance.")
        return cls(conditions)


async def reextract(
    tx: Transaction, actor: Actor, selection: Selection, extractor: str, dry_run: bool, reason: str
) -> int:
    """The number of pages that are, or would be, read again by this extractor; `parked=*` is whatever is parked."""
    allow(actor, "reextract", reason=reason)
    wanted = {name: selection.conditions.get(name) for name in FIELDS if name != "all"}
    pages = await readings.unread(tx, extractor, CLEANER_VERSION, wanted)
    if dry_run:
        return len(pages)
    await jobs.add(
        tx,
        [
            NewJob("extract", readings.reading_key(page["url"], page["digest"], extractor), {"document": page["id"]})
            for page in pages
        ],
    )
    effect = {"where": selection.conditions, "extractor": extractor, "pages": len(pages)}
    await governed.append_action(tx, actor.person, "reextract", extractor, reason, effect)
    return len(pages)

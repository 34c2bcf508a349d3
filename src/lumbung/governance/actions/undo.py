"""Undo what a batch brought: its claims go, the odds of what others touched are recomputed, people's own is left."""

from __future__ import annotations

from dataclasses import dataclass

from lumbung.errors import UsageError
from lumbung.model.job import NewJob
from lumbung.model.permission import Actor, allow
from lumbung.store import batches, candidates, governed, jobs
from lumbung.store.database import Transaction


@dataclass(frozen=True, slots=True)
class Undone:
    candidates: int
    held: list[str]
    """Entries that the batch had released: they wait again."""
    sent: list[str]
    """Entries that a machine account sent: they are as they were before, or withdrawn."""
    left: list[str]
    """Entries that people own since: they stay as they are."""


async def undo_batch(tx: Transaction, actor: Actor, batch: int, reason: str) -> Undone:
    allow(actor, "undo-batch", reason=reason)
    digests = await batches.candidates_of(tx, batch)
    if not await batches.mark_undone(tx, batch):
        raise UsageError(f"There is no batch {batch}, or it was undone already.")
    left = await batches.human_owned(tx, batch)
    note = f"batch {batch} undone: {reason}"
    retracted = await candidates.set_state(tx, digests, "retracted", note)
    held = await batches.hold_released(tx, batch, note)
    sent = await batches.take_out_sent(tx, batch, note)
    effect = {"candidates": len(retracted), "held again": held, "sent": sent, "left to people": left}
    action = await governed.append_action(tx, actor.person, "undo-batch", str(batch), reason, effect)
    await jobs.add(tx, [NewJob("decide", f"undo:{action}:{digest}", {"node": digest}) for digest in retracted])
    return Undone(len(retracted), held, sent, left)

"""Pause and resume a stage, acknowledge an alarm of the budget, and send dead letters again."""

from __future__ import annotations

from collections.abc import Sequence

from lumbung.errors import UsageError
from lumbung.model.permission import Actor, allow, person_of
from lumbung.store import governed, jobs, ledger, stages
from lumbung.store.database import Transaction


async def pause_stage(tx: Transaction, actor: Actor, stage: str, reason: str) -> None:
    allow(actor, "pause-stage", reason=reason)
    await known_stage(tx, stage)
    await stages.pause(tx, stage, reason)
    await governed.append_action(tx, actor.person, "pause-stage", stage, reason, {"paused": True})


async def resume_stage(tx: Transaction, actor: Actor, stage: str, reason: str) -> None:
    allow(actor, "resume-stage", reason=reason)
    await known_stage(tx, stage)
    await stages.resume(tx, stage)
    await governed.append_action(tx, actor.person, "resume-stage", stage, reason, {"paused": False})


async def acknowledge_alarm(tx: Transaction, actor: Actor, alarm: int, reason: str) -> None:
    """Whoever may let a paused stage go on answers for having seen why it stood still."""
    allow(actor, "acknowledge-alarm", reason=reason)
    person = person_of(actor, "acknowledge-alarm")
    if not await ledger.acknowledge(tx, alarm, person):
        raise UsageError(f"There is no open alarm {alarm}.")
    await governed.append_action(tx, person, "acknowledge-alarm", str(alarm), reason, {"acknowledged": True})


async def redrive_dead_letters(
    tx: Transaction,
    actor: Actor,
    reason: str,
    ids: Sequence[int] | None = None,
    stage: str | None = None,
    matching: str | None = None,
) -> int:
    allow(actor, "redrive-dead-letters", reason=reason)
    if stage is not None:
        await known_stage(tx, stage)
    moved = await jobs.redrive(tx, ids, stage, matching)
    effect = {"ids": list(ids) if ids else None, "stage": stage, "matching": matching, "jobs": moved}
    await governed.append_action(tx, actor.person, "redrive-dead-letters", stage or "*", reason, effect)
    return moved


async def known_stage(tx: Transaction, stage: str) -> None:
    names = [row["name"] for row in await stages.all_stages(tx)]
    if stage not in names:
        raise UsageError(f"There is no stage {stage}; there are {', '.join(names)}.")

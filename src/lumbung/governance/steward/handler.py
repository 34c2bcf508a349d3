"""Background jobs in the same handler shape as the stages: one verb, one module's `carry_out`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from lumbung.errors import ContractError
from lumbung.governance.steward import (
    blocking,
    copies,
    denial,
    erasure,
    graphs,
    mirrors,
    redecision,
    reencoding,
    refetched,
    rescoping,
    sensitivity,
)
from lumbung.governance.steward.watch import DUTIES, Duty
from lumbung.model.job import Job, NewJob
from lumbung.model.profile import Profile
from lumbung.ports.stage import Outcome
from lumbung.store.database import Transaction
from lumbung.text.namesakes import NameReader

Verb = Callable[[Transaction, Mapping[str, Any]], Awaitable[Iterable[NewJob]]]


def at_once(duty: Duty) -> Verb:
    """A duty of the steward's round, asked for by a job."""

    async def carry_out(tx: Transaction, _payload: Mapping[str, Any]) -> Iterable[NewJob]:
        await duty(tx)
        return ()

    return carry_out


VERBS: dict[str, Verb] = {
    "copies": copies.carry_out,
    "deny": denial.carry_out,
    "erase-text": erasure.carry_out,
    "graph": graphs.carry_out,
    "mark-sensitive": sensitivity.carry_out,
    "mirrors": mirrors.carry_out,
    "redecide": redecision.carry_out,
    "refetched": refetched.carry_out,
    "rescope": rescoping.carry_out,
} | {name: at_once(duty) for name, duty in DUTIES.items()}


class StewardHandler:
    stage = "steward"
    batch_size = 1

    def __init__(self, profile: Profile) -> None:
        names = NameReader(profile)
        self._verbs: dict[str, Verb] = VERBS | {
            "blocking": partial(blocking.carry_out, names),
            "reencode": partial(reencoding.carry_out, names),
        }

    async def prepare(self, tx: Transaction, jobs: Sequence[Job]) -> None:
        """Everything is read where it is changed."""

    async def perform(self, prepared: None, jobs: Sequence[Job]) -> Outcome:
        return {job.id: None for job in jobs}

    async def commit(self, tx: Transaction, jobs: Sequence[Job], outcome: Outcome) -> Iterable[NewJob]:
        follow_on: list[NewJob] = []
        for job in jobs:
            verb = self._verbs.get(str(job.payload.get("verb")))
            if verb is None:
                raise ContractError(f"There is no background job {job.payload.get('verb')}.")
            follow_on += await verb(tx, job.payload)
        return follow_on

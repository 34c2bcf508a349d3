"""What the runtime does about each family of errors. Retries live here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lumbung.equations.backoff import Backoff
from lumbung.errors import (
    BudgetExhausted,
    CapabilityError,
    ContractError,
    LumbungError,
    RateLimited,
    RefusedError,
    TransientError,
)
from lumbung.model.job import Job
from lumbung.store import jobs, stages
from lumbung.store.database import Transaction

BUDGET_PAUSE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class RetryPolicy(Backoff):
    tries: int = 8

    @classmethod
    def from_rows(cls, rows: Mapping[str, Any]) -> RetryPolicy:
        waits = Backoff.from_rows(rows)
        tries = int(rows.get("backoff.tries", cls().tries))
        return cls(waits.first_seconds, waits.factor, waits.cap_seconds, tries)


async def react(tx: Transaction, job: Job, error: Exception, policy: RetryPolicy) -> str:
    """Retry, pause, park, bury or refuse; returns what was done, for the figures."""
    reason = f"{type(error).__name__}: {error}"
    if isinstance(error, RefusedError):
        await jobs.refuse(tx, job.id, reason)
        return "refused"
    if isinstance(error, BudgetExhausted):
        seconds = min(error.retry_after_seconds or BUDGET_PAUSE_SECONDS, policy.cap_seconds)
        await stages.pause(tx, job.stage, str(error), seconds)
        await jobs.hold_back(tx, job.id, seconds, reason)
        return "paused"
    if isinstance(error, CapabilityError):
        await jobs.park(tx, job.id, error.capability or type(error).__name__, reason)
        return "parked"
    if isinstance(error, TransientError) and job.attempts < policy.tries:
        await jobs.retry_later(tx, job.id, wait_of(error, job, policy), reason)
        return "retried"
    await jobs.bury(tx, job.id, reason)
    return "dead"


def wait_of(error: LumbungError, job: Job, policy: RetryPolicy) -> float:
    own = policy.seconds(job.attempts)
    if isinstance(error, RateLimited) and error.retry_after_seconds is not None:
        return max(own, min(error.retry_after_seconds, policy.cap_seconds))
    return own


def family_of(error: BaseException) -> Exception:
    """An error that is not ours is a bug: it goes to the dead letters with its type and message."""
    if isinstance(error, LumbungError):
        return error
    return ContractError(f"{type(error).__name__}: {error}")

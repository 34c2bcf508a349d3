"""Breakers in PostgreSQL: closed, open after so many failures in a row, half-open with one probe for all workers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from lumbung.ports.breaker import Barred, Permit
from lumbung.store import jobs
from lumbung.store.database import Database, Row, Transaction, named_queries

SQL = named_queries("breakers")
REASON_LIMIT = 300


@dataclass(frozen=True, slots=True)
class BreakerRules:
    failures: int = 5
    cooldown_seconds: float = 30.0
    hold_seconds: float = 180.0
    """How long a probe may take before its place goes to the next one; longer than any call."""


class SharedBreakers:
    def __init__(self, database: Database, rules: BreakerRules | None = None) -> None:
        self._database = database
        self._rules = rules or BreakerRules()

    async def ask(self, capability: str, provider: str) -> Permit | Barred:
        name = {"capability": capability, "provider": provider}
        row = await self._database.statement(SQL["look"], name)
        if row is not None and row["rest_seconds"]:
            return Barred(row["rest_seconds"], rate_limited=True)
        if row is None or row["state"] == "closed":
            return Permit(capability, provider)
        if row["open_seconds"]:
            return Barred(row["open_seconds"], rate_limited=False)
        probe = uuid4()
        mark = name | {"probe": probe, "hold_seconds": self._rules.hold_seconds}
        won = await self._database.statement(SQL["take_probe"], mark)
        return Permit(capability, provider, probe) if won else Barred(self._rules.cooldown_seconds, rate_limited=False)

    async def succeeded(self, permit: Permit) -> None:
        if permit.probe is None:
            await self._database.statement(SQL["succeed"], self._named(permit))
        elif await self._database.statement(SQL["succeed_probe"], self._named(permit)):
            async with self._database.transaction() as tx:
                await jobs.unpark(tx, permit.capability)

    async def failed(self, permit: Permit, reason: str, *, at_once: bool = False) -> bool:
        more = {
            "limit": 1 if at_once else self._rules.failures,
            "cooldown_seconds": self._rules.cooldown_seconds,
            "reason": reason[:REASON_LIMIT],
        }
        if permit.probe is not None:
            await self._database.statement(SQL["fail_probe"], self._named(permit) | more)
            return True
        row = await self._database.statement(SQL["fail"], self._named(permit) | more)
        return row is None or row["state"] == "open"

    async def limited(self, permit: Permit, seconds: float) -> None:
        await self.succeeded(permit)
        await self._database.statement(SQL["rest"], self._named(permit) | {"seconds": seconds, "reason": "rate limit"})

    async def unused(self, permit: Permit) -> None:
        if permit.probe is not None:
            await self._database.statement(SQL["hand_back"], self._named(permit))

    @staticmethod
    def _named(permit: Permit) -> dict[str, Any]:
        return {"capability": permit.capability, "provider": permit.provider, "probe": permit.probe}


async def all_breakers(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["all"])


async def wake(tx: Transaction, capability: str, providers: Sequence[str]) -> None:
    """Parked work goes on: all of it while a provider answers, one job as the probe when a cooldown has ended."""
    named = {"capability": capability, "providers": list(providers)}
    if not providers or not await tx.value(SQL["parked"], named):
        return
    state = await tx.row(SQL["down"], named)
    assert state is not None
    if not state["down"]:
        await jobs.unpark(tx, capability)
    elif state["probe_is_due"]:
        await tx.run(SQL["wake_one"], named)
        await tx.notify(jobs.OUTBOX_CHANNEL)

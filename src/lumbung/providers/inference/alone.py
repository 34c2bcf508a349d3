"""What a single command needs to ask a model without any engine: a purse, a breaker and a memory of its own process."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from lumbung.errors import BudgetExhausted
from lumbung.ports.breaker import Barred, Permit
from lumbung.ports.ledger import Purpose

FAILURES = 5
OPEN_SECONDS = 3600.0


@dataclass
class Purse:
    """A ledger whose window is the command's own run."""

    cap_micros: int
    spent_micros: int = 0
    held: dict[int, int] = field(default_factory=dict)
    _given: int = 0

    async def reserve(self, purpose: Purpose, micros: int, lease_seconds: float) -> int:
        if self.spent_micros + sum(self.held.values()) + micros > self.cap_micros:
            raise BudgetExhausted(f"The cap ({self.cap_micros} micro-units) leaves no room for {micros}.", "budget")
        self._given += 1
        self.held[self._given] = micros
        return self._given

    async def begin(self, reservation: int) -> bool:
        return reservation in self.held

    async def settle(self, reservation: int, micros: int, input_tokens: int = 0, output_tokens: int = 0) -> None:
        self.held.pop(reservation, None)
        self.spent_micros += micros

    async def release(self, reservation: int) -> None:
        self.held.pop(reservation, None)


@dataclass
class Fuse:
    """A breaker that, once open, stays so until the command ends."""

    failures: Counter[tuple[str, str]] = field(default_factory=Counter)

    async def ask(self, capability: str, provider: str) -> Permit | Barred:
        if self.failures[capability, provider] >= FAILURES:
            return Barred(OPEN_SECONDS, rate_limited=False)
        return Permit(capability, provider)

    async def succeeded(self, permit: Permit) -> None:
        self.failures[permit.capability, permit.provider] = 0

    async def failed(self, permit: Permit, reason: str, *, at_once: bool = False) -> bool:
        key = (permit.capability, permit.provider)
        self.failures[key] += FAILURES if at_once else 1
        return self.failures[key] >= FAILURES

    async def limited(self, permit: Permit, seconds: float) -> None:
        """Nobody else asks; the command itself goes on with the next provider."""

    async def unused(self, permit: Permit) -> None:
        """There are no probes to give back."""


@dataclass
class Memory:
    answers: dict[str, Any] = field(default_factory=dict)

    async def find(self, key: str) -> Any | None:
        return self.answers.get(key)

    async def keep(self, key: str, model: str, prompt: str, subject: str, answer: Any) -> None:
        self.answers[key] = answer

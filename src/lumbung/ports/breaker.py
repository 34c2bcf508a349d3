"""The breaker in front of each provider of a capability; its state is shared by all workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Permit:
    """Leave to make one call; with a probe's mark when it is the one call that tries whether the provider is back."""

    capability: str
    provider: str
    probe: UUID | None = None


@dataclass(frozen=True, slots=True)
class Barred:
    """No call now: the breaker is open, or the provider asked for a rest."""

    seconds: float
    rate_limited: bool


class Breaker(Protocol):
    async def ask(self, capability: str, provider: str) -> Permit | Barred: ...

    async def succeeded(self, permit: Permit) -> None: ...

    async def failed(self, permit: Permit, reason: str, *, at_once: bool = False) -> bool:
        """One more failure in a row; `at_once` opens the breaker without counting. True when it is open now."""
        ...

    async def limited(self, permit: Permit, seconds: float) -> None:
        """The provider answers, but nobody should ask it before so many seconds have passed."""
        ...

    async def unused(self, permit: Permit) -> None:
        """The call was not made: a probe's mark goes to the next one."""
        ...

"""The durable queue between stages. It carries job ids and nothing else; the database is the truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

Message = tuple[str, Sequence[int]]
"""A stage, and the ids of its jobs."""


class Delivery(Protocol):
    jobs: Sequence[int]

    async def done(self) -> None:
        """Acknowledge: never deliver this again."""
        ...

    async def again(self, delay_seconds: float = 0) -> None:
        """Give it back to be delivered again."""
        ...

    async def still_working(self) -> None:
        """Extend the time before it is delivered to somebody else."""
        ...


class Queue(Protocol):
    async def send(self, messages: Sequence[Message]) -> None:
        """Return only after the broker has acknowledged all of them."""
        ...

    async def receive(self, stage: str, wait_seconds: float) -> Delivery | None: ...

    async def drained(self, stage: str) -> bool:
        """True when nothing is pending and nothing awaits an acknowledgement."""
        ...

    async def waiting(self, stage: str) -> int: ...

    async def came_back(self) -> None:
        """Return when the broker has been away since the last call: its store may have been lost."""
        ...

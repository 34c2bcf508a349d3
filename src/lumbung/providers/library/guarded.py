"""The remote library behind the guard: its breaker is shared by all workers, and an outage keeps the work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from lumbung.errors import LumbungError
from lumbung.ports.breaker import Breaker
from lumbung.ports.library import Library, LibraryEntry, OutcomeUnknown, SeenEntry
from lumbung.providers.guard import Guard
from lumbung.providers.lane import Lane

CAPABILITY = "library"
R = TypeVar("R")


class GuardedLibrary:
    def __init__(self, library: Library, breaker: Breaker, requests_at_once: int = 1) -> None:
        self.name = library.name
        self.read_only = library.read_only
        self._library = library
        self._guard = Guard(CAPABILITY, breaker)
        self._lane = Lane(requests_at_once)

    @property
    def providers(self) -> tuple[str, ...]:
        return (self.name,)

    async def look(self, identity: str, remote_id: str | None = None) -> SeenEntry | None:
        return await self._call(lambda library: library.look(identity, remote_id))

    async def write(self, entry: LibraryEntry, seen: SeenEntry | None) -> SeenEntry:
        return await self._call(lambda library: library.write(entry, seen))

    async def withdraw(self, identity: str, seen: SeenEntry, reason: str) -> None:
        await self._call(lambda library: library.withdraw(identity, seen, reason))

    async def _call(self, attempt: Callable[[Library], Awaitable[R]]) -> R:
        """A lost answer counts as a failure of the library, but stays what it is: the outcome must be looked up."""
        lost: list[OutcomeUnknown] = []

        async def noted(library: Library) -> R:
            try:
                return await attempt(library)
            except OutcomeUnknown as unknown:
                lost.append(unknown)
                raise

        try:
            async with self._lane.place():
                return await self._guard.call([self._library], noted)
        except LumbungError:
            if lost:
                raise lost[0] from None
            raise

"""Evidence in WARC files with their index, in a folder or an object store; a record is cited by archive and offset."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

Headers = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Original:
    """The archived response whose payload came again."""

    url: str
    fetched_at: datetime


@dataclass(slots=True)
class ArchivedResponse:
    url: str
    status: int
    headers: Headers
    request_headers: Headers
    body: bytes
    """As it came over the wire, or decoded where that is all there is."""
    address: str | None
    truncated: str | None
    fetched_at: datetime
    encoded: bool = False
    """The body is still in its content encoding."""
    original: Original | None = None
    status_line: str | None = None
    """As it came; None for one that was not kept."""
    payload_digest: str | None = None
    """Of the body, with its label, where it is known already."""


@dataclass(frozen=True, slots=True)
class Place:
    archive: str
    offset: int
    payload_digest: str


@dataclass(frozen=True, slots=True)
class Rewritten:
    archive: str
    offsets: dict[int, int]
    """Where each record that stayed began, and where it begins now."""
    erased: int


class Archive(Protocol):
    """One writer at a time, which the caller's lock sees to; any number of readers.

    A killed writer may leave a new archive behind that nothing cites. Its name is known before it is written: the
    caller notes it, and removes later what was not recorded.
    """

    @property
    def pause_seconds(self) -> float:
        """How long a writer should wait now after less than a full batch, lest it make many small archives."""
        ...

    async def read(self, archive: str, offset: int) -> bytes:
        """The decoded payload of the record that starts there; StaleRead where the archive was written anew meanwhile."""
        ...

    async def next_archive(self) -> str | None:
        """The archive that the next records alone will make; None where they go on in one with others."""
        ...

    async def append(self, responses: Sequence[ArchivedResponse]) -> list[Place]:
        """Durable on return, with the index: all of the responses, or the first of them, where no more fit."""
        ...

    async def next_name(self, archive: str) -> str:
        """Under which an archive would be written anew."""
        ...

    async def rewrite_without(self, archive: str, offsets: Collection[int], name: str) -> Rewritten:
        """A new archive beside the old one, in which each of these records and its request leave a tombstone."""
        ...

    async def holds(self, archive: str) -> bool: ...

    async def size(self, archive: str) -> int | None:
        """In bytes; None where there is no such archive."""
        ...

    async def remove(self, archive: str) -> None:
        """With its index; what is not there is removed already."""
        ...

    async def names(self) -> list[str]:
        """Of all archives, the oldest first."""
        ...

    def content(self, archive: str) -> AsyncIterator[bytes]: ...

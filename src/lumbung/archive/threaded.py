"""The archive port over a store of WARC files whose calls block: each is made in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from typing import Protocol

from lumbung.ports.archive import ArchivedResponse, Place, Rewritten


class WarcStore(Protocol):
    """As `lumbung.ports.archive.Archive` words each."""

    pause_seconds: float

    def payload(self, archive: str, offset: int) -> bytes: ...

    def next_archive(self) -> str | None: ...

    def append(self, responses: Sequence[ArchivedResponse]) -> list[Place]: ...

    def next_name(self, archive: str) -> str: ...

    def rewrite_without(self, archive: str, offsets: Collection[int], name: str) -> Rewritten: ...

    def holds(self, archive: str) -> bool: ...

    def size(self, archive: str) -> int | None: ...

    def remove(self, archive: str) -> None: ...

    def names(self) -> list[str]: ...

    def blocks(self, archive: str) -> Iterator[bytes]: ...


class ThreadedArchive:
    def __init__(self, store: WarcStore) -> None:
        self._store = store

    @property
    def pause_seconds(self) -> float:
        return self._store.pause_seconds

    async def read(self, archive: str, offset: int) -> bytes:
        return await asyncio.to_thread(self._store.payload, archive, offset)

    async def next_archive(self) -> str | None:
        return self._store.next_archive()

    async def append(self, responses: Sequence[ArchivedResponse]) -> list[Place]:
        return await asyncio.to_thread(self._store.append, responses)

    async def next_name(self, archive: str) -> str:
        return await asyncio.to_thread(self._store.next_name, archive)

    async def rewrite_without(self, archive: str, offsets: Collection[int], name: str) -> Rewritten:
        return await asyncio.to_thread(self._store.rewrite_without, archive, offsets, name)

    async def holds(self, archive: str) -> bool:
        return await asyncio.to_thread(self._store.holds, archive)

    async def size(self, archive: str) -> int | None:
        return await asyncio.to_thread(self._store.size, archive)

    async def remove(self, archive: str) -> None:
        await asyncio.to_thread(self._store.remove, archive)

    async def names(self) -> list[str]:
        return await asyncio.to_thread(self._store.names)

    async def content(self, archive: str) -> AsyncIterator[bytes]:
        blocks = self._store.blocks(archive)
        while block := await asyncio.to_thread(next, blocks, b""):
            yield block

"""WARC/1.1 as objects, each with its index beside it: one batch of records an object, never changed once it is put."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from uuid import uuid4

from lumbung.archive.batch import Packed, opening, packed
from lumbung.archive.erasure import copy_without
from lumbung.archive.index import index_of, read_lines
from lumbung.archive.object_store import ObjectStore, RangeStream
from lumbung.archive.payload import payload_at
from lumbung.errors import StaleRead
from lumbung.ports.archive import ArchivedResponse, Place, Rewritten

LARGEST_OBJECT_BYTES = 32_000_000
RECORD_BYTES = 65_536
"""Asked for at a time when one record is read; most are smaller."""
PAUSE_SECONDS = 10.0
"""At least so far apart are objects that are not full: some nine thousand a day at most."""
SUFFIX = ".warc.gz"
_BLOCK = 8 << 20


class WarcObjects:
    """Names are unlike any other, so that a writer that was given up for dead never overwrites a living one's object."""

    def __init__(self, store: ObjectStore, operator: str, largest_bytes: int = LARGEST_OBJECT_BYTES) -> None:
        self._store = store
        self._operator = operator
        self._largest_bytes = largest_bytes
        self.pause_seconds = PAUSE_SECONDS
        self._next = named(datetime.now(UTC).strftime("%Y%m%dT%H%M%S"))

    def next_archive(self) -> str:
        self._next = named(datetime.now(UTC).strftime("%Y%m%dT%H%M%S"))
        return self._next

    def append(self, responses: Sequence[ArchivedResponse]) -> list[Place]:
        archive = self._next
        content = io.BytesIO()
        content.write(opening(archive, self._operator))
        taken: list[Packed] = []
        for each in packed(archive, content.tell(), responses):
            if taken and content.tell() + len(each.content) > self._largest_bytes:
                break
            content.write(each.content)
            taken.append(each)
        self._put(archive, content.getvalue(), [each.index_line for each in taken])
        self.pause_seconds = PAUSE_SECONDS if len(taken) == len(responses) else 0.0
        return [each.place for each in taken]

    def _put(self, archive: str, content: bytes, lines: Collection[str]) -> None:
        self._store.put(archive, content)
        self._store.put(index_of(archive), "".join(sorted(lines)).encode())

    def payload(self, archive: str, offset: int) -> bytes:
        stream = io.BufferedReader(RangeStream(self._store, archive, offset), RECORD_BYTES)
        return payload_at(stream, archive, offset)

    def holds(self, archive: str) -> bool:
        return self.size(archive) is not None

    def size(self, archive: str) -> int | None:
        return self._store.size(archive)

    def next_name(self, archive: str) -> str:
        """With the date of the old one: what is listed stays in the order in which it was fetched."""
        return named(archive.removesuffix(SUFFIX).removeprefix("lumbung-").partition("-")[0])

    def rewrite_without(self, archive: str, offsets: Collection[int], name: str) -> Rewritten:
        old = self._store.get(archive)
        if old is None:
            raise StaleRead(f"The archive has no object {archive}.")
        target = io.BytesIO()
        written = copy_without(io.BytesIO(old), offsets, target, name)
        content = target.getvalue()
        self._put(name, content, list(read_lines(io.BytesIO(content), len(content), name)))
        return written

    def remove(self, archive: str) -> None:
        for key in (archive, index_of(archive)):
            self._store.delete(key)

    def names(self) -> list[str]:
        return sorted(key for key in self._store.listed() if key.endswith(SUFFIX))

    def blocks(self, archive: str) -> Iterator[bytes]:
        position, size = 0, 1
        while position < size:
            block, size = self._store.part(archive, position, _BLOCK)
            position += len(block)
            yield block


def named(date: str) -> str:
    return f"lumbung-{date}-{uuid4().hex[:16]}{SUFFIX}"

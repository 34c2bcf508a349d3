"""A folder of WARC/1.1 files: appended, synced, rotated, indexed, and repaired after a writer that was killed."""

from __future__ import annotations

import os
import zlib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from lumbung.archive.batch import opening, packed
from lumbung.archive.erasure import copy_without
from lumbung.archive.index import index_of, rebuild_index, sort_index
from lumbung.archive.payload import payload_at
from lumbung.errors import StaleRead
from lumbung.ports.archive import ArchivedResponse, Place, Rewritten

LARGEST_FILE_BYTES = 256_000_000
_CHUNK = 1 << 20


class WarcFolder:
    """Appends to the newest file of the folder; one writer at a time, which the caller's lock sees to."""

    pause_seconds = 0.0

    def __init__(
        self, folder: Path, operator: str, software: str = "lumbung", largest_bytes: int = LARGEST_FILE_BYTES
    ) -> None:
        self.folder = folder
        self._operator = operator
        self._software = software
        self._largest_bytes = largest_bytes
        self._whole: dict[str, int] = {}
        """How far each file was whole when this writer last left it."""

    def next_archive(self) -> None:
        """A file is added to: what a killed writer left in it stands beside what is cited."""
        return

    def append(self, responses: Sequence[ArchivedResponse]) -> list[Place]:
        """Write and sync; only then may the places be recorded."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self._current()
        places: list[Place] = []
        lines: list[str] = []
        with file.open("ab", _CHUNK) as stream:
            if stream.tell() == 0:
                stream.write(opening(file.name, self._operator, self._software))
            for each in packed(file.name, stream.tell(), responses):
                places.append(each.place)
                lines.append(each.index_line)
                stream.write(each.content)
            stream.flush()
            os.fsync(stream.fileno())
            self._whole[file.name] = stream.tell()
        with file.with_name(index_of(file.name)).open("a", encoding="utf-8") as index:
            index.writelines(lines)
        return places

    def _current(self) -> Path:
        files = sorted(self.folder.glob("lumbung-*.warc.gz"))
        if not files:
            return self.folder / "lumbung-000000.warc.gz"
        newest = files[-1]
        if newest.stat().st_size != self._whole.get(newest.name):
            self._whole[newest.name] = repair_tail(newest, self._whole.get(newest.name, 0))
            rebuild_index(newest)
        if newest.stat().st_size < self._largest_bytes:
            return newest
        sort_index(newest.with_name(index_of(newest.name)))
        return self.folder / f"lumbung-{int(newest.name[8:14]) + 1:06d}.warc.gz"

    def payload(self, archive: str, offset: int) -> bytes:
        if not self.holds(archive):
            raise StaleRead(f"The archive has no file {archive}.")
        with (self.folder / archive).open("rb") as stream:
            stream.seek(offset)
            return payload_at(stream, archive, offset)

    def holds(self, archive: str) -> bool:
        file = self.folder / archive
        return file.parent == self.folder and file.is_file()

    def size(self, archive: str) -> int | None:
        return (self.folder / archive).stat().st_size if self.holds(archive) else None

    def next_name(self, archive: str) -> str:
        """Never one that is there, so that no reader finds other records at the offsets it knows."""
        stem = archive[:14]
        number = 1
        while (self.folder / f"{stem}-r{number}.warc.gz").exists():
            number += 1
        return f"{stem}-r{number}.warc.gz"

    def rewrite_without(self, archive: str, offsets: Collection[int], name: str) -> Rewritten:
        target = self.folder / name
        unfinished = target.with_suffix(".unfinished")
        with (self.folder / archive).open("rb") as source, unfinished.open("wb") as stream:
            written = copy_without(source, offsets, stream, name)
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(target)
        rebuild_index(target)
        return written

    def remove(self, archive: str) -> None:
        for name in (archive, index_of(archive)):
            (self.folder / name).unlink(missing_ok=True)

    def names(self) -> list[str]:
        return sorted(file.name for file in self.folder.glob("*.warc.gz"))

    def blocks(self, archive: str) -> Iterator[bytes]:
        with (self.folder / archive).open("rb") as stream:
            while block := stream.read(_CHUNK):
                yield block


def repair_tail(file: Path, known_whole: int = 0) -> int:
    """Cut what a killed writer left half-written behind the last whole record; returns the size that remains."""
    whole = whole_until(file, known_whole)
    if whole < file.stat().st_size:
        with file.open("r+b") as stream:
            stream.truncate(whole)
            stream.flush()
            os.fsync(stream.fileno())
    return whole


def whole_until(file: Path, start: int = 0) -> int:
    """The end of the last complete gzip member, reading from one's beginning."""
    whole = start
    unpacker = zlib.decompressobj(31)
    with file.open("rb") as stream:
        stream.seek(start)
        pending, position = stream.read(_CHUNK), start
        while pending:
            try:
                unpacker.decompress(pending, _CHUNK)
            except zlib.error:
                return whole
            if unpacker.eof:
                rest = unpacker.unused_data
                position += len(pending) - len(rest)
                whole, unpacker, pending = position, zlib.decompressobj(31), rest
            else:
                rest = unpacker.unconsumed_tail
                position += len(pending) - len(rest)
                pending = rest
            if not pending:
                pending = stream.read(_CHUNK)
    return whole

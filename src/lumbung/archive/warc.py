"""A folder of WARC/1.1 files: appended, synced, rotated, indexed, and repaired after a writer that was killed."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from lumbung.archive.index import index_line, rebuild_index, sort_index
from lumbung.archive.records import (
    ArchivedResponse,
    Original,
    digest_of,
    info_record,
    record_id,
    request_record,
    response_record,
)

__all__ = ["ArchivedResponse", "Original", "Place", "WarcFolder", "repair_tail"]

LARGEST_FILE_BYTES = 256_000_000
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Place:
    archive: str
    offset: int
    payload_digest: str


class WarcFolder:
    """Appends to the newest file of the folder; one writer at a time, which the caller's lock sees to."""

    def __init__(
        self, folder: Path, operator: str, software: str = "lumbung", largest_bytes: int = LARGEST_FILE_BYTES
    ) -> None:
        self.folder = folder
        self._operator = operator
        self._software = software
        self._largest_bytes = largest_bytes
        self._whole: dict[str, int] = {}
        """How far each file was whole when this writer last left it."""

    def append(self, responses: Sequence[ArchivedResponse]) -> list[Place]:
        """Write and sync; only then may the places be recorded."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self._current()
        places: list[Place] = []
        lines: list[str] = []
        with file.open("ab") as stream:
            offset = stream.tell()
            if offset == 0:
                offset += stream.write(self._info(file.name))
            for response in responses:
                identity, digest = record_id(), digest_of(response.body)
                record = response_record(response, identity, digest)
                places.append(Place(file.name, offset, digest))
                lines.append(index_line(response, digest, offset, len(record), file.name))
                offset += stream.write(record) + stream.write(request_record(response, identity))
            stream.flush()
            os.fsync(stream.fileno())
        with file.with_suffix("").with_suffix(".cdxj").open("a", encoding="utf-8") as index:
            index.writelines(lines)
        self._whole[file.name] = offset
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
        sort_index(newest.with_suffix("").with_suffix(".cdxj"))
        return self.folder / f"lumbung-{int(newest.name[8:14]) + 1:06d}.warc.gz"

    def _info(self, name: str) -> bytes:
        fields = [
            ("software", self._software),
            ("operator", self._operator),
            ("robots", "obey (RFC 9309), with X-Robots-Tag, meta robots, TDM reservation, ai.txt and noai"),
            ("format", "WARC File Format 1.1"),
            ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
        ]
        return info_record(name, fields, datetime.now(UTC))


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

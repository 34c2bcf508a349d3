"""Records leave the archive: their file is written anew without them, each leaving a tombstone."""

from __future__ import annotations

import os
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from lumbung.archive.index import rebuild_index
from lumbung.archive.records import digest_of, member, record_id, warc_date

_CHUNK = 1 << 20
_HEAD_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Rewritten:
    archive: str
    offsets: dict[int, int]
    """Where each record that stayed began, and where it begins now."""
    erased: int


def rewrite_without(folder: Path, archive: str, offsets: Collection[int]) -> Rewritten:
    """A new file beside the old one, which stays until the caller has recorded the new places.

    With a response goes the request it answers. The name is new, so that no reader finds other records at the
    offsets it knows.
    """
    target = folder / _next_name(folder, archive)
    unfinished = target.with_suffix(".unfinished")
    moved: dict[int, int] = {}
    erased: set[str] = set()
    with unfinished.open("wb") as stream:
        for start, record in members(folder / archive):
            head = _head(record)
            if start in offsets:
                erased.add(head.get("warc-record-id", ""))
                stream.write(tombstone(head.get("warc-target-uri", ""), datetime.now(UTC)))
            elif head.get("warc-concurrent-to") not in erased:
                moved[start] = stream.tell()
                stream.write(record)
        stream.flush()
        os.fsync(stream.fileno())
    unfinished.replace(target)
    rebuild_index(target)
    return Rewritten(target.name, moved, len(erased))


def remove(folder: Path, archive: str) -> None:
    """A file that nothing refers to any more, and its index."""
    file = folder / archive
    file.unlink(missing_ok=True)
    file.with_suffix("").with_suffix(".cdxj").unlink(missing_ok=True)


def replaced_files(folder: Path) -> list[str]:
    """Files that stand beside a rewritten form of themselves; one of the two is what the database knows."""
    by_number: dict[str, list[str]] = {}
    for file in sorted(folder.glob("lumbung-*.warc.gz")):
        by_number.setdefault(file.name[:14], []).append(file.name)
    return [name for names in by_number.values() if len(names) > 1 for name in names]


def members(file: Path) -> Iterator[tuple[int, bytes]]:
    """The gzip members of a file, one record each, with their offsets; a torn tail is left out."""
    start, pieces, unpacker = 0, [], zlib.decompressobj(31)
    with file.open("rb") as stream:
        pending = stream.read(_CHUNK)
        while pending:
            try:
                unpacker.decompress(pending, _CHUNK)
            except zlib.error:
                return
            rest = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
            pieces.append(pending[: len(pending) - len(rest)])
            if unpacker.eof:
                record = b"".join(pieces)
                yield start, record
                start, pieces, unpacker = start + len(record), [], zlib.decompressobj(31)
            pending = rest or stream.read(_CHUNK)


def tombstone(url: str, now: datetime) -> bytes:
    block = f"erased: {warc_date(now)}\r\n".encode()
    fields = [
        ("WARC-Type", "metadata"),
        ("WARC-Record-ID", record_id()),
        ("WARC-Date", warc_date(now)),
        ("WARC-Target-URI", url),
        ("Content-Type", "application/warc-fields"),
        ("WARC-Block-Digest", digest_of(block)),
    ]
    return member(fields, block)


def _head(record: bytes) -> dict[str, str]:
    text = zlib.decompressobj(31).decompress(record, _HEAD_BYTES).partition(b"\r\n\r\n")[0].decode("utf-8", "replace")
    pairs = (line.partition(":") for line in text.split("\r\n")[1:])
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _next_name(folder: Path, archive: str) -> str:
    stem = archive[:14]
    number = 1
    while (folder / f"{stem}-r{number}.warc.gz").exists():
        number += 1
    return f"{stem}-r{number}.warc.gz"

"""Records leave an archive: it is written anew without them, each leaving a tombstone."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from typing import BinaryIO

from lumbung.archive.records import block_digest, member, record_id, warc_date
from lumbung.ports.archive import Rewritten

_CHUNK = 1 << 20
_HEAD_BYTES = 65_536


def copy_without(source: BinaryIO, offsets: Collection[int], target: BinaryIO, name: str) -> Rewritten:
    """With a response goes the request it answers, and any copy of it that a killed writer left in the same archive."""
    moved: dict[int, int] = {}
    erased: set[str] = set()
    unwanted = {_capture(_head(_record_at(source, offset))) for offset in offsets}
    source.seek(0)
    for start, record in members(source):
        head = _head(record)
        if start in offsets or _capture(head) in unwanted:
            erased.add(head.get("warc-record-id", ""))
            target.write(tombstone(head.get("warc-target-uri", ""), datetime.now(UTC)))
        elif head.get("warc-concurrent-to") not in erased:
            moved[start] = target.tell()
            target.write(record)
    return Rewritten(name, moved, len(erased))


def members(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The gzip members of an archive, one record each, with their offsets; a torn tail is left out."""
    start, pieces, unpacker = 0, [], zlib.decompressobj(31)
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


def _record_at(stream: BinaryIO, offset: int) -> bytes:
    stream.seek(offset)
    return next((record for _, record in members(stream)), b"")


def tombstone(url: str, now: datetime) -> bytes:
    block = f"erased: {warc_date(now)}\r\n".encode()
    fields = [
        ("WARC-Type", "metadata"),
        ("WARC-Record-ID", record_id()),
        ("WARC-Date", warc_date(now)),
        ("WARC-Target-URI", url),
        ("Content-Type", "application/warc-fields"),
        ("WARC-Block-Digest", block_digest(block)),
    ]
    return member(fields, block)


def _capture(head: dict[str, str]) -> tuple[str, ...]:
    """What two records of one fetch have in common, and no two fetches."""
    names = ("warc-type", "warc-target-uri", "warc-date", "warc-payload-digest")
    return tuple(head.get(name, "") for name in names)


def _head(record: bytes) -> dict[str, str]:
    text = zlib.decompressobj(31).decompress(record, _HEAD_BYTES).partition(b"\r\n\r\n")[0].decode("utf-8", "replace")
    pairs = (line.partition(":") for line in text.split("\r\n")[1:])
    return {name.strip().lower(): value.strip() for name, _, value in pairs}

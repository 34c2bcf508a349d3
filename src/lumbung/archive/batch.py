"""Responses as the records, places and index lines of one archive; pure but for names and the date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from lumbung.archive.index import index_line
from lumbung.archive.records import info_record, payload_digest, record_id, request_record, response_record, warc_date
from lumbung.ports.archive import ArchivedResponse, Place

ROBOTS = "obey (RFC 9309), with X-Robots-Tag, meta robots, TDM reservation, ai.txt and noai"
SPECIFICATION = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


@dataclass(frozen=True, slots=True)
class Packed:
    content: bytes
    """The response and its request."""
    place: Place
    index_line: str


def opening(archive: str, operator: str, software: str = "lumbung") -> bytes:
    """The record by which every archive begins: who made it, and by which rules."""
    fields = [
        ("software", software),
        ("operator", operator),
        ("robots", ROBOTS),
        ("format", "WARC File Format 1.1"),
        ("conformsTo", SPECIFICATION),
    ]
    return info_record(archive, fields, datetime.now(UTC))


def packed(archive: str, offset: int, responses: Iterable[ArchivedResponse]) -> Iterator[Packed]:
    """Each as it stands in an archive from an offset on."""
    for response in responses:
        identity, date = record_id(), warc_date(response.fetched_at)
        digest = response.payload_digest or payload_digest(response.body)
        record = response_record(response, date, identity, digest)
        line = index_line(response, digest, offset, len(record), archive)
        content = record + request_record(response, date, identity)
        yield Packed(content, Place(archive, offset, digest), line)
        offset += len(content)

"""Writing WARC/1.1: raw responses with their headers and digests, one gzip member a record, torn tails repaired."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

LARGEST_FILE_BYTES = 256_000_000
UNSAFE_HEADERS = frozenset({"content-encoding", "transfer-encoding"})


@dataclass(frozen=True, slots=True)
class ArchivedResponse:
    url: str
    status: int
    headers: Sequence[tuple[str, str]]
    request_headers: Sequence[tuple[str, str]]
    body: bytes
    address: str | None
    truncated: str | None
    fetched_at: datetime


@dataclass(frozen=True, slots=True)
class Place:
    archive: str
    offset: int


class WarcFolder:
    """Appends to the newest file of the folder; one writer at a time, which the caller's lock sees to."""

    def __init__(self, folder: Path, operator: str, software: str = "lumbung") -> None:
        self._folder = folder
        self._operator = operator
        self._software = software

    def append(self, responses: Sequence[ArchivedResponse]) -> list[Place]:
        """Write and sync; only then may the places be recorded."""
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._current()
        with file.open("ab") as stream:
            if stream.tell() == 0:
                self._write_info(stream, file.name)
            places = []
            for response in responses:
                places.append(Place(file.name, stream.tell()))
                self._write(stream, response)
            stream.flush()
            os.fsync(stream.fileno())
        return places

    def _current(self) -> Path:
        files = sorted(self._folder.glob("lumbung-*.warc.gz"))
        if files:
            repair_tail(files[-1])
            if files[-1].stat().st_size < LARGEST_FILE_BYTES:
                return files[-1]
        return self._folder / f"lumbung-{len(files):06d}.warc.gz"

    def _write_info(self, stream: io.BufferedWriter, name: str) -> None:
        writer = WARCWriter(stream, gzip=True, warc_version="1.1")
        fields = {
            "software": self._software,
            "operator": self._operator,
            "robots": "obey (RFC 9309)",
            "format": "WARC File Format 1.1",
        }
        writer.write_record(writer.create_warcinfo_record(name, fields))

    def _write(self, stream: io.BufferedWriter, response: ArchivedResponse) -> None:
        """The body is kept decoded, so the two headers that describe its wire form are kept under other names."""
        writer = WARCWriter(stream, gzip=True, warc_version="1.1")
        headers = [
            (f"X-Archive-Orig-{name}" if name.lower() in UNSAFE_HEADERS else name, value)
            for name, value in response.headers
        ]
        warc_headers = {"WARC-Date": response.fetched_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")}
        if response.address:
            warc_headers["WARC-IP-Address"] = response.address
        if response.truncated:
            warc_headers["WARC-Truncated"] = "length"
        record = writer.create_warc_record(
            response.url,
            "response",
            payload=io.BytesIO(response.body),
            http_headers=StatusAndHeaders(f"{response.status} OK", headers, protocol="HTTP/1.1"),
            warc_headers_dict=warc_headers,
        )
        request = writer.create_warc_record(
            response.url,
            "request",
            http_headers=StatusAndHeaders(f"GET {response.url} HTTP/1.1", list(response.request_headers), is_http_request=True),
            warc_headers_dict={"WARC-Date": warc_headers["WARC-Date"]},
        )
        writer.write_request_response_pair(request, record)


def repair_tail(file: Path) -> None:
    """Cut what a killed writer left half-written behind the last whole record."""
    whole = 0
    with file.open("rb") as stream:
        records = ArchiveIterator(stream)
        try:
            for record in records:
                record.content_stream().read()
                whole = records.offset + records.get_record_length()
        except (ArchiveLoadFailed, EOFError, OSError, ValueError):
            pass
    if whole < file.stat().st_size:
        with file.open("r+b") as stream:
            stream.truncate(whole)

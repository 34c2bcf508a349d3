"""Reading WARC files, our own and other people's (Common Crawl style), record by record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fastwarc.stream_io import FastWARCError
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from lumbung.errors import UsageError
from lumbung.text.packing import unpacked

LARGEST_BODY = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ArchivedAnswer:
    """A response record, in the shape of a fetched answer."""

    url: str
    status: int | None
    headers_: tuple[tuple[str, str], ...]
    content: bytes
    verdict: str = "fetched"
    explanation: str | None = None
    truncated: str | None = None
    remote_address: str | None = None
    location: str | None = None
    request_headers: tuple[tuple[bytes, bytes], ...] = ()
    status_line: str | None = None

    @property
    def body(self) -> bytes:
        return self.content

    @property
    def content_type(self) -> str | None:
        return self.header("content-type")

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers_ if key.lower() == name.lower()), None)

    def text_headers(self) -> list[tuple[str, str]]:
        return list(self.headers_)


def responses(file: Path) -> Iterator[ArchivedAnswer]:
    """Response records in their order; bodies are decoded and capped."""
    if not file.is_file():
        raise UsageError(f"There is no file {file}.")
    with file.open("rb") as stream:
        try:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
                url = record.headers.get("WARC-Target-URI")
                if url and record.http_headers is not None:
                    yield _answer(url.strip("<>"), record)
        except (FastWARCError, OSError, ValueError) as error:
            raise UsageError(f"{file} cannot be read as WARC: {error}") from error


def _answer(url: str, record: WarcRecord) -> ArchivedAnswer:
    http = record.http_headers
    packing = [http.get(name) or "" for name in ("Transfer-Encoding", "Content-Encoding")]
    return ArchivedAnswer(
        url=url,
        status=http.status_code,
        status_line=http.status_line,
        headers_=tuple((name, value) for name, value in http.items()),
        content=unpacked(record.reader.read(LARGEST_BODY), packing[0], packing[1], LARGEST_BODY),
    )

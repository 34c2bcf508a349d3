"""The CDXJ index beside each WARC file: one line a capture, sorted once the file is closed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from json.encoder import encode_basestring
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from fastwarc.stream_io import FastWARCError
from fastwarc.warc import ArchiveIterator, WarcRecordType

from lumbung.ports.archive import ArchivedResponse

_SEPARATORS = str.maketrans("", "", "-:T")


def sort_key(url: str) -> str:
    """SURT: the host's labels from the right, so that a site's captures stand together."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return f"{_site_key(parts.scheme, parts.netloc)}){parts.path or '/'}{query}".lower().replace(" ", "%20")


@lru_cache(maxsize=4096)
def _site_key(scheme: str, place: str) -> str:
    site = urlsplit(f"{scheme}://{place}")
    host = (site.hostname or "").lower().removeprefix("www.")
    labels = host if ":" in host else ",".join(reversed(host.split(".")))
    return f"{labels}:{site.port}" if site.port and site.port not in {80, 443} else labels


def index_line(response: ArchivedResponse, digest: str, offset: int, length: int, file_name: str) -> str:
    content_type = next((value for name, value in response.headers if name.lower() == "content-type"), "")
    mime = "warc/revisit" if response.original else content_type.partition(";")[0].strip().lower() or "unk"
    return line(response.url, response.fetched_at, mime, response.status, digest, offset, length, file_name)


def line(url: str, at: datetime, mime: str, status: int, digest: str, offset: int, length: int, file_name: str) -> str:
    stamp = at.astimezone(UTC).isoformat()[:19].translate(_SEPARATORS)
    return (
        f'{sort_key(url)} {stamp} {{"url": {encode_basestring(url)}, "mime": {encode_basestring(mime)}, '
        f'"status": "{status}", "digest": {encode_basestring(digest)}, "length": "{length}", "offset": "{offset}", '
        f'"filename": {encode_basestring(file_name)}}}\n'
    )


def sort_index(index: Path) -> None:
    if index.is_file():
        write_whole(index, sorted(set(index.read_text(encoding="utf-8").splitlines(keepends=True))))


def index_of(archive: str) -> str:
    """The name of the index beside an archive."""
    return archive.removesuffix(".warc.gz") + ".cdxj"


def rebuild_index(warc: Path) -> None:
    """From the records themselves: what a killed writer failed to note is in it again."""
    with warc.open("rb") as stream:
        write_whole(warc.with_name(index_of(warc.name)), sorted(read_lines(stream, warc.stat().st_size, warc.name)))


def read_lines(stream: BinaryIO, size: int, archive: str) -> Iterator[str]:
    wanted = WarcRecordType.response | WarcRecordType.revisit
    try:
        before: tuple[int, str] | None = None
        for record in ArchiveIterator(stream, parse_http=True):
            if before is not None:
                yield before[1] % (record.stream_pos - before[0])
            before = None
            if record.record_type & wanted:
                before = (record.stream_pos, _line_of(record, archive))
        if before is not None:
            yield before[1] % (size - before[0])
    except (FastWARCError, OSError, ValueError):
        return


def _line_of(record: object, file_name: str) -> str:
    """The line with a place left for the length, which only the next record's offset tells."""
    headers = record.headers  # type: ignore[attr-defined]
    http = record.http_headers  # type: ignore[attr-defined]
    url = str(headers.get("WARC-Target-URI", "")).strip("<>")
    at = datetime.fromisoformat(str(headers.get("WARC-Date")))
    is_revisit = headers.get("WARC-Type") == "revisit"
    declared = str((http.get("Content-Type") if http is not None else "") or "")
    mime = "warc/revisit" if is_revisit else declared.partition(";")[0].strip().lower() or "unk"
    status = (http.status_code if http is not None else 0) or 0
    digest = str(headers.get("WARC-Payload-Digest", ""))
    text = line(url, at, mime, status, digest, record.stream_pos, 0, file_name)  # type: ignore[attr-defined]
    return text.replace("%", "%%").replace('"length": "0"', '"length": "%d"')


def write_whole(file: Path, lines: Sequence[str]) -> None:
    unfinished = file.with_suffix(".unfinished")
    with unfinished.open("w", encoding="utf-8") as stream:
        stream.writelines(lines)
        stream.flush()
        os.fsync(stream.fileno())
    unfinished.replace(file)

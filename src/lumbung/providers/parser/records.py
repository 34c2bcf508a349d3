"""The pages inside a web archive, one by one, each within the size a page may have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from lumbung.providers.parser.pool import MOST_BODY_BYTES
from lumbung.text.markup.refusal import Unreadable, refused
from lumbung.text.packing import unpacked

_PAGES = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
_READABLE = ("text/html", "text/plain", "application/xhtml+xml", "application/pdf")
_MARKS = (b"WARC/", b"\x1f\x8b", b"\x04\x22\x4d\x18", b"\x28\xb5\x2f\xfd")


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    url: str
    content_type: str
    body: bytes
    """At most one byte more than a page may have, so that what is too large shows."""


def is_web_archive(name: str, start: bytes) -> bool:
    """By its first bytes; a compressed file must also be called an archive."""
    return start.startswith(_MARKS[0]) or (start.startswith(_MARKS[1:]) and ".warc" in name.lower())


def archived_pages(stream: BinaryIO) -> Iterator[ArchivedPage]:
    """Responses that succeeded and pages kept without their wire, in file order.

    InputRefused when the archive cannot be read on.
    """
    try:
        for record in ArchiveIterator(stream, record_types=_PAGES, strict_mode=False):
            page = _of_response(record) if record.record_type == WarcRecordType.response else _of_resource(record)
            if page is not None:
                yield page
    except (OSError, ValueError, RuntimeError, EOFError, UnicodeError) as error:
        raise refused(Unreadable.DAMAGED_ARCHIVE) from error


def _of_response(record: WarcRecord) -> ArchivedPage | None:
    http = record.http_headers
    if http is None or (http.status_code or 200) != 200:
        return None
    packing = [http.get(name) or "" for name in ("Transfer-Encoding", "Content-Encoding")]
    body = unpacked(record.reader.read(MOST_BODY_BYTES + 1), packing[0], packing[1], MOST_BODY_BYTES + 1)
    return ArchivedPage(_target(record), http.get("Content-Type") or "", body)


def _of_resource(record: WarcRecord) -> ArchivedPage | None:
    """What was written down without HTTP, or, as a conversion, the text alone."""
    kind = record.headers.get("Content-Type") or ""
    if not kind.lower().startswith(_READABLE):
        return None
    return ArchivedPage(_target(record), kind, record.reader.read(MOST_BODY_BYTES + 1))


def _target(record: WarcRecord) -> str:
    return (record.headers.get("WARC-Target-URI") or "").strip("<>")

"""The pages inside a web archive, one by one, each within the size a page may have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from fastwarc.warc import ArchiveIterator, WarcRecordType

from lumbung.providers.parser.pool import MOST_BODY_BYTES
from lumbung.text.markup.refusal import Unreadable, refused

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
    """Responses that succeeded, in file order; InputRefused when the archive cannot be read on."""
    try:
        records = ArchiveIterator(stream, record_types=WarcRecordType.response, auto_decode="all", strict_mode=False)
        for record in records:
            headers = record.http_headers
            if headers is None or (headers.status_code or 200) != 200:
                continue
            body = record.reader.read(MOST_BODY_BYTES + 1)
            target = record.headers.get("WARC-Target-URI") or ""
            yield ArchivedPage(target.strip("<>"), headers.get("Content-Type") or "", body)
    except (OSError, ValueError, RuntimeError, EOFError, UnicodeError) as error:
        raise refused(Unreadable.DAMAGED_ARCHIVE) from error

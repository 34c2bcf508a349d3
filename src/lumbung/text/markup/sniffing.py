"""What bytes are, whatever they are called."""

from __future__ import annotations

import re
from enum import StrEnum

from lumbung.text.markup.refusal import Unreadable, refused


class Media(StrEnum):
    HTML = "text/html"
    PLAIN = "text/plain"
    PDF = "application/pdf"
    WARC = "application/warc"


_MARKUP = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|div|p|h[1-6]|table|article|section|main|meta|title|script|style|ul|ol|span|a|br|dl|figure)"
    rb"[\s>/]",
    re.IGNORECASE,
)
_FOREIGN = (
    b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"\x7fELF", b"RIFF", b"ID3", b"\x00\x00\x00\x18ftyp", b"OggS",
    b"\xd0\xcf\x11\xe0", b"7z\xbc\xaf", b"Rar!", b"wOFF", b"wOF2", b"MZ\x90", b"BZh",
)
_WARC_GZIP = b"\x1f\x8b"
_READ_TYPES = re.compile(r"html|xml|text/|pdf|^$|octet-stream|warc", re.IGNORECASE)


def sniffed(body: bytes, content_type: str = "", name: str = "") -> Media:
    """Raises InputRefused for nothing, and for what is plainly something else."""
    start = body[:1_024].lstrip(b"\xef\xbb\xbf \t\r\n\x00\f")
    if not start:
        raise refused(Unreadable.EMPTY)
    if b"%PDF-" in body[:1_024]:
        return Media.PDF
    if start.startswith((b"WARC/1", b"WARC/0")) or (start.startswith(_WARC_GZIP) and "warc" in (name + content_type)):
        return Media.WARC
    if start.startswith(_FOREIGN) or start.startswith(_WARC_GZIP):
        raise refused(Unreadable.UNSUPPORTED_TYPE)
    if not _READ_TYPES.search(content_type):
        raise refused(Unreadable.UNSUPPORTED_TYPE)
    if "plain" in content_type and not start.lower().startswith((b"<!doctype html", b"<html")):
        return Media.PLAIN
    if "html" in content_type or _MARKUP.search(body[:65_536].replace(b"\x00", b"")):
        return Media.HTML
    return Media.PLAIN

"""What a body is, whatever its label says."""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["html", "text", "pdf", "xml", "image", "other"]

_SCANNED_BYTES = 1024
_MAGIC: tuple[tuple[bytes, Kind], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF87a", "image"),
    (b"GIF89a", "image"),
    (b"II*\x00", "image"),
    (b"MM\x00*", "image"),
    (b"BM", "image"),
    (b"\x00\x00\x01\x00", "image"),
    (b"PK\x03\x04", "other"),
    (b"PK\x05\x06", "other"),
    (b"Rar!\x1a\x07", "other"),
    (b"7z\xbc\xaf\x27\x1c", "other"),
    (b"\x1f\x8b", "other"),
    (b"BZh", "other"),
    (b"\xfd7zXZ\x00", "other"),
    (b"\x28\xb5\x2f\xfd", "other"),
    (b"MZ", "other"),
    (b"\x7fELF", "other"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "other"),
    (b"%!PS", "other"),
    (b"{\\rtf", "other"),
    (b"OggS", "other"),
    (b"ID3", "other"),
    (b"fLaC", "other"),
    (b"wOFF", "other"),
    (b"wOF2", "other"),
    (b"\x1aE\xdf\xa3", "other"),
    (b"SQLite format 3\x00", "other"),
)
_ANY_MAGIC = tuple(magic for magic, _ in _MAGIC)
_TEXTUAL_MAGIC = (b"BM", b"MZ", b"ID3", b"BZh")
"""Short enough to begin an ordinary sentence: they count only in front of bytes that no text has."""

_MARKUP = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|script|style|iframe|table|div|h[1-6]|p|br|a|b|font|link)"
    rb"(?=[\s>/])|<!--",
    re.IGNORECASE,
)
_OPENING = re.compile(rb"<(?:!doctype\s+html|html)(?=[\s>/])", re.IGNORECASE)
_CLOSED_TAGS = re.compile(rb"</(?:html|head|body|title|div|p|table|script|a|h[1-6])\s*>", re.IGNORECASE)
_XML_ROOT = re.compile(rb"<(?:\?xml|rss|feed|urlset|sitemapindex|oai-pmh|rdf:rdf)[\s>]", re.IGNORECASE)
_BINARY = bytes({*range(0x20)} - {*b"\t\n\v\f\r\x1b"})
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def sniff(content_type: str | None, first_bytes: bytes) -> Kind:
    """The kind of a body from its first bytes; the label only breaks a tie."""
    head = first_bytes[:_SCANNED_BYTES]
    if _OPENING.match(head) and not _looks_binary(head):
        return "html"
    label = (content_type or "").partition(";")[0].strip().lower()
    if b"%PDF-" in head[:_SCANNED_BYTES] and head.find(b"%PDF-") < 512 and not _MARKUP.match(head.lstrip()):
        return "pdf"
    binary = _binary_kind(head)
    if binary is not None:
        return binary
    text = _as_ascii(head).lstrip()
    if _looks_binary(head):
        return "image" if label.startswith("image/") else "other"
    return _text_kind(text, _as_ascii(first_bytes[:65_536]), label)


def _binary_kind(head: bytes) -> Kind | None:
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image"
    if head[4:8] == b"ftyp":
        return "image" if head[8:12] in {b"avif", b"heic", b"mif1"} else "other"
    if not head.startswith(_ANY_MAGIC):
        return None
    for magic, kind in _MAGIC:
        if head.startswith(magic) and (magic not in _TEXTUAL_MAGIC or _looks_binary(head)):
            return kind
    return None


def _looks_binary(head: bytes) -> bool:
    """UTF-16 text is full of zero bytes; its mark tells it from a program."""
    return not head.startswith(_BOMS[1:]) and len(head.translate(None, _BINARY)) < len(head)


def _as_ascii(head: bytes) -> bytes:
    for mark, codec in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if head.startswith(mark):
            return head[2:].decode(codec, "ignore").encode("ascii", "ignore")
    return head.removeprefix(_BOMS[0])


def _text_kind(text: bytes, more: bytes, label: str) -> Kind:
    is_xhtml = label == "application/xhtml+xml" or re.search(rb"<html[\s>]", text, re.IGNORECASE)
    if _XML_ROOT.match(text):
        return "html" if is_xhtml else "xml"
    if re.match(rb"<svg[\s>]", text, re.IGNORECASE):
        return "image"
    if _MARKUP.match(text):
        return "html"
    if label in {"text/html", "application/xhtml+xml"}:
        return "html"
    if label.endswith(("/xml", "+xml")):
        return "xml"
    # A page served as plain text: markup from the start on, and tags that close.
    if re.match(rb"<[a-z!]", text, re.IGNORECASE) and len(_CLOSED_TAGS.findall(more)) >= 3:
        return "html"
    if label.startswith(("image/", "audio/", "video/", "font/")):
        return "other"
    if label in {"application/json", "text/css", "text/javascript", "application/javascript", "text/csv"}:
        return "other"
    return "text"

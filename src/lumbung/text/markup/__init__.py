"""Reads pages: HTML, plain text and PDF, as visible text with structure. Pure; hostile input is the parser pool's."""

from __future__ import annotations

import re

from lumbung.model.candidate import PageText
from lumbung.text.markup.refusal import Unreadable, refused
from lumbung.text.sniffing import sniff

__all__ = ["CLEANER_VERSION", "Unreadable", "read_any", "read_page", "read_pdf", "read_plain", "refused"]

CLEANER_VERSION = "markup-4"
"""Changes whenever the same bytes would give another text: offsets are into the text of one version."""
_OPENING_TAG = re.compile(rb"<!?[a-z][a-z0-9]*[\s>]", re.IGNORECASE)
_CLOSING_TAG = re.compile(rb"</[a-z][a-z0-9]*\s*>", re.IGNORECASE)
_STRAY = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_FEWEST_TAGS = 2
_MOST_STRAY = 0.05
_SNIFFED_BYTES = 65_536
MOST_BYTES = 32_000_000


def read_page(html: bytes | str, url: str, content_type: str = "text/html") -> PageText:
    """Visible main text of an HTML page with its blocks, links, media and declarations."""
    from lumbung.text.markup.page import read_html

    return read_html(html, url, content_type)


def read_plain(body: bytes | str, content_type: str = "text/plain") -> PageText:
    """Plain text as paragraphs, list items and headings."""
    from lumbung.text.markup.plain import read_text

    return read_text(body, content_type)


def read_pdf(body: bytes) -> PageText:
    """Text of a PDF in reading order."""
    from lumbung.text.markup.pdf import read_document

    return read_document(body)


def read_any(body: bytes, url: str, content_type: str = "") -> PageText:
    """Reads by what the bytes are; the declared type decides only where they do not say."""
    if not body.strip(b" \t\r\n\f\x00\xef\xbb\xbf"):
        raise refused(Unreadable.EMPTY)
    if len(body) > MOST_BYTES:
        raise refused(Unreadable.TOO_LARGE)
    kind = sniff(content_type, body[:_SNIFFED_BYTES])
    if kind == "pdf":
        return read_pdf(body)
    if kind == "text":
        return read_plain(body, content_type)
    if kind == "html" or (kind == "other" and _is_damaged_page(body[:_SNIFFED_BYTES])):
        return read_page(body, url, content_type)
    raise refused(Unreadable.UNSUPPORTED_TYPE)


def _is_damaged_page(head: bytes) -> bool:
    """Markup from the first sign on, with some bytes in it that no text has: browsers show such pages too."""
    text = head.lstrip()
    is_markup = _OPENING_TAG.match(text) is not None and len(_CLOSING_TAG.findall(text)) >= _FEWEST_TAGS
    return is_markup and len(_STRAY.findall(text)) <= len(text) * _MOST_STRAY

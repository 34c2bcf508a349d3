"""Reads pages: HTML, plain text and PDF, as visible text with structure. Pure; hostile input is the parser pool's."""

from __future__ import annotations

from lumbung.model.candidate import PageText
from lumbung.text.markup.plain import read_plain
from lumbung.text.markup.refusal import Unreadable, refused

__all__ = ["Unreadable", "read_any", "read_page", "read_pdf", "read_plain", "refused"]


def read_page(html: bytes | str, url: str, content_type: str = "text/html") -> PageText:
    """Visible main text of an HTML page with its blocks, links, media and declarations."""
    from lumbung.text.markup.page import read_html

    return read_html(html, url, content_type)


def read_pdf(body: bytes) -> PageText:
    """Text of a PDF in reading order."""
    from lumbung.text.markup.pdf import read_pdf as read

    return read(body)


def read_any(body: bytes, url: str, content_type: str = "") -> PageText:
    """Reads by what the bytes are; the declared type decides only where they do not say."""
    from lumbung.text.markup.sniffing import Media, sniffed

    media = sniffed(body, content_type, url)
    if media is Media.PDF:
        return read_pdf(body)
    if media is Media.PLAIN:
        return read_plain(body, content_type)
    return read_page(body, url, content_type)

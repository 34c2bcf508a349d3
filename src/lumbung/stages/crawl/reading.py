"""An answer becomes an outline: cheaply in this process, or in the killable child where that would be a risk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lumbung.model.candidate import PageKind, PageText
from lumbung.ports.fetch import Fetched
from lumbung.ports.parser import PageReader
from lumbung.text.outline import Outline, outline_of_html, outline_of_page
from lumbung.text.sniffing import sniff

LARGEST_HERE = 256 * 1024
"""Bytes of markup that this process parses itself; a parse of this size takes a few milliseconds."""
_SNIFFED_BYTES = 4_096
_SOURCE_ROOTS = (b"<urlset", b"<sitemapindex", b"<rss", b"<feed", b"<rdf:rdf", b"<oai-pmh")


class OutlineReader:
    def __init__(self, reader: PageReader, agent: str) -> None:
        self._reader = reader
        self._agent = agent

    async def read(self, answer: Fetched, url: str, is_known: Callable[[str], bool]) -> tuple[Outline, PageText | None]:
        """The outline, and the full reading where one was needed; InputRefused when the bytes are no page."""
        content, content_type = answer.content, answer.content_type or ""
        if len(content) > LARGEST_HERE or sniff(content_type, content[:_SNIFFED_BYTES]) != "html":
            page = await self._reader.read(content, url, content_type)
            return outline_of_page(page, url, is_known), page
        outline = outline_of_html(content, url, content_type, self._agent, is_known)
        if not outline.doubtful:
            return outline, None
        # One rule alone says what an encyclopaedia is, and it needs the whole page.
        page = await self._reader.read(content, url, content_type)
        if page.kind is PageKind.ENCYCLOPAEDIA:
            # Whether it has references must not depend on which of them are known already.
            return replace(outline_of_html(content, url, content_type, self._agent), kind=page.kind), page
        return outline, page


def is_link_source(answer: Fetched) -> bool:
    """XML that is no page: sitemaps, feeds and OAI-PMH answers; or a zipped sitemap."""
    start = answer.content[:600].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"\x1f\x8b"):
        return "gzip" in (answer.content_type or "")
    if not start.startswith(b"<"):
        return False
    lowered = start.lower()
    return b"<html" not in lowered and any(root in lowered for root in _SOURCE_ROOTS)

"""Reading hostile bytes: parsing happens in a killable child, with limits of time and memory."""

from __future__ import annotations

from typing import Protocol

from lumbung.model.candidate import Candidate, PageText


class PageReader(Protocol):
    async def read(self, body: bytes, url: str, content_type: str) -> PageText:
        """The cleaned visible text and structure; InputRefused with a reason from a closed list otherwise."""
        ...

    async def extract(self, body: bytes, url: str, content_type: str) -> tuple[PageText, list[Candidate]]:
        """The text, of scans too where they can be read, and the candidates of the lexical extractor."""
        ...

    async def read_letters(self, body: bytes, url: str, content_type: str) -> PageText:
        """As `read`, of scans too where they can be read."""
        ...

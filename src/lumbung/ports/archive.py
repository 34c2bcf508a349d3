"""WARC files and media, in a folder or an object store."""

from __future__ import annotations

from typing import Protocol


class Archive(Protocol):
    async def read(self, archive: str, offset: int) -> bytes:
        """The payload of the record that starts there."""
        ...

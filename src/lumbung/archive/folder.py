"""WARC files in a folder: written with warcio, one gzip member a record, so that each can be read by its offset."""

from __future__ import annotations

import asyncio
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from lumbung.errors import ContractError


class FolderArchive:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def read(self, archive: str, offset: int) -> bytes:
        return await asyncio.to_thread(self._read, archive, offset)

    def _read(self, archive: str, offset: int) -> bytes:
        file = self.folder / archive
        if file.parent != self.folder or not file.is_file():
            raise ContractError(f"The archive has no file {archive}.")
        with file.open("rb") as stream:
            stream.seek(offset)
            for record in ArchiveIterator(stream):
                return bytes(record.content_stream().read())
        raise ContractError(f"There is no record at {offset} of {archive}.")

"""Reading single records of WARC files in a folder by their offset."""

from __future__ import annotations

import asyncio
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from lumbung.errors import ContractError

LARGEST_PAYLOAD = 16 * 1024 * 1024
"""What a fetch decodes at most: a record never gives more than was judged."""


class FolderArchive:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def read(self, archive: str, offset: int) -> bytes:
        return await asyncio.to_thread(self.payload, archive, offset)

    def payload(self, archive: str, offset: int) -> bytes:
        """The decoded payload of the record that starts there."""
        file = self.folder / archive
        if file.parent != self.folder or not file.is_file():
            raise ContractError(f"The archive has no file {archive}.")
        with file.open("rb") as stream:
            stream.seek(offset)
            try:
                for record in ArchiveIterator(stream):
                    return _payload(record.content_stream())
            except (ArchiveLoadFailed, EOFError, OSError, ValueError) as error:
                raise ContractError(f"The record at {offset} of {archive} cannot be read: {error}") from error
        raise ContractError(f"There is no record at {offset} of {archive}.")


def _payload(stream: object) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while size < LARGEST_PAYLOAD:
        piece = stream.read(LARGEST_PAYLOAD - size)  # type: ignore[attr-defined]
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)

"""The payload of one record, from a stream that stands at its beginning."""

from __future__ import annotations

from typing import BinaryIO

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from lumbung.errors import ContractError

LARGEST_PAYLOAD = 16 * 1024 * 1024
"""What a fetch decodes at most: a record never gives more than was judged."""


def payload_at(stream: BinaryIO, archive: str, offset: int) -> bytes:
    try:
        for record in ArchiveIterator(stream):
            if record.format != "warc":
                break
            return _payload(record.content_stream())
    except ArchiveLoadFailed as error:  # its words quote the damaged bytes, however many and whatever they are
        raise ContractError(f"The record at {offset} of {archive} is damaged.") from error
    except (EOFError, OSError, ValueError) as error:
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

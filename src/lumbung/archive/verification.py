"""Does the archive still hold what the database says, at the offsets it says?"""

from __future__ import annotations

import asyncio
from hashlib import sha256
from pathlib import Path

from lumbung.archive.folder import FolderArchive
from lumbung.errors import ContractError


def problem_at(folder: Path, archive: str, offset: int, digest: str) -> str | None:
    """What is wrong with a record that should have this digest; None when nothing is."""
    try:
        payload = FolderArchive(folder).payload(archive, offset)
    except ContractError as error:
        return str(error)
    if sha256(payload).hexdigest() != digest:
        return f"The record at {offset} of {archive} is not what was fetched: its digest differs."
    return None


async def problems_at(folder: Path, places: list[tuple[str, int, str]]) -> list[str | None]:
    """Archive, offset and digest of each; files are read outside the event loop."""
    return await asyncio.to_thread(lambda: [problem_at(folder, *place) for place in places])

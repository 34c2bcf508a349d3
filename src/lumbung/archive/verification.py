"""Does the archive still hold what the database says, at the offsets it says?"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import sha256

from lumbung.errors import ContractError, StaleRead
from lumbung.ports.archive import Archive

AT_ONCE = 8


async def problem_at(archive: Archive, name: str, offset: int, digest: str) -> str | None:
    """What is wrong with a record that should have this digest; None when nothing is."""
    try:
        payload = await archive.read(name, offset)
    except (ContractError, StaleRead) as error:
        return str(error)
    if sha256(payload).hexdigest() != digest:
        return f"The record at {offset} of {name} is not what was fetched: its digest differs."
    return None


async def problems_at(archive: Archive, places: Sequence[tuple[str, int, str]]) -> list[str | None]:
    """Archive, offset and digest of each."""
    found: list[str | None] = []
    for start in range(0, len(places), AT_ONCE):
        found += await asyncio.gather(*(problem_at(archive, *place) for place in places[start : start + AT_ONCE]))
    return found

"""What must not be kept leaves the archive too: files are rewritten, places updated, old files removed, in this order.

A crash between any two steps leaves either the old file with everything in force, or the new one; what is left over
is cleared away before the archiver writes again.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from lumbung.archive.erasure import Rewritten, remove, replaced_files, rewrite_without
from lumbung.ports.failpoints import Passage
from lumbung.store import documents
from lumbung.store.database import Database


async def erase_once(database: Database, folder: Path, lock: int, passage: Passage) -> int:
    """One file's worth of erasures; the number of records that left."""
    async with database.transaction() as tx:
        if not await tx.value("select pg_try_advisory_xact_lock(%(lock)s)", {"lock": lock}):
            return 0
        asked = await documents.next_erasure(tx)
        if asked is None:
            return 0
        archive, offsets = asked
        if (folder / archive).is_file():
            written = await asyncio.to_thread(rewrite_without, folder, archive, offsets)
        else:
            written = Rewritten(archive, {}, 0)
        passage("archive.rewritten")
        await documents.move_archive(tx, archive, written.archive, written.offsets)
        await documents.end_erasures(tx, archive, offsets)
    passage("archive.moved")
    if written.archive != archive:
        await asyncio.to_thread(remove, folder, archive)
    return len(offsets)


async def clear_away(database: Database, folder: Path, lock: int) -> None:
    """Files whose rewritten form is in force, or rewritten forms that never came into force."""
    async with database.transaction() as tx:
        if not await tx.value("select pg_try_advisory_xact_lock(%(lock)s)", {"lock": lock}):
            return
        for archive in await asyncio.to_thread(replaced_files, folder):
            if not await documents.is_cited(tx, archive):
                await asyncio.to_thread(remove, folder, archive)

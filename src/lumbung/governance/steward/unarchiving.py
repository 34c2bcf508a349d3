"""What must not be kept leaves the archive too: it is written anew, places are updated, the old one goes, in this order.

A crash between any two steps leaves either the old archive with everything in force, or the new one; the other stands
among the leftovers and is cleared away before long.
"""

from __future__ import annotations

from lumbung.ports.archive import Archive, Rewritten
from lumbung.ports.failpoints import Passage
from lumbung.store import documents
from lumbung.store.database import Database, Transaction

LOCK = 7231004
LONGEST_WRITE = "300s"
"""A slow object store may take so long; a writer that is frozen for longer loses its transaction and its lock."""
LATE_SECONDS = 3600.0
"""So long after an archive was announced, a writer that was given up for dead might still come to put it."""


async def is_ours(tx: Transaction) -> bool:
    """Whether this transaction alone may write to the archive, until it ends."""
    asked = "select pg_try_advisory_xact_lock(%(lock)s), set_config('idle_in_transaction_session_timeout', %(longest)s, true)"
    return bool(await tx.value(asked, {"lock": LOCK, "longest": LONGEST_WRITE}))


async def erase_once(database: Database, archive: Archive, passage: Passage) -> int:
    """One archive's worth of erasures; the number of records that left."""
    async with database.transaction() as tx:
        if not await is_ours(tx):
            return 0
        asked = await documents.next_erasure(tx)
        if asked is None:
            return 0
        old, offsets = asked
        written = await rewrite(database, archive, old, offsets)
        passage("archive.rewritten")
        await documents.move_archive(tx, old, written.archive, written.offsets)
        await documents.end_erasures(tx, old, offsets)
        if written.archive != old:
            await documents.strike_leftover(tx, written.archive)
            await documents.note_leftover(tx, old)
    passage("archive.moved")
    if written.archive != old:
        await archive.remove(old)
    return len(offsets)


async def rewrite(database: Database, archive: Archive, old: str, offsets: list[int]) -> Rewritten:
    if not await archive.holds(old):
        return Rewritten(old, {}, 0)
    name = await archive.next_name(old)
    await documents.announce(database, name)
    return await archive.rewrite_without(old, offsets, name)


async def clear_away(database: Database, archive: Archive) -> None:
    """Archives that were announced and never cited, or are no longer; whoever wrote them has no transaction any more."""
    async with database.transaction() as tx:
        if await is_ours(tx):
            for row in await documents.leftovers(tx, LATE_SECONDS):
                await archive.remove(row["archive"])
                if row["is_old"]:
                    await documents.strike_leftover(tx, row["archive"])

"""The archive is verified a batch at a time, beside the archiver's own work; where it stands outlives this process."""

from __future__ import annotations

from lumbung.archive.verification import problems_at
from lumbung.governance.steward.unarchiving import is_ours
from lumbung.ports.archive import Archive
from lumbung.store import archive_checks
from lumbung.store.archive_checks import Checked
from lumbung.store.database import Database

BATCH = 200


async def verify_once(database: Database, archive: Archive, batch: int = BATCH) -> int:
    """One batch of the verification that somebody asked for; the number of records that were read.

    Under the writer's lock: a file that is being written anew would look damaged.
    """
    async with database.transaction() as tx:
        check = await archive_checks.open_check(tx) if await is_ours(tx) else None
        if check is None:
            return 0
        rows = await archive_checks.places(tx, check.after, batch)
        found = await problems_at(archive, [(row["archive"], row["archive_offset"], row["digest"]) for row in rows])
        faults = [(row["url"], told) for row, told in zip(rows, found, strict=True) if told]
        after = rows[-1]["id"] if rows else check.after
        await archive_checks.advance(tx, check.id, Checked(after, len(rows), faults, ended=len(rows) < batch))
    return len(rows)

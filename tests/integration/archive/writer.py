"""Archives and erases all that waits, in a process of its own, which a failpoint may end: `python -m … DATABASE`."""

from __future__ import annotations

import asyncio
import os
import sys

from tests.integration.archive.shelf import Shelf

from lumbung.governance.steward.archiver import archive_once
from lumbung.governance.steward.unarchiving import erase_once
from lumbung.runtime.failpoints import passage
from lumbung.store.database import Database


async def work(url: str) -> None:
    database = Database(url, size=3)
    await database.open()
    archive = Shelf(dict(os.environ)).open()
    try:
        while await archive_once(database, archive, passage) or await erase_once(database, archive, passage):
            pass
    finally:
        await database.close()


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1]))

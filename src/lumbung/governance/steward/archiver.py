"""The archiver moves raw bodies into WARC and replaces them by archive and offset, in one transaction."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from lumbung.archive.records import digest_of
from lumbung.archive.verification import problems_at
from lumbung.archive.warc import ArchivedResponse, Original, Place, WarcFolder
from lumbung.errors import TransientError
from lumbung.governance.steward.unarchiving import clear_away, erase_once
from lumbung.ports.failpoints import Passage
from lumbung.store import documents
from lumbung.store.database import Database, Row, Transaction
from lumbung.telemetry import log

BATCH = 200
INTERVAL_SECONDS = 1.0
LONGEST_INTERVAL_SECONDS = 4.0
"""Between two looks while nothing comes."""
LOCK = 7231004


async def archive_once(database: Database, folder: WarcFolder, passage: Passage) -> int:
    async with database.transaction() as tx:
        if not await tx.value("select pg_try_advisory_xact_lock(%(lock)s)", {"lock": LOCK}):
            return 0
        pages = await documents.unarchived(tx, BATCH)
        robots = await documents.unarchived_robots(tx, BATCH)
        if not pages and not robots:
            return 0
        places = await asyncio.to_thread(write, folder, pages, robots)
        passage("archive.written")
        await record(tx, pages, robots, places)
    passage("archive.recorded")
    return len(pages) + len(robots)


def write(folder: WarcFolder, pages: list[Row], robots: list[Row]) -> list[Place]:
    return folder.append([page_response(row) for row in pages] + [robots_response(row) for row in robots])


async def record(tx: Transaction, pages: list[Row], robots: list[Row], places: list[Place]) -> None:
    """A page whose payload is archived already is cited where the payload is; its revisit record stays beside it."""
    cited = []
    for row, place in zip(pages, places, strict=False):
        again = is_revisit(row)
        archive, offset = (row["twin_archive"], row["twin_offset"]) if again else (place.archive, place.offset)
        cited.append((row["id"], archive, offset, place.payload_digest))
    await documents.mark_archived(tx, cited)
    await documents.mark_robots_archived(
        tx, [(row["id"], place.archive, place.offset) for row, place in zip(robots, places[len(pages) :], strict=True)]
    )


def is_revisit(row: Row) -> bool:
    return row["twin_digest"] is not None and row["twin_digest"] == digest_of(raw_body(row))


def raw_body(row: Row) -> bytes:
    return bytes(row["body"] if row["wire"] is None else row["wire"])


def page_response(row: Row) -> ArchivedResponse:
    return ArchivedResponse(
        url=row["url"],
        status=row["status"],
        headers=pairs(row["headers"]),
        request_headers=pairs(row["request_headers"]),
        body=raw_body(row),
        address=row["address"],
        truncated=row["truncated"],
        fetched_at=row["fetched_at"],
        encoded=row["wire"] is not None,
        original=Original(row["twin_url"], row["twin_fetched_at"]) if is_revisit(row) else None,
    )


def robots_response(row: Row) -> ArchivedResponse:
    return ArchivedResponse(
        url=row["url"],
        status=row["status"],
        headers=pairs(row["headers"]),
        request_headers=pairs(row["request_headers"]),
        body=bytes(row["body"]),
        address=row["address"],
        truncated=None,
        fetched_at=row["fetched_at"],
    )


def pairs(stored: list[Any]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in stored]


async def keep_archiving(database: Database, folder: WarcFolder, passage: Passage) -> None:
    is_clear = False
    seconds = INTERVAL_SECONDS
    while True:
        try:
            if not is_clear:
                await clear_away(database, folder.folder, LOCK)
                is_clear = True
            moved = await archive_once(database, folder, passage)
            moved += await erase_once(database, folder.folder, LOCK, passage)
        except (TransientError, OSError) as error:
            log.warning("archiver.waits", reason=str(error))
            moved = 0
        if moved:
            seconds = INTERVAL_SECONDS
        else:
            await asyncio.sleep(seconds)
            seconds = min(LONGEST_INTERVAL_SECONDS, 2 * seconds)


async def verify_archive(tx: Transaction, folder: Path) -> list[str]:
    """Every archived page is read back at its offset and compared with its digest; returns what is wrong."""
    problems: list[str] = []
    after = ("", -1, 0)
    while rows := await documents.archived_places(tx, after):
        places = [(row["archive"], row["archive_offset"], row["digest"]) for row in rows]
        found = await problems_at(folder, places)
        problems += [f"{row['url']}: {told}" for row, told in zip(rows, found, strict=True) if told]
        after = (rows[-1]["archive"], rows[-1]["archive_offset"], rows[-1]["id"])
    return problems

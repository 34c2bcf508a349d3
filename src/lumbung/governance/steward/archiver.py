"""The archiver moves raw bodies into WARC and replaces them by archive and offset, in one transaction."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

from lumbung.archive.warc import ArchivedResponse, WarcFolder
from lumbung.errors import TransientError
from lumbung.ports.failpoints import Passage
from lumbung.store import documents
from lumbung.store.database import Database, Transaction
from lumbung.telemetry import log

BATCH = 200
INTERVAL_SECONDS = 1.0
LOCK = 7231003


async def archive_once(database: Database, folder: WarcFolder, passage: Passage) -> int:
    async with database.transaction() as tx:
        if not await tx.value("select pg_try_advisory_xact_lock(%(lock)s)", {"lock": LOCK}):
            return 0
        pages = await documents.unarchived(tx, BATCH)
        robots = await documents.unarchived_robots(tx, BATCH)
        if not pages and not robots:
            return 0
        responses = [page_response(row) for row in pages] + [robots_response(row) for row in robots]
        places = await asyncio.to_thread(folder.append, responses)
        passage("archive.written")
        await record(tx, pages, robots, places)
    passage("archive.recorded")
    return len(pages) + len(robots)


async def record(tx: Transaction, pages: list[Any], robots: list[Any], places: list[Any]) -> None:
    for row, place in zip(pages, places, strict=False):
        await documents.mark_archived(tx, row["id"], place.archive, place.offset)
    for row, place in zip(robots, places[len(pages) :], strict=True):
        await documents.mark_robots_archived(tx, row["id"], place.archive, place.offset)


def page_response(row: dict[str, Any]) -> ArchivedResponse:
    return ArchivedResponse(
        url=row["url"],
        status=row["status"],
        headers=pairs(row["headers"]),
        request_headers=pairs(row["request_headers"]),
        body=bytes(row["body"]),
        address=row["address"],
        truncated=row["truncated"],
        fetched_at=row["fetched_at"],
    )


def robots_response(row: dict[str, Any]) -> ArchivedResponse:
    fetched_at: datetime = row["fetched_at"]
    return ArchivedResponse(
        row["url"], row["status"], pairs(row["headers"]), (), bytes(row["body"]), None, None, fetched_at
    )


def pairs(stored: list[list[str]]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in stored]


async def keep_archiving(database: Database, folder: WarcFolder, passage: Passage) -> None:
    while True:
        try:
            moved = await archive_once(database, folder, passage)
        except (TransientError, OSError) as error:
            log.warning("archiver.waits", reason=str(error))
            moved = 0
        if not moved:
            await asyncio.sleep(INTERVAL_SECONDS)

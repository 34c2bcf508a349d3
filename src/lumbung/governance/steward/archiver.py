"""The archiver moves raw bodies into WARC and replaces them by archive and offset, in one transaction."""

from __future__ import annotations

import asyncio
import time

from lumbung.archive.records import is_digest_of, labelled
from lumbung.archive.verification import problems_at
from lumbung.errors import TransientError
from lumbung.governance.steward.unarchiving import clear_away, erase_once, is_ours
from lumbung.governance.steward.verifying import verify_once
from lumbung.ports.archive import Archive, ArchivedResponse, Original, Place
from lumbung.ports.failpoints import Passage
from lumbung.store import documents
from lumbung.store.database import Database, Row, Transaction
from lumbung.telemetry import log

BATCH = 200
INTERVAL_SECONDS = 1.0
LONGEST_INTERVAL_SECONDS = 4.0
"""Between two looks while nothing comes."""
CLEARING_SECONDS = 600.0
"""Between two looks for what other writers left over."""


async def archive_once(database: Database, archive: Archive, passage: Passage) -> int:
    """One batch; the number of records that were moved."""
    async with database.transaction() as tx:
        if not await is_ours(tx):
            return 0
        pages = await documents.unarchived(tx, BATCH)
        robots = await documents.unarchived_robots(tx, BATCH)
        if not pages and not robots:
            return 0
        new = await archive.next_archive()
        if new is not None:
            await documents.announce(database, new)
            passage("archive.announced")
        places = await archive.append(await asyncio.to_thread(responses, pages, robots))
        passage("archive.written")
        await record(tx, pages, robots, places)
        if new is not None:
            await documents.strike_leftover(tx, new)
    passage("archive.recorded")
    return len(places)


def responses(pages: list[Row], robots: list[Row]) -> list[ArchivedResponse]:
    return [page_response(row) for row in pages] + [robots_response(row) for row in robots]


async def record(tx: Transaction, pages: list[Row], robots: list[Row], places: list[Place]) -> None:
    """As many as there are places.

    A page whose payload is archived already is cited where the payload is; its revisit record stays beside it. A page
    that was erased while its record was written is not cited: the record must leave again.
    """
    cited = []
    for row, place in zip(pages, places, strict=False):
        again = is_revisit(row)
        archive, offset = (row["twin_archive"], row["twin_offset"]) if again else (place.archive, place.offset)
        cited.append((row["id"], archive, offset, place.payload_digest))
    waited = await documents.mark_archived(tx, cited)
    gone = [(row, place) for row, place in zip(pages, places, strict=False) if row["id"] not in waited]
    await documents.ask_erasures(tx, [(place.archive, place.offset, row["url"]) for row, place in gone])
    await documents.mark_robots_archived(
        tx, [(row["id"], place.archive, place.offset) for row, place in zip(robots, places[len(pages) :], strict=False)]
    )


def is_revisit(row: Row) -> bool:
    return row["twin_digest"] is not None and is_digest_of(raw_body(row), row["twin_digest"])


def raw_body(row: Row) -> bytes:
    return bytes(row["body"] if row["wire"] is None else row["wire"])


def known_digest(row: Row) -> str | None:
    """A page that came as it is was hashed when it was fetched: what was lost since then would show."""
    if is_revisit(row):
        return str(row["twin_digest"])
    return labelled(row["digest"]) if row["wire"] is None else None


def page_response(row: Row) -> ArchivedResponse:
    return ArchivedResponse(
        url=row["url"],
        status=row["status"],
        headers=row["headers"],
        request_headers=row["request_headers"],
        body=raw_body(row),
        address=row["address"],
        truncated=row["truncated"],
        fetched_at=row["fetched_at"],
        encoded=row["wire"] is not None,
        original=Original(row["twin_url"], row["twin_fetched_at"]) if is_revisit(row) else None,
        status_line=row["status_line"],
        payload_digest=known_digest(row),
    )


def robots_response(row: Row) -> ArchivedResponse:
    return ArchivedResponse(
        url=row["url"],
        status=row["status"],
        headers=row["headers"],
        request_headers=row["request_headers"],
        body=bytes(row["body"]),
        address=row["address"],
        truncated=None,
        fetched_at=row["fetched_at"],
        encoded=row["encoded"],
        status_line=row["status_line"],
    )


async def keep_archiving(database: Database, archive: Archive, passage: Passage) -> None:
    seconds = INTERVAL_SECONDS
    clear_until = time.monotonic()
    while True:
        try:
            if time.monotonic() >= clear_until:
                await clear_away(database, archive)
                clear_until = time.monotonic() + CLEARING_SECONDS
            moved = await archive_once(database, archive, passage)
            erased = await erase_once(database, archive, passage)
            verified = await verify_once(database, archive)
        except (TransientError, OSError) as error:
            log.warning("archiver.waits", reason=str(error))
            moved = erased = verified = 0
            clear_until = time.monotonic()
        if moved:
            seconds = INTERVAL_SECONDS
            await asyncio.sleep(archive.pause_seconds if moved < BATCH else 0.0)
        elif not erased and not verified:
            await asyncio.sleep(seconds)
            seconds = min(LONGEST_INTERVAL_SECONDS, 2 * seconds)


async def verify_archive(tx: Transaction, archive: Archive) -> list[str]:
    """Every archived page is read back at its offset and compared with its digest; returns what is wrong."""
    problems: list[str] = []
    after = ("", -1, 0)
    while rows := await documents.archived_places(tx, after):
        places = [(row["archive"], row["archive_offset"], row["digest"]) for row in rows]
        found = await problems_at(archive, places)
        problems += [f"{row['url']}: {told}" for row, told in zip(rows, found, strict=True) if told]
        after = (rows[-1]["archive"], rows[-1]["archive_offset"], rows[-1]["id"])
    return problems

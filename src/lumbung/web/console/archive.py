"""The archive for its operator: where it is, what it holds, what waits, what leaves, and whether it is whole."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

from fastapi import Request
from starlette.responses import Response

from lumbung.bootstrap import System
from lumbung.errors import LumbungError
from lumbung.governance.actions.archive import ask_archive_check
from lumbung.governance.actions.pages import erase_page
from lumbung.model.permission import Role
from lumbung.store import archive_checks, people
from lumbung.store.console import COUNT_CAP
from lumbung.web.console.access import Desk, back, fields_of, sheet, visitor_of
from lumbung.web.rendering import system_of

desk = Desk()
PAGE_SIZE = 25
LOOK_SECONDS = 0.15
"""A slow object store does not hold up the page: what it has not said by then is left open."""


@desk.page("/arsip", Role.OPERATOR, Role.GUARDIAN)
async def archive(request: Request, setelah: str = "") -> Response:
    system = system_of(request)
    async with system.people.transaction() as tx:
        rows = await archive_checks.cited(tx, setelah[:300], PAGE_SIZE + 1)
        shown: dict[str, Any] = {
            "waiting": await archive_checks.waiting(tx),
            "checks": await archive_checks.latest(tx),
            "erasures": await archive_checks.erasures(tx),
            "names": await people.names(tx),
        }
    return sheet(
        request,
        "archive.html",
        rows=await with_sizes(system, rows[:PAGE_SIZE]),
        following=rows[PAGE_SIZE - 1]["archive"] if len(rows) > PAGE_SIZE else "",
        where=system.settings.archive_url or str(system.settings.archive_folder),
        disk=None if system.settings.archive_url else disk_of(system.settings.archive_folder),
        count_cap=COUNT_CAP,
        **shown,
    )


async def with_sizes(system: System, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each with its size: None where the store does not have it, left out where it did not answer in time."""
    try:
        store = system.archive
    except LumbungError:
        return rows
    asked = [asyncio.create_task(store.size(row["archive"])) for row in rows]
    if asked:
        await asyncio.wait(asked, timeout=LOOK_SECONDS)
    found = []
    for row, task in zip(rows, asked, strict=True):
        if task.done() and not task.cancelled() and task.exception() is None:
            found.append(row | {"size": task.result()})
        else:
            task.cancel()
            found.append(row)
    return found


def disk_of(folder: Path) -> Any:
    """Of the disk on which the folder is, or will be."""
    present = next((each for each in (folder, *folder.parents) if each.is_dir()), Path("/"))
    return shutil.disk_usage(present)


@desk.act("/arsip/periksa", "verify-archive")
async def verify(request: Request) -> Response:
    async with system_of(request).people.transaction() as tx:
        await ask_archive_check(tx, visitor_of(request).actor, fields_of(request).reason)
    return back("/arsip", "done_check_asked")


@desk.act("/arsip/hapus", "erase-page")
async def erase(request: Request) -> Response:
    fields = fields_of(request)
    async with system_of(request).people.transaction() as tx:
        await erase_page(tx, visitor_of(request).actor, fields.text("url"), fields.reason)
    return back("/arsip", "done_page_erased")

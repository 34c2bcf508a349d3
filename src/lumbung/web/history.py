"""The history of an entry on the public pages: its revisions, and what each of them changed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Path, Request
from starlette.responses import HTMLResponse, Response

from lumbung.library.history import Change, changes_at
from lumbung.store import entries
from lumbung.store.database import Row, Transaction
from lumbung.web.public import greet, load_entry
from lumbung.web.rendering import page, system_of

router = APIRouter(dependencies=[Depends(greet)])
LAST_NUMBER = 2**31 - 2


@router.get("/entri/{identity}/riwayat", response_class=HTMLResponse)
async def history(request: Request, identity: str) -> Response:
    row = await load_entry(request, identity)
    if isinstance(row, Response):
        return row
    async with system_of(request).people.transaction() as tx:
        revisions = await entries.revisions(tx, identity)
    return page(request, "history.html", entry=row, revisions=revisions)


@router.get("/entri/{identity}/riwayat/{number}", response_class=HTMLResponse)
async def revision(request: Request, identity: str, number: Annotated[int, Path(ge=1, le=LAST_NUMBER)]) -> Response:
    row = await load_entry(request, identity)
    if isinstance(row, Response):
        return row
    async with system_of(request).people.transaction() as tx:
        found, changes = await revision_with_changes(request, tx, row, number)
    return page(request, "revision.html", entry=row, revision=found, changes=changes)


async def revision_with_changes(
    request: Request, tx: Transaction, entry: Row, number: int
) -> tuple[Row, list[Change] | None]:
    """The revision, and what it changed: None where readers never saw it, or may not see what the entry says."""
    rows = (await entries.revisions(tx, entry["identity"], entries.MOST_FOLDED, number + 1))[::-1]
    if not rows or rows[-1]["number"] != number:
        raise HTTPException(404, "There is no such revision.")
    if entry["hidden"]:
        return rows[-1], None
    return rows[-1], changes_at([row["content"] for row in rows], system_of(request).profile)

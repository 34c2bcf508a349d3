"""The history of an entry for programs: its revisions, and what each of them changed."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel

from lumbung.library.plain_text import inert
from lumbung.store import entries
from lumbung.store.database import Row
from lumbung.web.api import link_to_next, published
from lumbung.web.api_access import PROBLEMS, Identity, Open
from lumbung.web.history import LAST_NUMBER, revision_with_changes
from lumbung.web.rendering import system_of

router = APIRouter(prefix="/api/v1", tags=["history"])
Number = Annotated[int, Path(ge=1, le=LAST_NUMBER, description="The number of the revision.")]


class Revision(BaseModel):
    number: int
    owner: str
    note: str
    at: str


class Revisions(BaseModel):
    revisions: list[Revision]


class Piece(BaseModel):
    """A stretch of a field that stayed (`same`), came (`added`) or went (`removed`); long ones are cut at an ellipsis."""

    kind: str
    text: str


class Change(BaseModel):
    field: str
    pieces: list[Piece]


class Changes(Revision):
    changes: list[Change] | None
    """null where readers never saw the revision, or may not see the entry's text."""


def revision_of(row: Row) -> dict[str, Any]:
    return {name: inert(row[name]) for name in ("number", "owner", "note")} | {"at": row["at"].isoformat()}


@router.get("/entries/{identity}/revisions", responses=PROBLEMS, dependencies=[Open])
async def list_revisions(
    request: Request,
    response: Response,
    identity: Identity,
    before: Annotated[
        int, Query(ge=1, le=LAST_NUMBER, description="Only revisions with a lower number.")
    ] = LAST_NUMBER,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Revisions:
    """The revisions of a published entry, the newest first; follow `Link: rel="next"`."""
    async with system_of(request).people.transaction() as tx:
        await published(tx, identity)
        rows = await entries.revisions(tx, identity, limit + 1, before)
    if len(rows) > limit:
        response.headers["Link"] = link_to_next(request, before=rows[limit - 1]["number"])
    return Revisions(revisions=[Revision.model_validate(revision_of(row)) for row in rows[:limit]])


@router.get("/entries/{identity}/revisions/{number}", responses=PROBLEMS, dependencies=[Open])
async def get_revision(request: Request, identity: Identity, number: Number) -> Changes:
    """What one revision of a published entry changed since the one that readers saw before it."""
    async with system_of(request).people.transaction() as tx:
        row, changes = await revision_with_changes(request, tx, await published(tx, identity), number)
    told = None if changes is None else [asdict(each) for each in changes]
    return Changes.model_validate(revision_of(row) | {"changes": told})

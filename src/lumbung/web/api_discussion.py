"""The discussion of an entry for programs."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse

from lumbung.library.actions.discuss import LONGEST_REMARK, REMARKS_PER_MINUTE, add_remark
from lumbung.library.plain_text import inert
from lumbung.store import remarks
from lumbung.store.database import Row
from lumbung.web.api import link_to_next, published
from lumbung.web.api_access import PROBLEMS, Identity, Open, Signed, count
from lumbung.web.api_once import Key, Once
from lumbung.web.rendering import system_of

router = APIRouter(prefix="/api/v1", tags=["discussion"])


class NewRemark(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    text: Annotated[str, Field(min_length=1, max_length=LONGEST_REMARK)]


class Remark(BaseModel):
    """What somebody said; `speaker` tells people of one discussion apart, and is no account."""

    number: int
    speaker: int
    at: str
    text: str | None
    withheld: str | None
    """Why the text is not shown; `erased` where it is gone for good."""


class Discussion(BaseModel):
    remarks: list[Remark]


class Said(BaseModel):
    identity: str
    remark: int


def remark_of(row: Row) -> dict[str, Any]:
    shown = {"text": None if row["withheld"] is not None else row["text"], "withheld": inert(row["withheld"])}
    return {"number": row["id"], "speaker": row["speaker"], "at": row["at"].isoformat()} | shown


@router.get("/entries/{identity}/discussion", responses=PROBLEMS, dependencies=[Open])
async def list_remarks(
    request: Request,
    response: Response,
    identity: Identity,
    before: Annotated[
        int, Query(ge=1, le=remarks.LAST, description="Only remarks with a lower number.")
    ] = remarks.LAST,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Discussion:
    """What people said about a published entry, the newest first; follow `Link: rel="next"`. Nothing while the entry is
    withheld.
    """
    async with system_of(request).people.transaction() as tx:
        row = await published(tx, identity)
        rows = [] if row["hidden"] else await remarks.discussion(tx, identity, limit + 1, before)
    if len(rows) > limit:
        response.headers["Link"] = link_to_next(request, before=rows[limit - 1]["id"])
    return Discussion(remarks=[Remark.model_validate(remark_of(each)) for each in rows[:limit]])


@router.post("/entries/{identity}/discussion", status_code=201, responses=PROBLEMS, response_model=Said)
async def post_remark(
    request: Request, identity: Identity, body: NewRemark, actor: Signed, idempotency_key: Key = None
) -> JSONResponse:
    """Say something about an entry; what is said stays, unless a moderator withholds it."""
    await count(request, f"remarks {actor.person}", REMARKS_PER_MINUTE)
    once = Once(request, body, actor, idempotency_key)
    async with system_of(request).people.transaction() as tx:
        replayed = await once.replayed(tx)
        if replayed:
            return replayed
        if (await published(tx, identity))["hidden"]:
            raise HTTPException(403, "What this entry says is withheld, and so is its discussion.")
        answer = {"identity": identity, "remark": await add_remark(tx, actor, identity, body.text)}
        await once.keep(tx, answer, 201)
    return JSONResponse(answer, 201)

"""The discussion of an entry on the public pages: anybody reads, whoever has a part in the library speaks."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from lumbung.errors import UsageError
from lumbung.library.actions.discuss import LONGEST_REMARK, REMARKS_PER_MINUTE, add_remark, withhold_remark
from lumbung.model.permission import PERMISSIONS
from lumbung.store import remarks
from lumbung.web.api_access import count
from lumbung.web.console.access import Desk, fields_of, visitor_of
from lumbung.web.contribution import known, reason_of, reason_page
from lumbung.web.error_words import told_in
from lumbung.web.language import chosen_language
from lumbung.web.public import greet, load_entry
from lumbung.web.rendering import page, system_of

router = APIRouter(dependencies=[Depends(greet)])
desk = Desk(under="")
ON_A_PAGE = 50
Number = Annotated[int, Path(ge=1, le=remarks.LAST)]


@router.get("/entri/{identity}/diskusi", response_class=HTMLResponse)
async def discussion(
    request: Request, identity: str, before: Annotated[int, Query(ge=1, le=remarks.LAST)] = remarks.LAST
) -> Response:
    return await discussion_page(request, identity, before=before)


async def discussion_page(
    request: Request, identity: str, typed: str = "", problem: str = "", before: int = remarks.LAST
) -> Response:
    row = await load_entry(request, identity)
    if isinstance(row, Response):
        return row
    said = []
    if not row["hidden"]:
        async with system_of(request).people.transaction() as tx:
            said = await remarks.discussion(tx, identity, ON_A_PAGE + 1, before)
    return page(
        request,
        "discussion.html",
        422 if problem else 200,
        entry=row,
        said=said[:ON_A_PAGE],
        more=len(said) > ON_A_PAGE,
        typed=typed,
        problem=problem,
        longest=LONGEST_REMARK,
    )


@desk.act("/entri/{identity}/diskusi", "discuss-entry")
async def speak(request: Request, identity: str) -> Response:
    """What was typed and not taken stands in the form again."""
    typed = fields_of(request).text("text")
    await count(request, f"remarks {visitor_of(request).person}", REMARKS_PER_MINUTE)
    try:
        async with system_of(request).people.transaction() as tx:
            await add_remark(tx, visitor_of(request).actor, identity, typed)
    except UsageError as error:
        return await discussion_page(request, identity, typed, told_in(chosen_language(request), str(error)))
    return RedirectResponse(f"/entri/{identity}/diskusi", 303)


async def remark_of(request: Request, identity: str, number: int) -> dict[str, object]:
    async with system_of(request).people.transaction() as tx:
        found = await remarks.one(tx, identity, number)
    if found is None or found["text"] is None:
        raise HTTPException(404)
    return found


@desk.page("/entri/{identity}/diskusi/{number}", *PERMISSIONS["withhold-remark"].roles)
async def before_withholding(request: Request, identity: str, number: Number) -> Response:
    remark = await remark_of(request, identity, number)
    key = "withhold_remark" if remark["withheld"] is None else "show_remark"
    return reason_page(request, key, await known(request, identity), str(remark["text"]))


@desk.act("/entri/{identity}/diskusi/{number}", "withhold-remark")
async def withhold(request: Request, identity: str, number: Number) -> Response:
    remark = await remark_of(request, identity, number)
    withheld = remark["withheld"] is None
    async with system_of(request).people.transaction() as tx:
        await withhold_remark(tx, visitor_of(request).actor, number, withheld=withheld, reason=reason_of(request))
    return RedirectResponse(f"/entri/{identity}/diskusi", 303)

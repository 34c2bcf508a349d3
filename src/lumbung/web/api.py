"""The REST interface of the library: keyset pages, ETag and If-Match, idempotency keys, scoped tokens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Annotated, Any

from fastapi import APIRouter, Header, HTTPException, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json
from starlette.responses import JSONResponse, RedirectResponse

from lumbung.library.actions.contribute import create_entry, remove_entry, restore_entry, revise_entry
from lumbung.library.disclosure import public_record
from lumbung.library.plain_text import inert
from lumbung.library.records import RecordReader
from lumbung.store import entries, search
from lumbung.store.database import Transaction
from lumbung.store.search import Asked
from lumbung.text.search import query_terms
from lumbung.web.api_access import PROBLEMS, Identity, Open, Signed
from lumbung.web.api_once import IfMatch, Key, Once, revisions_named
from lumbung.web.public import BEGINNING, after_of, page_key, within
from lumbung.web.rendering import system_of

router = APIRouter(prefix="/api/v1", tags=["library"])


class NewEntry(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    title: Annotated[str, Field(min_length=1, max_length=500)]
    text: Annotated[str, Field(min_length=1, max_length=100_000)]
    category: Annotated[str | None, Field(max_length=100)] = None
    regions: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=50)] = []
    aliases: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=50)] = []
    files: Annotated[
        list[Annotated[str, Field(max_length=2000)]] | None,
        Field(max_length=100, description="Web addresses of its files; left out of a revision, they stay as they are."),
    ] = None
    licence: Annotated[str | None, Field(max_length=100)] = None
    note: Annotated[str, Field(max_length=500)] = ""


class Removal(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    reason: Annotated[str, Field(min_length=1, max_length=500)]


class EntryPage(BaseModel):
    entries: list[dict[str, Any]]
    next: str | None


class Written(BaseModel):
    identity: str
    revision: int


@router.get("/entries", responses=PROBLEMS, dependencies=[Open])
async def list_entries(
    request: Request,
    response: Response,
    q: Annotated[str, Query(max_length=200, description="Words that the entry must have.")] = "",
    category: Annotated[str, Query(max_length=100)] = "",
    region: Annotated[str, Query(max_length=100)] = "",
    after: Annotated[str, Query(max_length=4000, description="The key of the previous page's end.")] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> EntryPage:
    """Published entries in a stable order; follow `Link: rel="next"`."""
    if "\x00" in f"{q}{category}{region}{after}":
        raise HTTPException(422, "NUL is no character of a text.")
    system = system_of(request)
    regions = within(system, region)
    start = after_of(after)
    if after and start == BEGINNING:
        raise HTTPException(422, "after is no key of a page.")
    terms = query_terms(q)
    rows = []
    if (terms or not q.strip()) and (regions or not region):
        async with system.people.transaction() as tx:
            rows = await search.find(tx, Asked(terms, category or None, regions, start, limit + 1))
    key = page_key(rows[limit - 1]) if len(rows) > limit else None
    if key is not None:
        response.headers["Link"] = link_to_next(request, after=key)
    shown = ("identity", "title", "owner", "category", "regions")
    return EntryPage(entries=[inert({name: row[name] for name in shown}) for row in rows[:limit]], next=key)


def etag_of(row: dict[str, Any]) -> str:
    """The revision, and what is told with it that makes none: display, pictures, sensitivity, supplements."""
    display = [row["labels"], row["hidden"], row["files"], row["sensitive"], row["supplements"], row["granted"]]
    mark = "" if not any(display) else "." + sha256(to_json(display)).hexdigest()[:12]
    return f'"{row["revision"]}{mark}"'


def link_to_next(request: Request, **key: object) -> str:
    following = request.url.include_query_params(**key)
    return f'<{following.path}?{following.query}>; rel="next"'


def is_named(etag: str, header: str | None) -> bool:
    """Whether If-None-Match names it: a list, weak marks too, or any by an asterisk."""
    return header is not None and {"*", etag} & {each.strip().removeprefix("W/") for each in header.split(",")} != set()


async def published(tx: Transaction, identity: str) -> dict[str, Any]:
    for row in [held async for held in entries.export(tx, identities=[identity])]:
        if row["status"] == "published":
            return row
        if row["status"] == "tombstone":
            raise HTTPException(410, f"Taken down: {row['status_reason']}")
    raise HTTPException(404, "There is no such entry.")


MOVED: dict[int | str, dict[str, Any]] = {
    301: {"description": "Merged into another entry"},
    304: {"description": "Not modified"},
}


@router.get("/entries/{identity}", responses=PROBLEMS | MOVED, dependencies=[Open])
async def get_entry(
    request: Request, identity: Identity, if_none_match: Annotated[str | None, Header()] = None
) -> Response:
    """One entry with its facts and their sources; quotes are short."""
    async with system_of(request).people.transaction() as tx:
        target = await entries.target_of(tx, identity)
        if target is not None and (await entries.get(tx, identity) or {}).get("status") != "published":
            return RedirectResponse(f"/api/v1/entries/{target}", 301)
        row = await published(tx, identity)
    etag = etag_of(row)
    if is_named(etag, if_none_match):
        return Response(status_code=304, headers={"ETag": etag})
    return JSONResponse(public_record(row), headers={"ETag": etag})


@router.post("/entries", status_code=201, responses=PROBLEMS, response_model=Written)
async def post_entry(request: Request, body: NewEntry, actor: Signed, idempotency_key: Key = None) -> Response:
    """A contribution of a person; the machine publishes on its own path, never here."""
    once = Once(request, body, actor, idempotency_key)
    async with system_of(request).people.transaction() as tx:
        replayed = await once.replayed(tx)
        if replayed:
            return replayed
        identity = await create_entry(tx, actor, read(request, body), body.note)
        answer = {"identity": identity, "revision": 1}
        await once.keep(tx, answer, 201)
    return JSONResponse(answer, 201, {"Location": f"/api/v1/entries/{identity}", "ETag": '"1"'})


def read(request: Request, body: NewEntry) -> Any:
    system = system_of(request)
    return RecordReader(system.profile, system.gazetteer).read(body.model_dump(exclude={"note"}))


@router.put("/entries/{identity}", responses=PROBLEMS, response_model=Written)
async def put_entry(
    request: Request,
    identity: Identity,
    body: NewEntry,
    actor: Signed,
    if_match: IfMatch = None,
    idempotency_key: Key = None,
) -> Response:
    """Revise an entry; If-Match names the revision you read, so that nobody's words are lost. All of it is replaced
    but its files, which stay unless `files` is given.
    """
    if if_match is None or if_match.strip() == "*":
        raise HTTPException(428, "If-Match must name the revision you read.")

    async def revise(tx: Transaction) -> int:
        await published(tx, identity)
        seen = await check_revision(tx, identity, if_match)
        changes, keeps_files = read(request, body), body.files is None
        return await revise_entry(tx, actor, identity, changes, seen, body.note, keeps_files=keeps_files)

    return await carried_out(request, identity, Once(request, body, actor, idempotency_key), revise)


@router.delete("/entries/{identity}", responses=PROBLEMS, response_model=Written)
async def delete_entry(
    request: Request,
    identity: Identity,
    body: Removal,
    actor: Signed,
    if_match: IfMatch = None,
    idempotency_key: Key = None,
) -> Response:
    """Take an entry down; its tombstone binds the machine. With If-Match only in the revision you read."""

    async def remove(tx: Transaction) -> int:
        await published(tx, identity)
        await check_revision(tx, identity, if_match)
        return await remove_entry(tx, actor, identity, body.reason)

    return await carried_out(request, identity, Once(request, body, actor, idempotency_key), remove)


@router.post("/entries/{identity}/restoration", responses=PROBLEMS, response_model=Written)
async def post_restoration(
    request: Request,
    identity: Identity,
    body: Removal,
    actor: Signed,
    if_match: IfMatch = None,
    idempotency_key: Key = None,
) -> Response:
    """Bring a removed entry back. With If-Match only in the revision you read."""

    async def restore(tx: Transaction) -> int:
        await check_revision(tx, identity, if_match)
        return await restore_entry(tx, actor, identity, body.reason)

    return await carried_out(request, identity, Once(request, body, actor, idempotency_key), restore)


async def check_revision(tx: Transaction, identity: str, if_match: str | None) -> int:
    """The entry is locked: it stays the one that the caller read until it is changed."""
    revision = await entries.lock_revision(tx, identity)
    if revision is None:
        raise HTTPException(404, "There is no such entry.")
    if if_match is not None and if_match.strip() != "*" and str(revision) not in revisions_named(if_match):
        raise HTTPException(412, f"The entry is at revision {revision} now; look at it first.")
    return revision


async def carried_out(
    request: Request, identity: str, once: Once, act: Callable[[Transaction], Awaitable[int]]
) -> Response:
    async with system_of(request).people.transaction() as tx:
        replayed = await once.replayed(tx)
        if replayed:
            return replayed
        answer = {"identity": identity, "revision": await act(tx)}
        await once.keep(tx, answer)
    return JSONResponse(answer, headers={"ETag": f'"{answer["revision"]}"'})

"""The REST interface of the library: keyset pages, ETag and If-Match, idempotency keys, scoped tokens."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, HTTPException, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json
from starlette.responses import JSONResponse

from lumbung.errors import StaleRead
from lumbung.library.actions.contribute import create_entry, remove_entry, restore_entry, revise_entry
from lumbung.library.embedded import EmbeddedLibrary
from lumbung.library.records import RecordReader
from lumbung.model.permission import Actor
from lumbung.ports.library import HumanOwned, LibraryEntry, LibraryFact, LibrarySource, SeenEntry
from lumbung.store import entries, idempotency, people, search
from lumbung.store.database import Transaction
from lumbung.store.search import Asked
from lumbung.text.search import query_terms
from lumbung.web.public import after_of, within
from lumbung.web.rendering import system_of
from lumbung.web.shown import LONGEST_QUOTE, public_record

router = APIRouter(prefix="/api/v1", tags=["library"])
Identity = Annotated[str, Path(pattern="^[0-9A-Za-z:_-]{1,128}$", description="The entry's stable identifier.")]


class Problem(BaseModel):
    """RFC 9457."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str = ""


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


class MachineSource(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    url: Annotated[str, Field(min_length=1, max_length=4000, pattern="^https?://[^\\s]+$")]
    quote: Annotated[str, Field(min_length=1, max_length=LONGEST_QUOTE)]
    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class MachineFact(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    attribute: Annotated[str, Field(min_length=1, max_length=100)]
    value: Annotated[str, Field(min_length=1, max_length=5000)]
    confidence: Annotated[float, Field(ge=0, le=1)]
    flag: Literal["low-confidence"] | None = None
    sources: Annotated[list[MachineSource], Field(min_length=1, max_length=100)]


class MachineBody(BaseModel):
    """An entry of the machine account: every fact has a source, every quote is short."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Annotated[str, Field(min_length=1, max_length=500)]
    text: Annotated[str, Field(max_length=100_000)]
    category: Annotated[str, Field(max_length=100)]
    primary_region: Annotated[str, Field(max_length=100)] = "-"
    regions: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=50)] = []
    aliases: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=100)] = []
    facts: Annotated[list[MachineFact], Field(max_length=500)] = []
    media: Annotated[list[dict[str, Any]], Field(max_length=100)] = []
    supplement_of: Annotated[str | None, Field(max_length=128)] = None

    def entry(self, identity: str) -> LibraryEntry:
        facts = tuple(
            LibraryFact(
                fact.attribute,
                fact.value,
                fact.confidence,
                fact.flag,
                tuple(LibrarySource(source.url, source.quote, source.digest) for source in fact.sources),
            )
            for fact in self.facts
        )
        return LibraryEntry(
            identity,
            self.title,
            tuple(self.aliases),
            self.category,
            tuple(self.regions),
            self.primary_region,
            self.text,
            facts,
            tuple(self.media),
            self.supplement_of,
        )


class MachineView(BaseModel):
    identity: str
    owner: str
    status: str
    revision: int
    digest: str
    title: str


class MachinePage(BaseModel):
    entries: list[MachineView]


class EntryPage(BaseModel):
    entries: list[dict[str, Any]]
    next: str | None


class Written(BaseModel):
    identity: str
    revision: int


PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"model": Problem, "content": {"application/problem+json": {}}}
    for code in (400, 401, 403, 404, 409, 410, 412, 422, 428, 503)
}


async def signed(request: Request, authorization: Annotated[str | None, Header()] = None) -> Actor:
    """The person behind the bearer token."""
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise HTTPException(401, "A bearer token is needed.", {"WWW-Authenticate": "Bearer"})
    async with system_of(request).people.transaction() as tx:
        actor = await people.actor_of_token(tx, token.strip())
    if actor is None:
        raise HTTPException(401, "This token is not known, expired or revoked.", {"WWW-Authenticate": "Bearer"})
    return actor


Signed = Annotated[Actor, Depends(signed)]


@router.get("/entries", responses=PROBLEMS)
async def list_entries(
    request: Request,
    response: Response,
    q: Annotated[str, Query(max_length=200, description="Words that the entry must have.")] = "",
    category: Annotated[str, Query(max_length=100)] = "",
    region: Annotated[str, Query(max_length=100)] = "",
    after: Annotated[str, Query(max_length=1000, description="The key of the previous page's end.")] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> EntryPage:
    """Published entries in a stable order; follow `Link: rel="next"`."""
    system = system_of(request)
    asked = Asked(
        query_terms(q), category or None, within(system, region) if region else None, after_of(after), limit + 1
    )
    if "\x00" in f"{q}{category}{region}{after}":
        raise HTTPException(422, "NUL is no character of a text.")
    async with system.people.transaction() as tx:
        rows = await search.find(tx, asked)
    key = None
    if len(rows) > limit:
        last = rows[limit - 1]
        key = f"{last['tier']}~{last['identity']}~{last['title']}"
        response.headers["Link"] = f'<{request.url.include_query_params(after=key)}>; rel="next"'
    shown = ("identity", "title", "owner", "category", "regions")
    return EntryPage(entries=[{name: row[name] for name in shown} for row in rows[:limit]], next=key)


def etag_of(row: dict[str, Any]) -> str:
    """The revision, and what people decided about the entry's display since, which makes no revision."""
    display = [row["labels"], row["hidden"], row["files"]]
    mark = "" if display == [[], False, []] else "." + sha256(to_json(display)).hexdigest()[:12]
    return f'"{row["revision"]}{mark}"'


def revision_named(if_match: str | None) -> str:
    """The revision in an ETag of ours."""
    return (if_match or "").strip().strip('"').partition(".")[0]


async def published(tx: Transaction, identity: str) -> dict[str, Any]:
    for row in [held async for held in entries.export(tx, identities=[identity])]:
        if row["status"] == "published":
            return row
        if row["status"] == "tombstone":
            raise HTTPException(410, f"Taken down: {row['status_reason']}")
    raise HTTPException(404, "There is no such entry.")


@router.get("/entries/{identity}", responses=PROBLEMS | {304: {"description": "Not modified"}})
async def get_entry(
    request: Request, identity: Identity, if_none_match: Annotated[str | None, Header()] = None
) -> Response:
    """One entry with its facts and their sources; quotes are short."""
    async with system_of(request).people.transaction() as tx:
        row = await published(tx, identity)
    etag = etag_of(row)
    if if_none_match == etag:
        return Response(status_code=304, headers={"ETag": etag})
    return JSONResponse(public_record(row), headers={"ETag": etag})


def digest_of(method: str, path: str, body: BaseModel) -> str:
    return sha256(f"{method}\x1f{path}\x1f{body.model_dump_json()}".encode()).hexdigest()


async def once(tx: Transaction, actor: Actor, key: str | None, digest: str) -> JSONResponse | None:
    """The stored answer to the same request under the same key; another request under it is refused."""
    if key is None or actor.person is None:
        return None
    kept = await idempotency.find(tx, actor.person, key)
    if kept is None:
        return None
    if kept["digest"] != digest:
        raise HTTPException(422, "This Idempotency-Key was used for another request.")
    return JSONResponse(kept["answer"], kept["status"], {"Idempotent-Replayed": "true"})


async def keep(
    tx: Transaction, actor: Actor, key: str | None, digest: str, status: int, answer: dict[str, Any]
) -> None:
    if key is not None and actor.person is not None:
        await idempotency.keep(tx, actor.person, key, digest, status, answer)


Key = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200)]


@router.post("/entries", status_code=201, responses=PROBLEMS, response_model=Written)
async def post_entry(request: Request, body: NewEntry, actor: Signed, idempotency_key: Key = None) -> Response:
    """A contribution of a person; the machine publishes on its own path, never here."""
    digest = digest_of("POST", request.url.path, body)
    async with system_of(request).people.transaction() as tx:
        replayed = await once(tx, actor, idempotency_key, digest)
        if replayed:
            return replayed
        identity = await create_entry(tx, actor, read(request, body), body.note)
        answer = {"identity": identity, "revision": 1}
        await keep(tx, actor, idempotency_key, digest, 201, answer)
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
    if_match: Annotated[str | None, Header()] = None,
) -> Response:
    """Revise an entry; If-Match names the revision you read, so that nobody's words are lost. All of it is replaced
    but its files, which stay unless `files` is given.
    """
    number = revision_named(if_match)
    if not number.isdigit() or len(number) > 9:
        raise HTTPException(428, "If-Match must name the revision you read.")
    async with system_of(request).people.transaction() as tx:
        await published(tx, identity)
        try:
            changes = read(request, body)
            revision = await revise_entry(
                tx, actor, identity, changes, int(number), body.note, keeps_files=body.files is None
            )
        except StaleRead as error:
            raise HTTPException(412, str(error)) from error
    return JSONResponse({"identity": identity, "revision": revision}, headers={"ETag": f'"{revision}"'})


@router.delete("/entries/{identity}", responses=PROBLEMS, response_model=Written)
async def delete_entry(request: Request, identity: Identity, body: Removal, actor: Signed) -> Response:
    """Take an entry down; its tombstone binds the machine."""
    async with system_of(request).people.transaction() as tx:
        await published(tx, identity)
        revision = await remove_entry(tx, actor, identity, body.reason)
    return JSONResponse({"identity": identity, "revision": revision})


@router.post("/entries/{identity}/restoration", responses=PROBLEMS, response_model=Written)
async def post_restoration(request: Request, identity: Identity, body: Removal, actor: Signed) -> Response:
    """Bring a removed entry back."""
    async with system_of(request).people.transaction() as tx:
        if await entries.get(tx, identity) is None:
            raise HTTPException(404, "There is no such entry.")
        revision = await restore_entry(tx, actor, identity, body.reason)
    return JSONResponse({"identity": identity, "revision": revision})


async def machine_signed(request: Request, actor: Signed) -> EmbeddedLibrary:
    """The publish path: only a machine account's token opens it, and it writes with the machine's own login."""
    system = system_of(request)
    async with system.people.transaction() as tx:
        person = None if actor.person is None else await people.get(tx, actor.person)
    if person is None or not person["machine"] or (actor.verbs is not None and "publish" not in actor.verbs):
        raise HTTPException(403, "Only a machine account publishes here; people contribute at /api/v1/entries.")
    return EmbeddedLibrary(system.machine, system.profile, f"account {person['id']}")


MachineLibrary = Annotated[EmbeddedLibrary, Depends(machine_signed)]


async def machine_view(request: Request, identity: str) -> MachineView | None:
    async with system_of(request).machine.transaction() as tx:
        row = await entries.get(tx, identity)
    return None if row is None else MachineView.model_validate({name: row[name] for name in MachineView.model_fields})


@router.get("/machine/entries", responses=PROBLEMS, dependencies=[Depends(machine_signed)])
async def find_machine_entry(
    request: Request, identity: Annotated[str, Query(pattern="^[0-9A-Za-z:_-]{1,128}$")]
) -> MachinePage:
    """The entry of this identity, if there is one, whoever owns it."""
    found = await machine_view(request, identity)
    return MachinePage(entries=[] if found is None else [found])


@router.get("/machine/entries/{identity}", responses=PROBLEMS, dependencies=[Depends(machine_signed)])
async def get_machine_entry(request: Request, identity: Identity) -> MachineView:
    """Whose the entry is, its revision and the digest of what the machine wrote."""
    found = await machine_view(request, identity)
    if found is None:
        raise HTTPException(404, "There is no such entry.")
    return found


def seen_revision(identity: str, if_match: str | None) -> SeenEntry | None:
    number = revision_named(if_match)
    return SeenEntry(identity, "machine", False, number, "", "") if number else None


@router.put("/machine/entries/{identity}", responses=PROBLEMS, response_model=Written)
async def put_machine_entry(
    library: MachineLibrary,
    identity: Identity,
    body: MachineBody,
    if_match: Annotated[str | None, Header(max_length=20)] = None,
) -> Response:
    """Add a machine entry, or with If-Match change one; 409 when people own it, 412 when it changed meanwhile."""
    if "\\u0000" in body.model_dump_json():
        raise HTTPException(422, "NUL is no character of a text.")
    try:
        written = await library.write(body.entry(identity), seen_revision(identity, if_match))
    except HumanOwned as error:
        raise HTTPException(409, str(error)) from error
    except StaleRead as error:
        raise HTTPException(412, str(error)) from error
    return JSONResponse(
        {"identity": identity, "revision": int(written.revision)}, headers={"ETag": f'"{written.revision}"'}
    )


@router.delete("/machine/entries/{identity}", responses=PROBLEMS, response_model=Written)
async def withdraw_machine_entry(
    request: Request,
    library: MachineLibrary,
    identity: Identity,
    body: Removal,
    if_match: Annotated[str | None, Header(max_length=20)] = None,
) -> Response:
    """Withdraw a machine entry; it binds nobody."""
    seen = seen_revision(identity, if_match)
    if seen is None:
        raise HTTPException(428, "If-Match must name the revision you read.")
    try:
        await library.withdraw(identity, seen, body.reason)
    except HumanOwned as error:
        raise HTTPException(409, str(error)) from error
    except StaleRead as error:
        raise HTTPException(412, str(error)) from error
    found = await machine_view(request, identity)
    if found is None:
        raise HTTPException(404, "There is no such entry.")
    return JSONResponse({"identity": identity, "revision": found.revision})

"""The machine's own path into the library: only a machine account's token opens it, and people's entries stay theirs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse

from lumbung.errors import StaleRead
from lumbung.library.disclosure import LONGEST_QUOTE
from lumbung.library.embedded import EmbeddedLibrary
from lumbung.model.permission import PUBLISH
from lumbung.ports.library import HumanOwned, LibraryEntry, LibraryFact, LibrarySource, SeenEntry
from lumbung.store import batches, entries, people
from lumbung.web.api import Removal, Written
from lumbung.web.api_access import PROBLEMS, Identity, Signed
from lumbung.web.api_once import IfMatch, Key, Once, replay, revisions_named
from lumbung.web.rendering import system_of

router = APIRouter(prefix="/api/v1", tags=["machine"])


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


class MachineMedia(BaseModel):
    """A picture by reference; what the library itself says of its own copies nobody can send."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: Annotated[str, Field(min_length=1, max_length=4000, pattern="^https?://[^\\s]+$")]
    caption: Annotated[str, Field(max_length=2000)] = ""
    creator: Annotated[str, Field(max_length=500)] = ""
    licence_hint: Annotated[str, Field(max_length=2000)] = ""


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
    media: Annotated[list[MachineMedia], Field(max_length=100)] = []
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
            tuple(each.model_dump() for each in self.media),
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


async def machine_signed(request: Request, actor: Signed) -> EmbeddedLibrary:
    """The publish path: only a machine account's token opens it, and it writes with the machine's own login."""
    system = system_of(request)
    async with system.people.transaction() as tx:
        person = None if actor.person is None else await people.get(tx, actor.person)
        run = await batches.run_of_today(tx, f"account {actor.person}")
    if person is None or not person["machine"] or (actor.verbs is not None and PUBLISH not in actor.verbs):
        raise HTTPException(403, "Only a machine account publishes here; people contribute at /api/v1/entries.")
    return EmbeddedLibrary(system.machine, system.profile, run)


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


async def seen_revision(request: Request, identity: str, if_match: str | None) -> SeenEntry | None:
    """What the caller says it saw; where that is no longer so, the write is refused as stale."""
    if if_match is None:
        return None
    found = await machine_view(request, identity)
    named = revisions_named(if_match)
    still = found is not None and (if_match.strip() == "*" or str(found.revision) in named)
    return SeenEntry(identity, "machine", False, str(found.revision) if found and still else "", "", "")


@router.put("/machine/entries/{identity}", responses=PROBLEMS, response_model=Written)
async def put_machine_entry(
    request: Request,
    library: MachineLibrary,
    actor: Signed,
    identity: Identity,
    body: MachineBody,
    if_match: IfMatch = None,
    idempotency_key: Key = None,
) -> Response:
    """Add a machine entry, or with If-Match change one; 409 when people own it, 412 when it changed meanwhile."""

    async def write() -> int:
        seen = await seen_revision(request, identity, if_match)
        return int((await library.write(body.entry(identity), seen)).revision)

    return await carried_out(request, identity, Once(request, body, actor, idempotency_key), write)


@router.delete("/machine/entries/{identity}", responses=PROBLEMS, response_model=Written)
async def withdraw_machine_entry(
    request: Request,
    library: MachineLibrary,
    actor: Signed,
    identity: Identity,
    body: Removal,
    if_match: IfMatch = None,
    idempotency_key: Key = None,
) -> Response:
    """Withdraw a machine entry; it binds nobody."""
    seen = await seen_revision(request, identity, if_match)
    if seen is None:
        raise HTTPException(428, "If-Match must name the revision you read.")

    async def withdraw() -> int:
        await library.withdraw(identity, seen, body.reason)
        found = await machine_view(request, identity)
        if found is None:
            raise HTTPException(404, "There is no such entry.")
        return found.revision

    return await carried_out(request, identity, Once(request, body, actor, idempotency_key), withdraw)


async def carried_out(request: Request, identity: str, once: Once, act: Callable[[], Awaitable[int]]) -> Response:
    """The key is people's side of the house, the write the machine's: what was written and not noted is written again to
    no effect. An answer that is no longer true of the entry is not told again.
    """
    async with system_of(request).people.transaction() as tx:
        kept = await once.kept(tx)
        if kept is not None:
            found = await machine_view(request, identity)
            if found is not None and found.revision == kept["answer"]["revision"]:
                return replay(kept)
        try:
            revision = await act()
        except HumanOwned as error:
            raise HTTPException(409, str(error)) from error
        except StaleRead as error:
            raise HTTPException(412, str(error)) from error
        answer = {"identity": identity, "revision": revision}
        await once.keep(tx, answer)
    return JSONResponse(answer, headers={"ETag": f'"{revision}"'})

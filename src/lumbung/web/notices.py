"""What needs a person, for programs: JSON and Atom, with a token of somebody who governs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Header, HTTPException, Query, Request
from lxml import etree
from pydantic import BaseModel
from starlette.responses import Response

from lumbung.library.plain_text import xml_text
from lumbung.model.permission import Actor, allow
from lumbung.model.profile import Profile
from lumbung.store import audits
from lumbung.store.database import Row
from lumbung.web.api_access import PROBLEMS, signed
from lumbung.web.feeds import ATOM
from lumbung.web.language import Words, chosen_language
from lumbung.web.rendering import base_url, system_of
from lumbung.web.shown import notice_told

router = APIRouter(prefix="/api/v1", tags=["notices"])
Key = Annotated[str | None, Query(max_length=200, description="The token, for feed readers that send no headers.")]


class Notice(BaseModel):
    id: int
    kind: str
    subject: str
    text: str
    at: str


async def governing(request: Request, authorization: str | None, key: str | None) -> Actor:
    actor = await signed(request, authorization or (f"Bearer {key}" if key else None))
    allow(actor, "close-notice")
    return actor


async def open_notices(request: Request) -> list[Row]:
    async with system_of(request).people.transaction() as tx:
        return await audits.notices(tx)


@router.get("/notices", responses=PROBLEMS)
async def list_notices(request: Request, authorization: Annotated[str | None, Header()] = None) -> list[Notice]:
    """Open notices, the newest first; the token must be good for `close-notice`."""
    await governing(request, authorization, None)
    profile, language = system_of(request).profile, chosen_language(request)
    return [Notice.model_validate(as_told(row, profile, language)) for row in await open_notices(request)]


def as_told(row: Row, profile: Profile, language: str) -> dict[str, Any]:
    told = {"id": row["id"], "kind": row["kind"], "subject": row["subject"]}
    return told | {"text": notice_told(row, profile, Words(language)), "at": row["at"].isoformat()}


@router.get(
    "/notices.atom",
    response_class=Response,
    responses=PROBLEMS | {200: {"description": "An Atom feed", "content": {"application/atom+xml": {}}}},
)
async def notices_feed(
    request: Request, authorization: Annotated[str | None, Header()] = None, key: Key = None
) -> Response:
    """The same as an Atom feed."""
    if key is not None and not key.strip():
        raise HTTPException(401, "A token is needed.")
    await governing(request, authorization, key)
    rows, base, language = await open_notices(request), base_url(request), chosen_language(request)
    feed = etree.Element(f"{{{ATOM}}}feed", nsmap={None: ATOM})
    newest = max((row["at"] for row in rows), default=datetime(2000, 1, 1, tzinfo=UTC))
    for name, text in (
        ("id", f"{base}/api/v1/notices.atom"),
        ("title", system_of(request).profile.library_title),
        ("updated", newest.isoformat()),
    ):
        etree.SubElement(feed, f"{{{ATOM}}}{name}").text = text
    author = etree.SubElement(feed, f"{{{ATOM}}}author")
    etree.SubElement(author, f"{{{ATOM}}}name").text = "Lumbung"
    for row in rows:
        entry = etree.SubElement(feed, f"{{{ATOM}}}entry")
        etree.SubElement(entry, f"{{{ATOM}}}id").text = f"{base}/ruang-kerja#notice-{row['id']}"
        etree.SubElement(entry, f"{{{ATOM}}}title").text = xml_text(
            notice_told(row, system_of(request).profile, Words(language))
        )
        etree.SubElement(entry, f"{{{ATOM}}}updated").text = row["at"].isoformat()
        etree.SubElement(entry, f"{{{ATOM}}}link", href=f"{base}/ruang-kerja")
    content = etree.tostring(feed, xml_declaration=True, encoding="UTF-8")
    return Response(content, media_type="application/atom+xml", headers={"Cache-Control": "no-store"})

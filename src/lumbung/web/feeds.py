"""Interfaces for programs that need no account: OAI-PMH, JSON-LD, Atom, sitemap."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from fastapi import APIRouter, HTTPException, Request
from lxml import etree
from starlette.responses import JSONResponse, PlainTextResponse, Response

from lumbung.library.disclosure import public_record
from lumbung.library.linked_data import json_ld
from lumbung.library.oai import Repository, answer
from lumbung.library.plain_text import xml_text
from lumbung.store import pictures, search, signing
from lumbung.web.public import load_entry
from lumbung.web.rendering import base_url, system_of

router = APIRouter()
ATOM = "http://www.w3.org/2005/Atom"
MOST_IN_SITEMAP = 50_000
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


@router.api_route("/oai", methods=["GET", "POST"])
async def oai(request: Request) -> Response:
    arguments = list(request.query_params.multi_items())
    if request.method == "POST":
        form = await request.form()
        arguments = [(name, str(value)) for name, value in form.multi_items()]
    system = system_of(request)
    contact = system.settings.crawl.contact or "nobody@example.invalid"
    async with system.people.transaction() as tx:
        repository = Repository(system.profile, f"{base_url(request)}/oai", contact, await signing.keys(tx))
        content = await answer(tx, repository, arguments)
    return Response(content, media_type="text/xml; charset=utf-8")


@router.get("/entri/{identity}.jsonld")
async def entry_json_ld(request: Request, identity: str) -> Response:
    row = await load_entry(request, identity, ".jsonld")
    if isinstance(row, Response):
        return row
    described = json_ld(public_record(row), system_of(request).profile, base_url(request))
    return JSONResponse(described, media_type="application/ld+json")


@router.get("/media/{digest}")
async def picture(request: Request, digest: str) -> Response:
    """Our clean copy of a picture, as long as a published entry shows it openly."""
    system = system_of(request)
    async with system.people.transaction() as tx:
        row = await pictures.public_copy(tx, digest) if re.fullmatch("[0-9a-f]{64}", digest) else None
    content = await system.pictures.read(digest) if row else None
    if row is None or content is None:
        raise HTTPException(404, "There is no such picture.")
    headers = {"ETag": f'"{digest}"', "Cache-Control": "public, max-age=3600", "Content-Security-Policy": "sandbox"}
    return Response(content, media_type=row["content_type"], headers=headers)


@router.get("/feed.atom")
async def atom(request: Request) -> Response:
    system, base = system_of(request), base_url(request)
    async with system.people.transaction() as tx:
        rows = await search.latest(tx, 50)
    feed = etree.Element(f"{{{ATOM}}}feed", nsmap={None: ATOM})
    etree.SubElement(feed, f"{{{ATOM}}}id").text = f"{base}/feed.atom"
    etree.SubElement(feed, f"{{{ATOM}}}title").text = system.profile.library_title
    newest = max((row["updated_at"] for row in rows), default=datetime(2000, 1, 1, tzinfo=UTC))
    etree.SubElement(feed, f"{{{ATOM}}}updated").text = newest.isoformat()
    etree.SubElement(feed, f"{{{ATOM}}}link", rel="self", href=f"{base}/feed.atom")
    author = etree.SubElement(feed, f"{{{ATOM}}}author")
    etree.SubElement(author, f"{{{ATOM}}}name").text = system.profile.library_title
    for row in rows:
        entry = etree.SubElement(feed, f"{{{ATOM}}}entry")
        etree.SubElement(entry, f"{{{ATOM}}}id").text = f"{base}/entri/{row['identity']}"
        etree.SubElement(entry, f"{{{ATOM}}}title").text = xml_text(row["title"])
        etree.SubElement(entry, f"{{{ATOM}}}updated").text = row["updated_at"].isoformat()
        etree.SubElement(entry, f"{{{ATOM}}}link", href=f"{base}/entri/{row['identity']}")
    return Response(etree.tostring(feed, xml_declaration=True, encoding="UTF-8"), media_type="application/atom+xml")


@router.get("/robots.txt")
async def robots(request: Request) -> Response:
    """The library is open to all; the console, sign-in and forms are nothing to index."""
    closed = "".join(f"Disallow: {path}\n" for path in ("/ruang-kerja", "/tulis", "/entri/*/ubah", "/entri/*/turunkan"))
    return PlainTextResponse(f"User-agent: *\n{closed}\nSitemap: {base_url(request)}/sitemap.xml\n")


@router.get("/sitemap.xml")
async def sitemap(request: Request) -> Response:
    """All entries; where they are more than one file may hold, an index of the files."""
    base = base_url(request)
    async with system_of(request).people.transaction() as tx:
        starts = await search.sitemap_starts(tx, MOST_IN_SITEMAP)
    if len(starts) < 2:
        return await sitemap_from(request, "")
    index = etree.Element(f"{{{SITEMAP}}}sitemapindex", nsmap={None: SITEMAP})
    for start in starts:
        part = etree.SubElement(index, f"{{{SITEMAP}}}sitemap")
        etree.SubElement(part, f"{{{SITEMAP}}}loc").text = f"{base}/sitemap/{start}.xml"
    return Response(etree.tostring(index, xml_declaration=True, encoding="UTF-8"), media_type="application/xml")


@router.get("/sitemap/{start}.xml")
async def sitemap_from(request: Request, start: str) -> Response:
    base = base_url(request)
    async with system_of(request).people.transaction() as tx:
        rows = await search.sitemap(tx, start, MOST_IN_SITEMAP)
    urls = etree.Element(f"{{{SITEMAP}}}urlset", nsmap={None: SITEMAP})
    for row in rows:
        url = etree.SubElement(urls, f"{{{SITEMAP}}}url")
        etree.SubElement(url, f"{{{SITEMAP}}}loc").text = f"{base}/entri/{row['identity']}"
        etree.SubElement(url, f"{{{SITEMAP}}}lastmod").text = row["updated_at"].date().isoformat()
    return Response(etree.tostring(urls, xml_declaration=True, encoding="UTF-8"), media_type="application/xml")

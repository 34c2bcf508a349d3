"""What a host of the demo world answers to a path: pages, robots.txt, sitemaps, pictures, opt-outs. No sockets here."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from lumbung.demo import oai, oddities
from lumbung.demo.layouts import page_html
from lumbung.demo.pdf import write_pdf
from lumbung.demo.pictures import draw
from lumbung.demo.prose import blocks, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lumbung.demo.pages import Page, Site

XML = "application/xml; charset=utf-8"
TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Answer:
    body: bytes = b""
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0
    oddity: str = ""


def answer_for(site: Site, path: str, query: Mapping[str, str] | None = None) -> Answer:
    page = site.pages.get(path)
    if path == "/robots.txt":
        return Answer(robots_text(site).encode(), TEXT, site.robots_status)
    if page is not None:
        return _page_answer(site, page)
    if path == "/sitemap.xml" and site.sitemap:
        return Answer(_sitemap(site).encode(), XML)
    if path == "/oai" and site.oai:
        return Answer(oai.answer(site, query or {}).encode(), "text/xml; charset=utf-8")
    if path == "/.well-known/tdmrep.json" and site.tdm_reservation:
        rules = [{"location": "/", "tdm-reservation": 1, "tdm-policy": f"http://{site.host}/kebijakan-tdm"}]
        return Answer(json.dumps(rules).encode(), "application/json")
    if path.startswith("/agenda") and site.calendar:
        return Answer(oddities.calendar_html(site, path).encode(), headers=dict(site.headers))
    return _picture_answer(site, path) or _missing(site)


def robots_text(site: Site) -> str:
    if site.robots is not None:
        return site.robots
    lines = ["User-agent: *"]
    if site.crawl_delay is not None:
        lines.append(f"Crawl-delay: {site.crawl_delay:g}")
    lines.append("Disallow: /admin/")
    if site.sitemap:
        lines.append(f"Sitemap: http://{site.host}/sitemap.xml")
    return "\n".join(lines) + "\n"


def _missing(site: Site) -> Answer:
    text = f"<!DOCTYPE html>\n<html lang='id'><head><title>404</title></head><body><p>{escape(site.title)}: halaman tidak ada.</p></body></html>\n"
    return Answer(text.encode(), status=404)


def _page_answer(site: Site, page: Page) -> Answer:
    headers = {**site.headers, **page.headers}
    delay = page.delay_seconds or site.delay_seconds
    if page.oddity:
        return Answer(headers=headers, oddity=page.oddity, delay_seconds=delay)
    if page.redirect:
        status = page.status if page.status != 200 else 301
        return Answer(status=status, headers={**headers, "Location": page.redirect}, delay_seconds=delay)
    if page.kind == "pdf":
        return Answer(_pdf(page), "application/pdf", page.status, headers, delay)
    if page.kind == "text":
        return Answer(plain(page.body).encode(), TEXT, page.status, headers, delay)
    body = page_html(site, page).encode(site.charset, errors="xmlcharrefreplace")
    return Answer(body, f"text/html; charset={site.charset}", page.status, headers, delay)


def _pdf(page: Page) -> bytes:
    facts = [f"{label}: {value}" for label, value in page.facts]
    paragraphs = [plain(block) for block in blocks(page.body)]
    return write_pdf(page.title, [*paragraphs, *facts], page.author)


def _sitemap(site: Site) -> str:
    urls = "".join(
        f"<url><loc>{escape(page.url)}</loc></url>"
        for page in site.pages.values()
        if page.listed and not page.redirect and not page.oddity
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>\n'
    )


def _picture_answer(site: Site, path: str) -> Answer | None:
    for page in site.pages.values():
        for picture in page.pictures:
            if picture.path == path:
                body, content_type = draw(picture)
                return Answer(body, content_type)
    return None

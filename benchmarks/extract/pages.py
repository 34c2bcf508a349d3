"""The fixed lists of pages: half of them item pages, each inside the scripts, styles and menus of an ordinary site."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from evaluation.extraction.shown import appended, with_sections

from lumbung.demo.answers import answer_for
from lumbung.demo.pages import load_world

PAGES_OF_EACH = 40
FURNITURE = (
    "<style>" + ".menu-item-{n} a:hover{{color:#c00;padding:4px 8px}}" * 150 + "</style>",
    "<nav><ul>" + '<li class="menu-item"><a href="/kategori/{n}">Kategori {n}</a></li>' * 60 + "</ul></nav>",
    "<script>" + "window.dataLayer=window.dataLayer||[];gtag('config',{n});" * 250 + "</script>",
)
SEVERAL = (2, 4, 8)
SECTIONS_A_PAGE = (4, 8, 12, 18, 26)
CONTENT = re.compile(r"<(main|article|body)\b[^>]*>(?P<inner>.*)</\1>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FetchedPage:
    is_item: bool
    url: str
    body: bytes


def short_pages() -> Iterator[FetchedPage]:
    """Item pages of the demo world and as many others: indexes, news, shops, encyclopaedias."""
    for is_item, url, body in _world():
        yield FetchedPage(is_item, url, dressed(body))


def long_pages(items: Sequence[int] = (1,)) -> Iterator[FetchedPage]:
    """The same, longer: item pages that tell of so many items in turn, and sections about other things on every page."""
    pages = list(_world())
    articles = [_content(body.decode()) for is_item, _, body in pages if is_item]
    for number, (is_item, url, body) in enumerate(pages):
        more = items[number % len(items)] - 1 if is_item else 0
        text = appended(body.decode(), "".join(islice(cycle(articles), number + 1, number + 1 + more)))
        text = with_sections(text, number, SECTIONS_A_PAGE[number % len(SECTIONS_A_PAGE)])
        yield FetchedPage(is_item, url, dressed(text.encode()))


def _content(page: str) -> str:
    found = CONTENT.search(page)
    return found["inner"] if found else ""


def _world() -> Iterator[tuple[bool, str, bytes]]:
    taken = {True: 0, False: 0}
    for site in load_world().values():
        for path, page in site.pages.items():
            is_item = page.kind == "item"
            served = answer_for(site, path)
            if page.oddity or page.redirect or page.status != 200 or "html" not in served.content_type:
                continue
            if taken[is_item] < PAGES_OF_EACH:
                taken[is_item] += 1
                yield is_item, page.url, served.body


def dressed(body: bytes) -> bytes:
    furniture = "".join(piece.replace("{{", "{").replace("}}", "}") for piece in FURNITURE)
    return body.replace(b"<body", furniture.encode() + b"<body", 1)

"""The cheap look at a page that a crawl pays for: links, declarations and enough text to judge it by.

Main text, hidden text and structure are stage 2's. Links that the caller knows already cost a look-up and no object.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from turbohtml import Document, Element, parse

from lumbung.errors import RefusedError
from lumbung.model.candidate import Link, PageKind, PageText
from lumbung.text.charset import decode
from lumbung.text.markup.middle import leave_out_middle
from lumbung.text.markup.prescan import refuse_hostile
from lumbung.text.optout import directives_of_meta
from lumbung.text.url import normalize

SAMPLE_CHARACTERS = 600
SURROUNDING_CHARACTERS = 600
LONGER_CHARACTERS = 4_000
MOST_LINKS = 5_000
_CONTEXT_CHARACTERS = 160
_ANCHOR_CHARACTERS = 300
_FEWEST_CHARACTERS = 40
_FEWEST_LINKED = 300
_READ_CHARACTERS = LONGER_CHARACTERS + 1_000
_END_CHARACTERS = 1_000
_PROBE_CHARACTERS = 60
"""So many characters of prose stand in one place of a page."""
_NOT_FOLLOWED = ("#", "javascript:", "mailto:", "tel:", "data:", "whatsapp:")
_BLOCKS = "p, li, td, th, dd, figcaption, blockquote, div"
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})
_WIKI_MARKUP = "#mw-content-text, .mw-parser-output, body.mediawiki, #mw-navigation, #wikiwand-wrapper"
_WIKI_WORDS = re.compile(r"wiki|en[cs][iy][ck]{1,2}lop|britannica")
_WIKI_SIGNS = ("wiki", "clop", "klop", "britannica")
"""One of them is in whatever the pattern finds; to look for them costs a tenth of the search."""


@dataclass(slots=True)
class Outline:
    title: str
    text: str
    """The beginning of the visible text, from the main heading on where there is one."""
    surroundings: str
    """The beginning of all that is visible, where menus, buttons and prices stand."""
    characters: int
    """Of the whole visible text."""
    kind: PageKind
    doubtful: bool
    """Perhaps an encyclopaedia: only a full reading can tell."""
    declared_language: str
    canonical_url: str | None
    directives: frozenset[str]
    links: tuple[Link, ...]
    """Distinct identities of pages not known yet, in page order."""
    known: tuple[tuple[str, str], ...]
    """Identities that are known, and the words of the link to each."""
    refused_links: dict[str, int]
    feeds: tuple[str, ...]


EMPTY = Outline("", "", "", 0, PageKind.NOISE, False, "", None, frozenset(), (), (), {}, ())


@dataclass(frozen=True, slots=True)
class _Anchors:
    links: tuple[Link, ...]
    known: tuple[tuple[str, str], ...]
    refused: dict[str, int]
    words: int
    """Characters of text inside links."""


def outline_of_html(
    body: bytes | str,
    url: str,
    content_type: str,
    agent: str,
    is_known: Callable[[str], bool] = lambda _: False,
) -> Outline:
    """InputRefused for markup that no parser should be given."""
    markup = body if isinstance(body, str) else _decoded(body, content_type)
    refuse_hostile(markup)
    document = parse(markup)
    anchors = _anchors(document, _base(document, url), is_known)
    prose = _prose(document) if anchors.words > _FEWEST_LINKED else 0
    outline = Outline(
        title=_title(document),
        text="",
        surroundings="",
        characters=0,
        kind=PageKind.ITEM,
        doubtful=document.select_one(_WIKI_MARKUP) is not None,
        declared_language=_declared_language(document),
        canonical_url=_canonical(document, url),
        directives=_directives(document, agent),
        links=anchors.links,
        known=anchors.known,
        refused_links=anchors.refused,
        feeds=_feeds(document, url),
    )
    site = _site(document)
    # From here on the document is without its middle: what is looked for in it has been found.
    text, whole, outline.characters = _read(document)
    outline.text = f"{outline.title}\n{text[:LONGER_CHARACTERS]}"
    outline.surroundings = whole[:SURROUNDING_CHARACTERS]
    outline.kind = _kind(outline.characters, anchors.words, prose)
    outline.doubtful = outline.doubtful or _speaks_of_encyclopaedia(outline.title, site, whole)
    return outline


def outline_of_page(page: PageText, url: str, is_known: Callable[[str], bool] = lambda _: False) -> Outline:
    """The same from a page that was read in full: PDF, plain text, or what a parser child read.

    All links of an encyclopaedia are kept: whether it has references must not depend on which are known already.
    """
    weighs_all = page.kind is PageKind.ENCYCLOPAEDIA
    origin = url[: url.find("/", 8)] + "/"
    links: dict[str, Link] = {}
    refused: dict[str, int] = {}
    known: dict[str, str] = {}
    for link in page.links:
        identity = _identity(link.url, url, origin, refused)
        if identity is None or identity in links:
            continue
        if is_known(identity):
            known[identity] = known.get(identity) or link.anchor
            if not weighs_all:
                continue
        links[identity] = Link(identity, link.anchor, link.context, link.section)
    return Outline(
        title=page.title,
        text=f"{page.title}\n{page.text[:LONGER_CHARACTERS]}",
        surroundings="",
        characters=len(page.text),
        kind=page.kind,
        doubtful=False,
        declared_language=page.language,
        canonical_url=page.canonical_url,
        directives=page.directives,
        links=tuple(links.values()),
        known=tuple(known.items()),
        refused_links=refused,
        feeds=(),
    )


def _decoded(body: bytes, content_type: str) -> str:
    """Most pages are plainly UTF-8; only the others need the whole art of guessing."""
    if b"\x1b" not in body and b"\x00" not in body:
        try:
            return body.decode("utf-8-sig")
        except UnicodeDecodeError:
            pass
    return decode(body, content_type).text


def _read(document: Document) -> tuple[str, str, int]:
    """The main text and the whole, without the middle of a long page, and the length of the whole with it."""
    main = document.select_one("main, article, [role=main]")
    left_out = leave_out_middle(main, 3 * LONGER_CHARACTERS, _READ_CHARACTERS, _END_CHARACTERS) if main else 0
    whole = document.to_text()
    return _main_text(document, main, whole, left_out), whole, len(whole) + left_out


def _main_text(document: Document, main: Element | None, whole: str, left_out: int) -> str:
    if main is not None:
        text = _beginning(main, whole, left_out)
        if text is not None:
            return text
    heading = document.select_one("h1")
    start = whole.find(heading.text.strip()) if heading is not None and heading.text.strip() else -1
    return whole[start:] if start > 0 else whole


def _beginning(main: Element, whole: str, left_out: int) -> str | None:
    """Of the main part, if that is a good part of the page; a long one is found in the whole and not laid out again."""
    size, of_all = len(main.text) + left_out, len(whole) + left_out
    if size > 2 * LONGER_CHARACTERS and size * 3 > of_all:
        first = next((piece for piece in main.stripped_strings if len(piece) >= _PROBE_CHARACTERS), "")
        start = whole.find(first[:_PROBE_CHARACTERS]) if first else -1
        if start >= 0:
            return whole[start : start + LONGER_CHARACTERS]
    text = main.to_text()
    return text if (len(text) + left_out) * 3 > of_all else None


def _title(document: Document) -> str:
    element = document.select_one("title")
    return " ".join(element.text.split())[:_ANCHOR_CHARACTERS] if element is not None else ""


def _base(document: Document, url: str) -> str:
    element = document.select_one("base[href]")
    try:
        return normalize(element.attr("href") or "", url) if element is not None else url
    except RefusedError:
        return url


def _anchors(document: Document, base: str, is_known: Callable[[str], bool]) -> _Anchors:
    section = ""
    links: dict[str, Link] = {}
    seen: dict[str, str | None] = {}
    refused: dict[str, int] = {}
    known: dict[str, str] = {}
    words = 0
    origin = base[: base.find("/", 8)] + "/"
    for element in document.select("h1, h2, h3, h4, h5, h6, a[href], area[href]"):
        if element.tag[0] == "h":
            section = " ".join(element.text.split())[:_ANCHOR_CHARACTERS]
            continue
        anchor = element.text
        words += len(anchor)
        href = (element.attr("href") or "").strip()
        if href in seen or href.startswith(_NOT_FOLLOWED):
            continue
        identity = seen[href] = _identity(href, base, origin, refused)
        if identity is None or identity in links:
            continue
        if is_known(identity):
            known[identity] = known.get(identity) or anchor[:_ANCHOR_CHARACTERS]
        elif len(links) < MOST_LINKS:
            links[identity] = _link(identity, element, anchor, section)
    return _Anchors(tuple(links.values()), tuple(known.items()), refused, words)


@lru_cache(maxsize=8_192)
def _remembered(href: str, origin: str | None) -> str:
    """The links of a site's frame stand on all of its pages: a reference that needs only the origin is read once."""
    return normalize(href, origin)


def _identity(href: str, base: str, origin: str, refused: dict[str, int]) -> str | None:
    try:
        if href.startswith("/") and not href.startswith(("//", "/\\")):
            return _remembered(href, origin)
        if href.startswith(("http://", "https://")):
            return _remembered(href, None)
        return normalize(href, base)
    except RefusedError as error:
        refused[error.reason] = refused.get(error.reason, 0) + 1
        return None


def _link(identity: str, element: Element, anchor: str, section: str) -> Link:
    words = " ".join(anchor.split())[:_ANCHOR_CHARACTERS]
    return Link(identity, words, _context(element, words), section)


def _context(element: Element, anchor: str) -> str:
    block = element.closest(_BLOCKS)
    if block is None:
        return ""
    words = block.text
    if len(words) > 40 * _CONTEXT_CHARACTERS:
        return ""
    words = " ".join(words.split())
    at = max(words.find(anchor), 0)
    return words[max(0, at - _CONTEXT_CHARACTERS // 2) : at + len(anchor) + _CONTEXT_CHARACTERS // 2].strip()


def _prose(document: Document) -> int:
    return sum(len(element.text) for element in document.select("p, dd, blockquote"))


def _kind(size: int, linked: int, prose: int) -> PageKind:
    """Only what is clear: in doubt a page is an item, and the full reading decides."""
    if size < _FEWEST_CHARACTERS and linked < 200:
        return PageKind.NOISE
    if linked > _FEWEST_LINKED and linked * 2 > size and prose < 1_000 and prose < linked:
        return PageKind.INDEX
    return PageKind.ITEM


def _site(document: Document) -> str:
    """What the page says of the site it belongs to."""
    element = document.select_one("meta[property='og:site_name'], meta[name=generator]")
    return (element.attr("content") or "") if element is not None else ""


def _speaks_of_encyclopaedia(title: str, site: str, whole: str) -> bool:
    words = f"{title} {site} {whole[:600]} {whole[-600:]}".lower()
    return any(sign in words for sign in _WIKI_SIGNS) and _WIKI_WORDS.search(words) is not None


def _declared_language(document: Document) -> str:
    element = document.select_one("html[lang]")
    return (element.attr("lang") or "").strip().lower()[:20] if element is not None else ""


def _canonical(document: Document, url: str) -> str | None:
    element = document.select_one("link[rel~=canonical][href]")
    if element is None:
        return None
    try:
        return normalize((element.attr("href") or "").strip(), url)
    except RefusedError:
        return None


def _directives(document: Document, agent: str) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for meta in document.select("meta[name][content]")[:500]:
        found |= directives_of_meta(meta.attr("name") or "", meta.attr("content") or "", agent)
    return found


def _feeds(document: Document, url: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for element in document.select("link[rel~=alternate][type][href]")[:20]:
        if (element.attr("type") or "").strip().lower() in _FEED_TYPES:
            try:
                found[normalize(element.attr("href") or "", url)] = None
            except RefusedError:
                continue
    return tuple(found)

"""All links of a page in one pass: anchor, words around, heading above; duplicates dropped before anything is built."""

from __future__ import annotations

from urllib.parse import urldefrag

import ada_url
from turbohtml import Document, Element

from lumbung.model.candidate import Link
from lumbung.text.markup.blocks import HEADINGS
from lumbung.text.markup.invisible import one_line

MOST_LINKS = 5_000
_LONGEST_ANCHOR = 300
_CONTEXT = 160
_CLOSE = frozenset(
    ["p", "li", "td", "th", "dd", "div", "section", "article", "figcaption", "h1", "h2", "h3", "h4", "h5", "h6"]
)


def read_links(document: Document, url: str) -> tuple[Link, ...]:
    """Web links in page order, each target once, with the first anchor that has words."""
    base = _base(document, url)
    section = ""
    found: dict[str, tuple[Element, str]] = {}
    anchors: dict[str, str] = {}
    for element in document.iter_elements():
        tag = element.tag
        if tag in HEADINGS:
            section = one_line(element.text)[:_LONGEST_ANCHOR]
        elif tag in {"a", "area"} and (href := element.attr("href")):
            href = href.strip()
            if href.startswith(("#", "javascript:", "mailto:", "tel:", "data:")):
                continue
            if href not in found:
                found[href] = (element, section)
                anchors[href] = element.text
            elif not anchors[href].strip():
                anchors[href] = element.text
            if len(found) >= MOST_LINKS:
                break
    return _built(found, anchors, base)


def _built(found: dict[str, tuple[Element, str]], anchors: dict[str, str], base: str) -> tuple[Link, ...]:
    links: dict[str, Link] = {}
    for href, (element, section) in found.items():
        target = joined(href, base)
        if target is None or target in links:
            continue
        anchor = one_line(anchors[href])[:_LONGEST_ANCHOR]
        links[target] = Link(target, anchor, _context(element, anchor), section)
    return tuple(links.values())


def _base(document: Document, url: str) -> str:
    element = document.select_one("base[href]")
    href = element.attr("href") if element is not None else None
    return (joined(href, url) or url) if href else url


def joined(href: str, base: str) -> str | None:
    """The absolute http(s) address without its fragment."""
    try:
        joined = ada_url.join_url(base, href) if base else ada_url.URL(href).href
    except ValueError:
        return None
    if not joined.startswith(("http://", "https://")):
        return None
    return urldefrag(joined).url if "#" in joined else joined


def _context(element: Element, anchor: str) -> str:
    """The words of the smallest block around the link, cut around it."""
    place = element.parent
    for _ in range(4):
        if not isinstance(place, Element) or place.tag in _CLOSE:
            break
        place = place.parent
    if not isinstance(place, Element) or len(place) > 60:
        return ""
    words = one_line(place.text[: 20 * _CONTEXT])
    at = max(words.find(anchor), 0)
    return words[max(0, at - _CONTEXT // 2) : at + len(anchor) + _CONTEXT // 2].strip()

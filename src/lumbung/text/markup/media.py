"""Pictures of the page as references: address, caption, creator, licence hint. Nothing is fetched."""

from __future__ import annotations

import re

from turbohtml import Document, Element

from lumbung.model.candidate import MediaReference
from lumbung.text.markup.invisible import one_line
from lumbung.text.markup.linkeddata import LinkedItem
from lumbung.text.markup.links import joined

_MOST_MEDIA = 30
_DECORATION = re.compile(
    r"logo|icon|avatar|sprite|banner|button|pixel|spacer|gravatar|emoji|badge|loading", re.IGNORECASE
)
_CREDIT = re.compile(
    r"(?:foto|photo|gambar|sumber|source|credit|kredit|dok(?:umentasi)?\.?|bron)\s*[:/]\s*([^.;()|\n]{2,80})",
    re.IGNORECASE,
)
_NAMED_LICENCE = re.compile(
    r"\bCC[ -]?(?:BY(?:-[A-Z]{2})*|0)(?:[ -]\d\.\d)?|public domain|domain publik", re.IGNORECASE
)
_SMALLEST = 80


def read_media(document: Document, url: str, items: list[LinkedItem], page_licence: str) -> tuple[MediaReference, ...]:
    declared = _declared(items, url)
    found: dict[str, MediaReference] = {}
    outside = set(document.select("nav img, footer img, aside img, header img"))
    for image in document.select("img"):
        if image in outside:
            continue
        if len(found) >= _MOST_MEDIA:
            break
        address = _address(image, url)
        if address is None or address in found or _is_decoration(image, address):
            continue
        found[address] = _reference(image, address, declared.get(address), page_licence)
    return tuple(found.values())


def _reference(image: Element, address: str, item: LinkedItem | None, page_licence: str) -> MediaReference:
    figure = _around(image)
    caption = _caption(image, figure)
    credit = _CREDIT.search(caption)
    creator = (item.first("creator") or item.first("author") or item.first("creditText")) if item else ""
    licence = item.first("license") if item else ""
    if not licence and figure is not None:
        link = figure.select_one("a[rel~=license][href], a[href*='creativecommons.org/']")
        licence = (link.attr("href") or "") if link is not None else ""
    if not licence and (named := _NAMED_LICENCE.search(caption)):
        licence = named[0]
    return MediaReference(address, caption, creator or (credit[1].strip() if credit else ""), licence or page_licence)


def _declared(items: list[LinkedItem], url: str) -> dict[str, LinkedItem]:
    found: dict[str, LinkedItem] = {}
    for item in items:
        if "ImageObject" in item.types or "Photograph" in item.types:
            for name in ("contentUrl", "url"):
                address = joined(item.first(name), url) if item.first(name) else None
                if address:
                    found.setdefault(address, item)
    return found


def _address(image: Element, url: str) -> str | None:
    for name in ("data-src", "data-original", "data-lazy-src", "src"):
        value = (image.attr(name) or "").strip()
        if value and not value.startswith("data:"):
            return joined(value, url)
    srcset = (image.attr("srcset") or image.attr("data-srcset") or "").split(",")[0].split()
    return joined(srcset[0], url) if srcset else None


def _is_decoration(image: Element, address: str) -> bool:
    names = f"{image.attr('class') or ''} {image.attr('id') or ''} {address.rsplit('/', 1)[-1]}"
    if _DECORATION.search(names):
        return True
    sizes = [image.attr(name) or "" for name in ("width", "height")]
    return any(size.rstrip("px").isdigit() and int(size.rstrip("px")) < _SMALLEST for size in sizes)


def _around(image: Element) -> Element | None:
    place = image.parent
    for _ in range(4):
        if not isinstance(place, Element):
            return None
        if place.tag == "figure" or "caption" in (place.attr("class") or ""):
            return place
        place = place.parent
    return None


def _caption(image: Element, figure: Element | None) -> str:
    if figure is not None:
        words = figure.select_one("figcaption, .wp-caption-text, .caption")
        text = one_line((words if words is not None else figure).text)
        if text:
            return text[:500]
    return one_line(image.attr("alt") or image.attr("title") or "")[:500]

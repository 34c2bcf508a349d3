"""What the head of a page declares: opt-outs, its canonical address, its date, its licence, its title."""

from __future__ import annotations

import re
from dataclasses import dataclass

from turbohtml import Document

from lumbung.text.markup.invisible import tidy
from lumbung.text.markup.linkeddata import LinkedItem
from lumbung.text.markup.links import joined
from lumbung.text.markup.provenance import publisher_of, syndicated_from
from lumbung.text.optout import directives_of_meta

_AGENT = "Lumbung"
_LANGUAGES = {"id": "ind", "in": "ind", "ms": "zsm", "en": "eng", "nl": "nld", "jv": "jav", "su": "sun"}
_DATES = (
    "article:published_time",
    "datepublished",
    "dc.date",
    "dcterms.date",
    "dc.date.issued",
    "dcterms.issued",
    "citation_publication_date",
    "citation_date",
    "date",
    "publishdate",
    "pubdate",
    "dcterms.created",
)
_LICENCES = ("dc.rights", "dcterms.rights", "dcterms.license", "dc.license", "license", "licence", "copyright")
_DATE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})|(\d{4})(?=$|\D)")
_SEPARATORS = re.compile(r"\s+[|–—«»·•:-]\s+|\s+[|]\s*|\s*[|]\s+")
_LONGEST_TITLE = 300


@dataclass(frozen=True, slots=True)
class Head:
    title: str
    site: str
    publisher: str
    originals: tuple[str, ...]
    """Addresses that are declared to be where the page comes from; its canonical one among them."""
    generator: str
    types: frozenset[str]
    canonical_url: str | None
    licence_hint: str
    published: str | None
    directives: frozenset[str]
    language: str
    """As declared, in the code of ISO 639-3, of the languages we read; `und` otherwise."""


def read_head(document: Document, url: str, items: list[LinkedItem]) -> Head:
    metas = _metas(document)
    canonical = document.select_one("link[rel~=canonical][href]")
    href = canonical.attr("href") if canonical is not None else None
    site = metas.get("og:site_name") or metas.get("application-name", "")
    canonical_url = joined(href.strip(), url) if href else None
    return Head(
        title=_title(document, metas, site),
        site=site,
        publisher=publisher_of(metas, items, site),
        originals=(canonical_url or "", *syndicated_from(metas, items)),
        generator=metas.get("generator", ""),
        types=frozenset(name for item in items for name in item.types) | frozenset(metas.get("og:type", "").split()),
        canonical_url=canonical_url,
        licence_hint=_licence(document, metas, items),
        published=_published(document, metas, items),
        directives=_directives(document),
        language=_language(document),
    )


def _metas(document: Document) -> dict[str, str]:
    found: dict[str, str] = {}
    for meta in document.select("meta[content]")[:500]:
        name = meta.attr("name") or meta.attr("property") or meta.attr("itemprop")
        if name:
            found.setdefault(name.strip().lower(), tidy(meta.attr("content") or "")[:2_000])
    return found


def _directives(document: Document) -> frozenset[str]:
    """Every opt-out the page declares; several tags add up."""
    found: set[str] = set()
    for meta in document.select("meta[name][content]")[:500]:
        found |= directives_of_meta(meta.attr("name") or "", meta.attr("content") or "", _AGENT)
    return frozenset(found)


def _language(document: Document) -> str:
    root = document.select_one("html[lang]")
    declared = (root.attr("lang") or "").strip().lower() if root is not None else ""
    return _LANGUAGES.get(declared.partition("-")[0].partition("_")[0], "und")


def _title(document: Document, metas: dict[str, str], site: str) -> str:
    """The page's own title without the name of the site."""
    given = metas.get("og:title") or metas.get("dc.title") or metas.get("citation_title", "")
    element = document.select_one("title")
    whole = given or (tidy(element.text).replace("\n", " ") if element is not None else "")
    parts = [part.strip() for part in _SEPARATORS.split(whole) if part.strip()]
    kept = [part for part in parts if part.casefold() != site.casefold()]
    return (kept[0] if kept else whole)[:_LONGEST_TITLE]


def _licence(document: Document, metas: dict[str, str], items: list[LinkedItem]) -> str:
    """The licence as the page words it: a link first, then linked data, then a tag of the head."""
    link = document.select_one("link[rel~=license][href], a[rel~=license][href]")
    if link is not None:
        return (link.attr("href") or "").strip()
    for item in items:
        if "ImageObject" not in item.types and (found := item.first("license")):
            return found
    common = document.select_one("a[href*='creativecommons.org/licenses'], a[href*='creativecommons.org/publicdomain']")
    if common is not None:
        return (common.attr("href") or "").strip()
    return next((metas[name] for name in _LICENCES if metas.get(name)), "")


def _published(document: Document, metas: dict[str, str], items: list[LinkedItem]) -> str | None:
    given = [metas[name] for name in _DATES if metas.get(name)]
    given += [date for item in items for name in ("datePublished", "dateCreated") if (date := item.first(name))]
    time = document.select_one(
        "time[pubdate][datetime], article time[datetime], time[itemprop=datePublished][datetime]"
    )
    if time is not None:
        given.append(time.attr("datetime") or "")
    for text in given:
        if found := _DATE.search(text):
            return f"{found[1]}-{int(found[2]):02d}-{int(found[3]):02d}" if found[1] else found[4]
    return None

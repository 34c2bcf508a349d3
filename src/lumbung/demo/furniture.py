"""What pages of different sites share: head, fact boxes in several shapes, pictures, lists of links."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

from lumbung.demo.prose import inline
from lumbung.demo.sources import read_bibliography

if TYPE_CHECKING:
    from lumbung.demo.pages import Page, Picture, Site

LICENCE_URLS = {
    "CC BY 4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC BY-SA 4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "CC BY-NC-ND 4.0": "https://creativecommons.org/licenses/by-nc-nd/4.0/",
    "CC0 1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
}


def head(site: Site, page: Page, extra: str = "") -> str:
    parts = [
        f'<meta charset="{site.charset}" />',
        f"<title>{escape(page.title)} — {escape(site.title)}</title>"
        if page.title != site.title
        else f"<title>{escape(site.title)}</title>",
        '<meta name="viewport" content="width=device-width" />',
    ]
    parts += [
        f'<meta name="{escape(name, quote=True)}" content="{escape(value, quote=True)}" />'
        for name, value in page.meta.items()
    ]
    if page.published:
        parts.append(f'<meta property="article:published_time" content="{page.published}" />')
    if page.canonical:
        parts.append(f'<link rel="canonical" href="{escape(page.canonical, quote=True)}" />')
    if page.licence in LICENCE_URLS:
        parts.append(f'<link rel="license" href="{LICENCE_URLS[page.licence]}" />')
    return "<head>" + "".join(parts) + extra + "</head>"


def document(site: Site, page: Page, body: str, extra_head: str = "") -> str:
    marked = ""
    if page.kind == "index":
        marked = ' class="home"' if page.path == "/" else ' class="category"'
    opening = f'<!DOCTYPE html>\n<html lang="{page.language}">{head(site, page, extra_head)}'
    return f"{opening}<body{marked}>{body}</body></html>\n"


def linked_data(table: dict[str, object]) -> str:
    """A JSON-LD script that is also well-formed XML."""
    text = json.dumps({"@context": "https://schema.org", **table}, ensure_ascii=False)
    safe = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return f'<script type="application/ld+json">{safe}</script>'


def table_facts(page: Page, css_class: str = "rincian", caption: str = "") -> str:
    if not page.facts:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{escape(label)}</th><td>{inline(value)}</td></tr>' for label, value in page.facts
    )
    shown = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f'<table class="{css_class}">{shown}<tbody>{rows}</tbody></table>'


def definition_facts(page: Page) -> str:
    if not page.facts:
        return ""
    rows = "".join(f"<dt>{escape(label)}</dt><dd>{inline(value)}</dd>" for label, value in page.facts)
    return f'<dl class="data-koleksi">{rows}</dl>'


def line_facts(page: Page) -> str:
    if not page.facts:
        return ""
    return "".join(f"<p><strong>{escape(label)}:</strong> {inline(value)}</p>" for label, value in page.facts)


def list_facts(page: Page) -> str:
    if not page.facts:
        return ""
    rows = "".join(f"<li><b>{escape(label)}</b>: {inline(value)}</li>" for label, value in page.facts)
    return f'<ul class="ringkas">{rows}</ul>'


def property_facts(page: Page) -> str:
    """Microdata: schema.org PropertyValue in a two-column table."""
    if not page.facts:
        return ""
    rows = "".join(
        '<tr itemprop="additionalProperty" itemscope="itemscope" itemtype="https://schema.org/PropertyValue">'
        f'<td itemprop="name">{escape(label)}</td><td itemprop="value">{inline(value)}</td></tr>'
        for label, value in page.facts
    )
    return f"<table>{rows}</table>"


def figure(picture: Picture) -> str:
    credit = f" Gambar: {escape(picture.creator)}." if picture.creator else ""
    licence = ""
    if picture.licence in LICENCE_URLS:
        url = LICENCE_URLS[picture.licence]
        licence = f' <a rel="license" href="{url}">{escape(picture.licence)}</a>'
    elif picture.licence:
        licence = f" {escape(picture.licence)}"
    return (
        f'<figure><img src="{escape(picture.path, quote=True)}" alt="{escape(picture.caption, quote=True)}" '
        f'width="240" height="240" /><figcaption>{escape(picture.caption)}.{credit}{licence}</figcaption></figure>'
    )


def figures(page: Page) -> str:
    return "".join(figure(picture) for picture in page.pictures)


def references(page: Page, heading: str) -> str:
    """The works a learned page was written after, the way museums and journals give them."""
    works = read_bibliography().works
    rows = "".join(f"<li>{escape(works[key])}</li>" for key in page.sources)
    return f"<h2>{heading}</h2><ul>{rows}</ul>" if rows else ""


def listing(site: Site, page: Page) -> str:
    """On a front page: links to the site's pages, each with the place it speaks of."""
    links = _front_links(site, page)
    rows = "".join(f"<li>{link}</li>" for link in links)
    return f'<ul class="daftar">{rows}</ul>' if rows else ""


def cards(site: Site, page: Page) -> str:
    """The same as cards, the way newer sites show their collections."""
    return "".join(f'<article class="card">{link}</article>' for link in _front_links(site, page))


def _front_links(site: Site, page: Page) -> list[str]:
    if page.kind != "index" or page.path != "/":
        return []
    shown = [other for other in site.pages.values() if other.listed and other.path != "/"]
    return [f'<a href="{escape(other.path, quote=True)}">{escape(other.title)}</a>{_place(other)}' for other in shown]


def _place(page: Page) -> str:
    places = [value for label, value in page.facts if label == "Asal daerah"]
    return f" <span>{escape(places[0])}</span>" if places else ""

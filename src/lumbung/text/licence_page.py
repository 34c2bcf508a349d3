"""What a page says about its licence: links, machine-readable statements and its visible words."""

from __future__ import annotations

import html as entities
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lumbung.text.licence_evidence import MAX_CHARS, Evidence, denied, of_link, of_text
from lumbung.text.licence_names import of_address, of_spdx
from lumbung.text.licence_wording import plain
from lumbung.text.tag_soup import UNSEEN, split_between, tags

_MAX_JSON_DEPTH = 40
_ATTRIBUTE = re.compile(r"([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|\shidden(?:\s|=|$)", re.IGNORECASE)
_EMPTY_ELEMENTS = frozenset({"img", "br", "hr", "input", "link", "meta", "source", "area", "wbr", "col", "p"})
_MARKS = frozenset({"license", "licence", "cc:license", "dct:license", "dcterms:license", "og:license"})
_META_NAMES = frozenset(
    {
        "dcterms.license",
        "dc.rights",
        "dcterms.rights",
        "dc.rights.license",
        "dc.license",
        "license",
        "licence",
        "copyright",
    }
)


def of_page(html: str) -> Iterator[Evidence]:
    html = "".join(part for inside, part in split_between(html[:MAX_CHARS], "<!--", "-->") if not inside)
    for name in UNSEEN:
        kept: list[str] = []
        for inside, part in split_between(html, f"<{name}", f"</{name}"):
            kept.append(" " if inside else part)
            head, _, content = part.partition(">")
            if inside and name == "script" and "ld+json" in head:
                yield from _of_json_ld(content)
        html = "".join(kept)
    yield from _of_marked_words(html)


def _of_marked_words(html: str) -> Iterator[Evidence]:
    """The tags' own statements, unless the words around them deny them, and then the words."""
    visible: list[str] = []
    length = 0
    linked: list[tuple[int, Evidence]] = []
    for words, tag in _shown(html):
        seen = plain(entities.unescape(words)) + " "
        visible.append(seen)
        length += len(seen)
        linked.extend((length, evidence) for evidence in _of_tag(tag))
    text = "".join(visible)
    yield from (evidence for place, evidence in linked if not denied(text, place, place))
    yield from of_text(text)


def _shown(html: str) -> Iterator[tuple[str, str]]:
    """Text and tags without the elements that their own tag hides from readers."""
    inside, depth = "", 0
    for words, tag in tags(html):
        name = tag.split(None, 1)[0].lower().strip("/") if tag.strip("/ ") else ""
        if depth:
            depth += (name == inside) * (-1 if tag.startswith("/") else 1)
            continue
        hides = name not in _EMPTY_ELEMENTS and bool(_HIDING.search(tag))
        if hides:
            inside, depth = name, 1
        yield words, "" if hides else tag


def _of_tag(tag: str) -> Iterator[Evidence]:
    if "=" not in tag:
        return
    attributes = {
        name.lower(): entities.unescape(double or single or bare)
        for name, double, single, bare in _ATTRIBUTE.findall(tag)
    }
    address = attributes.get("href") or attributes.get("src") or attributes.get("resource") or ""
    marks = (
        f"{attributes.get('rel', '')} {attributes.get('itemprop', '')} {attributes.get('property', '')}".lower().split()
    )
    declared = not _MARKS.isdisjoint(marks)
    if address:
        evidence = of_link(address)
        if evidence or declared:
            unknown = Evidence(None, f"links {address[:80]}, which is no licence we know")
            yield replace(evidence or unknown, declared=declared)
    content = attributes.get("content", "")
    if content and (declared or attributes.get("name", "").lower() in _META_NAMES):
        yield from (replace(found, declared=True) for found in of_text(content))


def _of_json_ld(block: str) -> Iterator[Evidence]:
    try:
        data = json.loads(block)
    except (ValueError, RecursionError):
        return
    for value in _licence_values(data, 0):
        address, spdx = of_address(value)[1], of_spdx(value)
        found = [] if address or spdx else list(of_text(value))
        if found:
            yield from (replace(piece, declared=True) for piece in found)
        else:
            said = of_link(value) or Evidence(spdx, f"JSON-LD says {value[:80]}")
            yield replace(said, declared=True)


def _licence_values(data: Any, depth: int) -> Iterator[str]:
    if depth > _MAX_JSON_DEPTH:
        return
    if isinstance(data, list):
        for part in data:
            yield from _licence_values(part, depth + 1)
    elif isinstance(data, dict):
        for key, value in data.items():
            if key.lower().rsplit("/", 1)[-1].removeprefix("schema:") in {"license", "licence"}:
                yield from _addresses(value)
            else:
                yield from _licence_values(value, depth + 1)


def _addresses(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value[:50]:
            yield from _addresses(part)
    elif isinstance(value, dict):
        yield from (str(value[key]) for key in ("@id", "url", "@value") if isinstance(value.get(key), str))

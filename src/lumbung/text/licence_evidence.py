"""What a text, an address or a page says about its licence, each piece by itself."""

from __future__ import annotations

import html as entities
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lumbung.text.licence_names import creative_commons, of_address, of_spdx
from lumbung.text.tag_soup import UNSEEN, split_between, tags

MAX_CHARS = 2_000_000
_MAX_JSON_DEPTH = 40

_ADDRESS = re.compile(
    r"(?:https?:)?//[^\s<>\"'\\)\]]+|\b(?:www\.)?creativecommons\.org/[^\s<>\"'\\)\]]+", re.IGNORECASE
)
_ABBREVIATED = re.compile(
    r"\bCC[\s_-]{0,3}(BY(?:[\s_-]{0,3}(?:NC|ND|SA)\b)*)(?:[\s_-]{0,3}v?\.?\s?(\d\.\d)(?:[\s_-](IGO|[A-Z]{2})\b)?)?(?!\w)",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w-])(BY(?:-(?:NC|ND|SA))+)[\s-]+(\d\.\d)\b")
_ZERO = re.compile(r"\bCC[\s-]?0(?:[\s-]*1\.0)?\b|creative commons zero", re.IGNORECASE)
_MARK = re.compile(r"\bpublic domain mark(?: 1\.0)?\b|\bPDM 1\.0\b", re.IGNORECASE)
_SPDX_TAG = re.compile(r"SPDX-License-Identifier:\s*([\w.+-]{2,60})", re.IGNORECASE)
_GFDL = re.compile(
    r"\bGFDL(?:[\s-]*(\d\.\d))?|GNU (?:Free Documentation|FDL) Licen[sc]e(?:,?\s*(?:version|versi|versie)?\s*(\d\.\d))?",
    re.IGNORECASE,
)
_OR_LATER = re.compile(
    r"or (?:any )?later|atau (?:versi )?(?:yang )?(?:lebih baru|selanjutnya)|of (?:elke )?later", re.IGNORECASE
)
_BY = r"attribution|atribusi|naamsvermelding|pengatribusian|pengiktirafan|namensnennung|attribuzione|reconocimiento|atribuição"
_SPELLED = re.compile(
    rf"\b(?:{_BY})((?:[\s–—-]*(?:dan |and |en )?(?:non[\s-]*commercial|non[\s-]*komersial|nir[\s-]*laba|bukan[\s-]*komersial|"
    r"niet[\s-]*commercieel|no[\s-]*derivs?|no[\s-]*derivatives?(?: works)?|tanpa[\s-]*turunan|tiada[\s-]*terbitan|"
    r"geen[\s-]*afgeleide[\s-]*werken|share[\s-]*alike|berbagi[\s-]*serupa|gelijk[\s-]*delen|perkongsian[\s-]*serupa|"
    r"weitergabe unter gleichen bedingungen|nicht[\s-]*kommerziell|keine bearbeitungen?))*)"
    r"[\s,(]*(?:license|licence|lisensi|versi|version|versie)?[\s,]*(\d\.\d)?",
    re.IGNORECASE,
)
_NC = re.compile(r"commer|komers|nir[\s-]*laba|kommerz", re.IGNORECASE)
_ND = re.compile(r"deriv|turunan|terbitan|afgeleide|bearbeitung", re.IGNORECASE)
_SA = re.compile(r"share|serupa|gelijk|gleichen", re.IGNORECASE)
_CREATIVE = re.compile(r"creative\s*commons|\bCC\b", re.IGNORECASE)
_RESERVED = re.compile(
    r"all rights? (?:are )?reserved|hak cipta (?:ini )?(?:di)?(?:lindungi|terpelihara)|seluruh hak (?:cipta )?dilindungi|"
    r"semua hak (?:cipta )?(?:dilindungi|terpelihara)|alle rechten voorbehouden|hakcipta terpelihara|"
    r"dilarang (?:keras )?(?:memperbanyak|menyalin|mengutip|mengcopy|meng-copy|menggandakan|menyebarluaskan|mengambil|mereproduksi|menggunakan)|"
    r"no part of this .{0,40}may be reproduced|niets uit deze uitgave|tous droits réservés|may not be reproduced|"
    r"do not (?:copy|reuse|reproduce)|(?:for )?(?:personal|non-?commercial)(?: and educational)? (?:use|purposes) only|"
    r"hanya untuk (?:kepentingan|penggunaan|keperluan|tujuan) (?:non-?komersial|pribadi|pendidikan)|"
    r"alleen voor (?:persoonlijk|niet-commercieel) gebruik",
    re.IGNORECASE,
)
_NOT_UNDER = re.compile(
    r"(?:\bnot\b|\bno longer\b|\bisn't\b|\baren't\b|\btidak\b|\bbukan\b|\bbelum\b|\bniet\b|\bgeen\b|\bnever\b)[^.;\n]{0,60}$",
    re.IGNORECASE,
)
_INFORMAL = re.compile(
    r"(?:boleh|dapat|bebas|silakan|silahkan)[^.\n]{0,60}(?:menyebut|mencantumkan|menyertakan)[^.\n]{0,20}sumber|free (?:to use|for (?:personal|non))|"
    r"royalty[\s-]*free|bebas (?:digunakan|dipakai)|with permission|atas izin|met toestemming|courtesy of|fair use",
    re.IGNORECASE,
)
_PUBLIC_DOMAIN = re.compile(r"public domain|domain publik|ranah publik|domain awam|publiek domein", re.IGNORECASE)
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


@dataclass(frozen=True, slots=True)
class Evidence:
    spdx: str | None
    """None: a statement that gives no licence."""
    reason: str
    declared: bool = False
    """In the place where pages state their licence for machines."""
    forbids: bool = False
    """Reserves all rights."""


def of_text(text: str) -> Iterator[Evidence]:
    text = text[:MAX_CHARS]
    for match in _ADDRESS.finditer(text):
        spdx, what = of_address(match.group().rstrip(".,;:"))
        if what and not _denied(text, match.start()):
            yield Evidence(spdx, what)
    yield from _of_words(_ADDRESS.sub(" ", text))


def _of_words(text: str) -> Iterator[Evidence]:
    for match in _SPDX_TAG.finditer(text):
        spdx = of_spdx(match[1].rstrip("."))
        yield Evidence(spdx, f"SPDX identifier {match[1]}" if spdx else f"unknown SPDX identifier {match[1]}")
    for pattern, spdx in ((_ZERO, "CC0-1.0"), (_MARK, "CC-PDM-1.0")):
        found = pattern.search(text)
        if found and not _denied(text, found.start()):
            yield Evidence(spdx, f"says {found.group()}")
    for match in _ABBREVIATED.finditer(text):
        if not _denied(text, match.start()):
            yield _named(re.sub(r"[\s_]+", "-", match[1]), match[2], match[3] or "", match.group().strip())
    if _CREATIVE.search(text):
        for match in _BARE.finditer(text):
            if not _denied(text, match.start()):
                yield _named(match[1], match[2], "", match.group())
        yield from _spelled_out(text)
    yield from _of_gfdl(text)
    yield from _statements(text)


def _spelled_out(text: str) -> Iterator[Evidence]:
    for match in _SPELLED.finditer(text):
        extras = match[1] or ""
        elements = "by" + "".join(
            f"-{element}" for element, word in (("nc", _NC), ("nd", _ND), ("sa", _SA)) if word.search(extras)
        )
        near = _CREATIVE.search(text[max(0, match.start() - 80) : match.end() + 60])
        if near and not _denied(text, match.start()):
            port = "IGO" if re.match(r"\s*IGO\b", text[match.end() : match.end() + 5]) else ""
            yield _named(elements, match[2], port, " ".join(match.group().split()))


def _named(elements: str, version: str | None, port: str, words: str) -> Evidence:
    if version is None:
        return Evidence(None, f"names {words} without a version, so which licence it is stays open")
    spdx = creative_commons(elements.lower(), version, port)
    return Evidence(spdx, f"says {words}" if spdx else f"{words} is no Creative Commons licence")


def _of_gfdl(text: str) -> Iterator[Evidence]:
    match = _GFDL.search(text)
    if match and not _denied(text, match.start()):
        version = match[1] or match[2] or "1.3"
        later = _OR_LATER.search(text[match.end() : match.end() + 60]) or not (match[1] or match[2])
        yield Evidence(of_spdx(f"GFDL-{version}-{'or-later' if later else 'only'}"), f"says {match.group()}")


def _statements(text: str) -> Iterator[Evidence]:
    reserved = _RESERVED.search(text)
    if reserved:
        yield Evidence(None, f"reserves its rights: {reserved.group()[:60]}", forbids=True)
    informal = _INFORMAL.search(text)
    if informal:
        yield Evidence(None, f"a permission in words is not a licence: {informal.group()[:80]}")
    public = _PUBLIC_DOMAIN.search(_MARK.sub(" ", text))
    if public and not _ZERO.search(text):
        yield Evidence(None, f"says {public.group()} in words, which cannot be checked")


def _denied(text: str, start: int) -> bool:
    return bool(_NOT_UNDER.search(text[max(0, start - 80) : start]))


def of_page(html: str) -> Iterator[Evidence]:
    """Licence links, machine-readable statements and the visible words of a page."""
    html = "".join(part for inside, part in split_between(html[:MAX_CHARS], "<!--", "-->") if not inside)
    for name in UNSEEN:
        kept: list[str] = []
        for inside, part in split_between(html, f"<{name}", f"</{name}"):
            kept.append(" " if inside else part)
            head, _, content = part.partition(">")
            if inside and name == "script" and "ld+json" in head:
                yield from _of_json_ld(content)
        html = "".join(kept)
    visible: list[str] = []
    for words, tag in tags(html):
        visible.append(words)
        yield from _of_tag(tag)
    yield from _of_words(_ADDRESS.sub(" ", entities.unescape(" ".join(visible))))


def _of_tag(tag: str) -> Iterator[Evidence]:
    attributes = {
        name.lower(): entities.unescape(double or single or bare)
        for name, double, single, bare in re.findall(r"([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", tag)
    }
    address = attributes.get("href") or attributes.get("src") or attributes.get("resource") or ""
    marks = (
        f"{attributes.get('rel', '')} {attributes.get('itemprop', '')} {attributes.get('property', '')}".lower().split()
    )
    declared = bool({"license", "licence", "cc:license", "dct:license", "dcterms:license"} & set(marks))
    if address:
        spdx, what = of_address(address)
        if what or declared:
            yield Evidence(spdx, what or f"links {address[:80]}, which is no licence we know", declared)
    content = attributes.get("content", "")
    if content and (declared or attributes.get("name", "").lower() in _META_NAMES):
        yield from (
            Evidence(found.spdx, found.reason, declared=True, forbids=found.forbids) for found in of_text(content)
        )


def _of_json_ld(block: str) -> Iterator[Evidence]:
    try:
        data = json.loads(block)
    except (ValueError, RecursionError):
        return
    for value in _licence_values(data, 0):
        spdx, what = of_address(value)
        yield Evidence(spdx or of_spdx(value), what or f"JSON-LD says {value[:80]}", declared=True)


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

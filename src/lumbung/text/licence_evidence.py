"""What a text says about its licence, each piece by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from lumbung.text.licence_names import creative_commons, is_free, of_address, of_spdx, port_after
from lumbung.text.licence_wording import (
    ABBREVIATED,
    ADDRESS,
    BARE,
    CREATIVE,
    DENIED_AFTER,
    DENIED_BEFORE,
    ELEMENTS,
    GFDL,
    INFORMAL,
    MARK,
    NO_CHANGES,
    NOT_FOR_TRADE,
    OR_LATER,
    PUBLIC_DOMAIN,
    RESERVED,
    SOFTWARE,
    SPDX_TAG,
    SPELLED,
    WITHOUT_PICTURES,
    ZERO,
    plain,
)

MAX_CHARS = 2_000_000
MOST_MENTIONS = 2_000
"""Of one kind of naming: who names licences more often than that says nothing new."""
_IN_COPYRIGHT = "rights statement InC"


@dataclass(frozen=True, slots=True)
class Evidence:
    spdx: str | None
    """None: a statement that gives no licence."""
    reason: str
    declared: bool = False
    """In the place where pages state their licence for machines."""
    forbids: bool = False
    """Reserves rights that a free licence would give."""
    unless: str = ""
    """Element of a licence that already says what is reserved here."""


def of_text(text: str) -> Iterator[Evidence]:
    text = plain(text[:MAX_CHARS])
    for match in _mentions(ADDRESS, text):
        evidence = of_link(match.group().rstrip(".,;:"))
        if evidence and not denied(text, match.start(), match.end()):
            yield evidence
    yield from _of_words(ADDRESS.sub(" ", text))


def _mentions(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    return islice(pattern.finditer(text), MOST_MENTIONS)


def of_link(address: str) -> Evidence | None:
    """What an address says by itself; None if it speaks of no licence."""
    spdx, what = of_address(address)
    return Evidence(spdx, what, forbids=what.startswith(_IN_COPYRIGHT)) if what else None


def _of_words(text: str) -> Iterator[Evidence]:
    for match in _mentions(SPDX_TAG, text):
        yield from of_expression(match[1].rstrip("."))
    text = SPDX_TAG.sub(" ", text)
    for pattern, name in ((ZERO, "CC0-1.0"), (MARK, "CC-PDM-1.0"), *SOFTWARE):
        found = pattern.search(text)
        if found and not denied(text, found.start(), found.end()):
            yield Evidence(name, f"says {found.group()}")
    for match in _mentions(ABBREVIATED, text):
        if not denied(text, match.start(), match.end()):
            elements = re.sub(r"[\s_]+", "-", match["elements"])
            yield _named(elements, match["version"] or match["before"], match["port"] or "", match.group().strip())
    if CREATIVE.search(text):
        yield from _spelled_out(text)
    yield from _of_gfdl(text)
    yield from _statements(text)


def of_expression(words: str) -> Iterator[Evidence]:
    """An SPDX expression: `OR` leaves the choice to whoever uses the work, all else binds together."""
    names = re.sub(r"[()]", "", words).split()
    known = {name: of_spdx(name) for name in names[::2]}
    choice = next(filter(is_free, filter(None, known.values())), None)
    if choice and set(names[1::2]) == {"OR"}:
        yield Evidence(choice, f"SPDX expression {words}")
        return
    for name, spdx in known.items():
        reason = f"SPDX identifier {name}" if spdx else f"names the unknown SPDX identifier {name}"
        yield Evidence(spdx, reason, forbids=spdx is None and len(known) > 1)


def _spelled_out(text: str) -> Iterator[Evidence]:
    for match in _mentions(BARE, text):
        if not _is_abbreviation(text, match.start()) and not denied(text, match.start(), match.end()):
            yield _named(match[1], match[2], "", match.group())
    for match in _mentions(SPELLED, text):
        extras = match[1] or ""
        elements = "by" + "".join(f"-{element}" for element, names in ELEMENTS.items() if names.search(extras))
        near = CREATIVE.search(text[max(0, match.start() - 80) : match.end() + 60])
        if near and not denied(text, match.start(), match.end()):
            port = port_after(text[match.end() : match.end() + 45])
            yield _named(elements, match[2], port, " ".join(match.group().split()))


def _is_abbreviation(text: str, start: int) -> bool:
    """Whether `BY` here is part of `CC BY`, which is read already."""
    return bool(re.search(r"CC\)?[\s_-]{0,3}(?:\d\.\d[\s_-]{1,3})?$", text[max(0, start - 12) : start], re.IGNORECASE))


def _named(elements: str, version: str | None, port: str, words: str) -> Evidence:
    if version is None:
        reserves = next((element for element in ("NC", "ND") if element in elements.upper().split("-")), "")
        reason = f"names {words} without a version, so which licence it is stays open"
        return Evidence(None, reason, forbids=bool(reserves), unless=reserves)
    spdx = creative_commons(elements.lower(), version, port)
    return Evidence(spdx, f"says {words}" if spdx else f"{words} is no Creative Commons licence")


def _of_gfdl(text: str) -> Iterator[Evidence]:
    match = GFDL.search(text)
    if match and not denied(text, match.start(), match.end()):
        version = match[1] or match[2] or "1.3"
        later = OR_LATER.search(text[match.end() : match.end() + 60]) or not (match[1] or match[2])
        yield Evidence(of_spdx(f"GFDL-{version}-{'or-later' if later else 'only'}"), f"says {match.group()}")


def _statements(text: str) -> Iterator[Evidence]:
    for pattern, unless in ((RESERVED, ""), (NOT_FOR_TRADE, "NC"), (NO_CHANGES, "ND")):
        reserved = pattern.search(text)
        if reserved:
            reason = f"reserves its rights: {reserved.group()[:60]}"
            yield Evidence(None, reason, forbids=True, unless=unless)
    without = WITHOUT_PICTURES.search(text)
    if without:
        yield Evidence(None, f"leaves out its pictures: {without.group()[:60]}", forbids=True)
    informal = INFORMAL.search(text)
    if informal:
        yield Evidence(None, f"a permission in words is not a licence: {informal.group()[:80]}")
    public = PUBLIC_DOMAIN.search(MARK.sub(" ", text))
    if public and not ZERO.search(text):
        yield Evidence(None, f"says {public.group()} in words, which cannot be checked")


def denied(text: str, start: int, end: int) -> bool:
    """Whether the words around a licence say that it does not hold, or no longer."""
    before, after = text[max(0, start - 80) : start], text[end : end + 70]
    return bool(DENIED_BEFORE.search(before) or DENIED_AFTER.match(after))

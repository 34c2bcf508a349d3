"""Machine-readable opt-outs: X-Robots-Tag, meta robots, TDM reservation, noai, ai.txt, content signals.

All speak one vocabulary of directives: noindex, nofollow, noarchive, nosnippet, noai, noimageai, tdm-reservation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from lumbung.text.robots import Robots, RobotsVerdict, product_tokens
from lumbung.text.robots_pattern import RulePattern, path_forms
from lumbung.text.url import parse as parse_url

MAX_BYTES = 500 * 1024

_SHORTHANDS: Mapping[str, frozenset[str]] = {
    "none": frozenset({"noindex", "nofollow"}),
    "max-snippet:0": frozenset({"nosnippet"}),
    "notdm": frozenset({"tdm-reservation"}),
}
_DIRECTIVES = frozenset({"noindex", "nofollow", "noarchive", "nosnippet", "noai", "noimageai", "nocache"})
_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_KEEPING_REFUSED = {
    "noindex": "noindex: the page asks not to be kept in any index",
    "noarchive": "noarchive: no copy may be kept, so no fact could be proved from it",
    "nosnippet": "nosnippet: nothing may be quoted, so no fact could show its source",
    "noai": "noai: the page asks not to be read by machine learning",
    "tdm-reservation": "tdm-reservation: text and data mining is reserved",
}
_ADDRESSEE = re.compile(r"(?:^|,)\s*([A-Za-z_*][\w./*-]*+)\s*:")
_PREFERENCE = re.compile(r"(?<![a-z-])([a-z-]++)\s*+=\s*+([a-z?0-9]+)")
"""Each word is read once, however long a line of a robots.txt is."""


def directives_of_headers(
    headers: Iterable[tuple[str, str]], agent: str, now: datetime | None = None
) -> frozenset[str]:
    """What the response headers say to this agent; `now` judges unavailable_after."""
    found: set[str] = set()
    for name, value in headers:
        match name.lower():
            case "x-robots-tag":
                found |= _robots_tag(value, agent, now)
            case "tdm-reservation":
                found |= _tdm_reservation(value)
            case "content-usage" | "content-signal":
                found |= directives_of_signals([value])
    return frozenset(found)


def directives_of_meta(name: str, content: str, agent: str, now: datetime | None = None) -> frozenset[str]:
    """What one `<meta name content>` says to this agent."""
    key = name.strip().lower()
    if key == "tdm-reservation":
        return _tdm_reservation(content)
    if key == "robots" or key in product_tokens(agent)[0]:
        return _listed(content, now)
    return frozenset()


def directives_of_signals(values: Iterable[str]) -> frozenset[str]:
    """Content signals (`ai-input=no`) and usage preferences (`tdm=n`), of a header or of robots.txt.

    Preferences about training models do not bind us: we train none on pages.
    """
    found: set[str] = set()
    for value in values:
        for key, answer in _PREFERENCE.findall(value.lower()):
            if answer not in {"no", "n", "?0"}:
                continue
            if key in {"ai-input", "ai-use", "genai", "ai"}:
                found.add("noai")
            elif key in {"tdm", "bots", "automated-processing"}:
                found.add("tdm-reservation")
    return frozenset(found)


def keeping_refused(directives: Iterable[str]) -> str | None:
    """Why a page with these directives may not be kept and read; None when it may."""
    return next((_KEEPING_REFUSED[one] for one in sorted(directives) if one in _KEEPING_REFUSED), None)


def links_refused(directives: Iterable[str]) -> bool:
    return "nofollow" in set(directives)


def _robots_tag(value: str, agent: str, now: datetime | None) -> frozenset[str]:
    """`[agent:] directive, directive ...`; an agent name binds what follows it, up to the next name: several lines may
    have become one on their way.
    """
    ours = {*product_tokens(agent)[0], "*"}
    found: set[str] = set()
    start, is_addressed = 0, True
    for mark in _ADDRESSEE.finditer(value):
        name = mark.group(1).lower()
        if name in _WITH_VALUE:
            continue
        if is_addressed:
            found |= _listed(value[start : mark.start()], now)
        start, is_addressed = mark.end(), name in ours
    return frozenset(found | _listed(value[start:], now)) if is_addressed else frozenset(found)


def _listed(value: str, now: datetime | None) -> frozenset[str]:
    found: set[str] = set()
    # The date of unavailable_after has a comma and colons of its own.
    dated = re.search(r"unavailable_after\s*:\s*(.+)", value, re.IGNORECASE)
    if dated:
        value = value[: dated.start()]
        if now is not None and _has_passed(dated.group(1), now):
            found.add("noindex")
    for part in value.lower().split(","):
        directive = re.sub(r"\s+", "", part)
        if directive == "nocache":
            found.add("noarchive")
        elif directive in _DIRECTIVES:
            found.add(directive)
        else:
            found |= _SHORTHANDS.get(directive, frozenset())
    return frozenset(found)


def _has_passed(text: str, now: datetime) -> bool:
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(text.strip().rstrip(","))
        except (ValueError, TypeError, IndexError):
            continue
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) <= now
    return False


def _tdm_reservation(value: str) -> frozenset[str]:
    return frozenset({"tdm-reservation"}) if value.strip() == "1" else frozenset()


@dataclass(frozen=True, slots=True)
class TdmRules:
    """`/.well-known/tdmrep.json`: path patterns and whether mining is reserved there."""

    rules: tuple[tuple[RulePattern, bool], ...] = ()

    @classmethod
    def parse(cls, body: bytes) -> TdmRules:
        """A file that cannot be read reserves nothing."""
        try:
            content = json.loads(body[:MAX_BYTES])
        except (ValueError, RecursionError):
            return cls()
        rows = content if isinstance(content, list) else [content]
        found: list[tuple[RulePattern, bool]] = []
        for row in rows:
            if not isinstance(row, dict) or not isinstance(row.get("location"), str):
                continue
            found.append((RulePattern.of(row["location"]), str(row.get("tdm-reservation")).strip() in {"1", "True"}))
        return cls(tuple(found))

    def reserved(self, url: str) -> bool:
        """The longest pattern that matches decides; among equals, the reservation."""
        if not self.rules:
            return False
        parsed = parse_url(url)
        forms = path_forms(f"{parsed.path}?{parsed.query}" if parsed.query else parsed.path)
        matching = [(max(pattern.octets), reserved) for pattern, reserved in self.rules if pattern.matches_any(forms)]
        return max(matching)[1] if matching else False


def check_ai_txt(body: bytes, agent: str, url: str) -> RobotsVerdict:
    """ai.txt has the form of robots.txt; its rules speak of the use for artificial intelligence."""
    return Robots.parse(body).check(agent, url)

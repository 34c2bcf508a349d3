"""URLs and pages that lead a crawler in circles; each finding names its reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Literal
from urllib.parse import unquote

from lumbung.text.url import parse

Trap = Literal[
    "calendar",
    "endless-parameters",
    "repeated-segments",
    "growing-path",
    "session-id",
    "return-address",
    "fruitless-pattern",
    "soft-404",
]

MAX_SEGMENTS = 20
MAX_PARAMETERS = 8
MAX_QUERY_LENGTH = 512
MAX_SAME_KEY = 6
SHAPE_TRIAL_PAGES = 100
SHAPE_MIN_YIELD = 0.02
MIRROR_MIN_PAGES = 10
MIRROR_MIN_SHARE = 0.9

_CALENDAR_WORDS = re.compile(
    r"(?:^|[/_.=&?-])(?:calendar|calendario|calendrier|kalender|kalendar|agenda|events?|jadwal|acara|icalendar|ical|"
    r"tribe-bar-date|tribe_events?|eventdisplay|event-month|minical|daygrid|dagplanning)(?:$|[/_.=&?-])",
    re.IGNORECASE,
)
_DATE = re.compile(r"(?<!\d)(?:1[5-9]|2\d)\d\d(?:[-/._]?(?:0?[1-9]|1[0-2])(?:[-/._]?\d{1,2})?)?(?!\d)")
_YEAR_KEYS = frozenset({"year", "yr", "tahun", "thn", "jaar", "annee", "jahr", "y"})
_MONTH_KEYS = frozenset({"month", "mon", "bulan", "bln", "maand", "mois", "monat", "m", "week", "day", "hari", "date"})
_ORDERING_KEYS = re.compile(
    r"(?:sort|order|orderby|order_by|dir|direction|filter|filters|facet|view|per_?page|limit|display|layout|mode|tab)"
    r"(?:\[[^\]]*\])*",
    re.IGNORECASE,
)
_RETURN_KEYS = frozenset(
    {"return", "returnurl", "return_url", "returnto", "return_to", "redirect", "redirect_to", "redirecturl"}
    | {"redirect_url", "next", "continue", "back", "backurl", "destination", "goto", "came_from", "ret", "source_url"}
)
_SESSION_KEYS = re.compile(r".*(?:sess(?:ion)?_?(?:id|key)?|sid)$", re.IGNORECASE)
_SESSION_VALUE = re.compile(r"(?=.*[0-9])[0-9A-Za-z_-]{16,}")
_WORD_BREAK = re.compile(r"[-+_,;.]|%20|%2B|%2C")
_FEWEST_WORDS = 6
_TOKEN = re.compile(r"(?=.*[0-9])[0-9A-Fa-f-]{16,}")
_FIGURES = re.compile(r"[0-9]+")
_NOT_FOUND = re.compile(
    r"\b404\b|not found|no longer (?:exists|available)|does(?:n[o']t| not) exist|tidak (?:dapat )?ditemukan|"
    r"tidak tersedia|sudah (?:tidak ada|dihapus)|niet gevonden|bestaat niet|tiada dijumpai|tidak dijumpai",
    re.IGNORECASE,
)


def trap_reason(url: str) -> Trap | None:
    """What makes this URL look like one of endlessly many; None when nothing does."""
    parsed = parse(url)
    segments = [segment for segment in parsed.path.split("/") if segment]
    parameters = [part.partition("=")[::2] for part in parsed.query.split("&") if part]
    if repeats_itself(segments):
        return "repeated-segments"
    if len(segments) > MAX_SEGMENTS or any(_repeats_words(segment) for segment in segments):
        return "growing-path"
    if _is_calendar(parsed.path, parsed.query, parameters):
        return "calendar"
    if not parameters:
        return None
    if any(_SESSION_KEYS.fullmatch(key) and _SESSION_VALUE.fullmatch(value) for key, value in parameters):
        return "session-id"
    if any(key.lower() in _RETURN_KEYS and _is_address(value) for key, value in parameters):
        return "return-address"
    if _has_endless_parameters(parsed.query, parameters):
        return "endless-parameters"
    return None


def repeats_itself(segments: list[str]) -> bool:
    """A run of one to four segments three times in a row, or one segment four times in all.

    Numbers are left out of the second rule: dates and volumes repeat honestly.
    """
    if len(segments) < 3:
        return False
    for length in range(1, 5):
        for start in range(len(segments) - 3 * length + 1):
            first, second, third = (segments[start + n * length :][:length] for n in range(3))
            if first == second == third:
                return True
    counts = Counter(segment for segment in segments if not segment.isdigit() and len(segment) > 1)
    return any(count >= 4 for count in counts.values())


def _repeats_words(segment: str) -> bool:
    """`batik+batik+batik+batik`, as tag pages that link to themselves grow."""
    if len(segment) < _FEWEST_WORDS * 4 - 1:
        return False
    words = [word for word in _WORD_BREAK.split(segment) if len(word) > 2]
    return len(words) >= _FEWEST_WORDS and max(Counter(words).values()) >= 4


def _is_calendar(path: str, query: str, parameters: list[tuple[str, str]]) -> bool:
    keys = {key.lower() for key, _ in parameters}
    if keys & _YEAR_KEYS and keys & _MONTH_KEYS:
        return True
    whole = f"{path}?{query}"
    return _DATE.search(whole) is not None and _CALENDAR_WORDS.search(whole) is not None


def _is_address(value: str) -> bool:
    return unquote(value).lower().startswith(("http://", "https://", "/"))


def _has_endless_parameters(query: str, parameters: list[tuple[str, str]]) -> bool:
    if len(parameters) > MAX_PARAMETERS or len(query) > MAX_QUERY_LENGTH:
        return True
    keys = Counter(key for key, _ in parameters)
    if keys and max(keys.values()) >= MAX_SAME_KEY:
        return True
    return sum(1 for key in keys if _ORDERING_KEYS.fullmatch(unquote(key))) >= 3


def shape_of(url: str) -> str:
    """The pattern that a URL is one of: numbers, tokens and long slugs blanked, parameters by name.

    Pages of a host are counted by shape, so that a pattern that yields nothing is left after a trial.
    """
    parsed = parse(url)
    segments = "/".join(_blanked(segment) for segment in parsed.path.split("/"))
    keys = sorted({part.partition("=")[0] for part in parsed.query.split("&") if part})
    return f"{parsed.host}{segments}" + (f"?{'&'.join(keys)}" if keys else "")


def _blanked(segment: str) -> str:
    if len(segment) >= 16 and _TOKEN.fullmatch(segment):
        return "{token}"
    if segment.count("-") + segment.count("_") >= 2 or len(segment) > 40:
        return "{slug}"
    return _FIGURES.sub("{n}", segment)


def fruitless_pattern(pages: int, pages_with_yield: int) -> Trap | None:
    """After a fair trial, a shape whose pages hardly ever gave anything new is not followed further."""
    if pages >= SHAPE_TRIAL_PAGES and pages_with_yield < SHAPE_MIN_YIELD * pages:
        return "fruitless-pattern"
    return None


def is_mirror(pages: Mapping[str, bytes], others: Mapping[str, bytes]) -> bool:
    """Whether two hosts show the same site: content digests by path, equal on nearly all paths seen on both."""
    common = pages.keys() & others.keys()
    same = sum(1 for path in common if pages[path] == others[path])
    return len(common) >= MIRROR_MIN_PAGES and same >= MIRROR_MIN_SHARE * len(common)


def soft_404(title: str, text: str) -> Trap | None:
    """A page that says it is not there, whatever its status: in its title, or in a text of a few words."""
    if _NOT_FOUND.search(title) and len(text) < 2000:
        return "soft-404"
    if len(text) < 300 and _NOT_FOUND.search(text):
        return "soft-404"
    return None

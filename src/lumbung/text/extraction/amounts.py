"""Dates, counts and measures after a cue."""

from __future__ import annotations

import re
from functools import cache

from lumbung.text.extraction.values import Span, trimmed
from lumbung.text.extraction.wording import Wording

_DATE = re.compile(
    r"(\d{3,4}(?:-an|\s?[–-]\s?\d{3,4})?(?:\s+(?:M|Masehi|Saka))?)\b|(abad\s+ke-?\s?(?:\d{1,2}|[IVX]+)(?:\s+(?:M|Masehi|SM))?)"
)
_OR_MORE = re.compile(r"\s(?:atau|or|of) (?:lebih|more|meer)\b")
_AND = re.compile(r"\s+(?:dan|serta|and|en)\s+")
_FIGURES = r"\d+(?:\s?(?:[-–]|sampai|hingga|atau|to|or|tot|of)\s?\d+)?"
_MEASURE = re.compile(
    r"(?:\w+(?:nya)?\s+)?(?:(?:dapat|bisa) )?(?:bervariasi )?(?:dari )?(?:sekitar |kira-kira |kurang lebih |mencapai |dapat mencapai |rata-rata |antara |about |ongeveer )?"
    r"\d[\d.,]*(?:\s?(?:meter|cm|kg|gram|mm))?(?:\s?(?:[-–]|sampai|hingga|x|×|to|tot)\s?\d[\d.,]*)?\s?"
    r"(?:meter|m|sentimeter|centimeter|cm|kilogram|kg|gram|liter|milimeter|mm|kilometer|km|inci|kaki|hektare?)\b",
    re.IGNORECASE,
)


def date(text: str, start: int, end: int) -> Span | None:
    found = _DATE.search(text, start, min(end, start + 40))
    if not found or re.search(r"[.;]", text[start : found.start()]):
        return None
    return found.span(1) if found[1] else found.span(2)


def is_date(text: str, span: Span) -> bool:
    """Whether the words are a year or a century and nothing else."""
    return _DATE.fullmatch(text[span[0] : span[1]].strip().lower()) is not None


def number(text: str, start: int, end: int, unit: str, wording: Wording) -> Span | None:
    """A figure or a number word that counts the unit."""
    words = "|".join(sorted(wording.numbers, key=len, reverse=True)) or r"(?!)"
    counted = _counting(
        rf"(?:(?:sekitar|kira-kira|about|some|ongeveer)\s+)?((?:(?:minimal|maksimal|sedikitnya)\s+)?(?:{_FIGURES}|(?:{words})(?:\s+(?:belas|puluh))?"
        rf"(?:\s(?:sampai|hingga|atau|to|or|tot|of)\s(?:{words})(?:\s+(?:belas|puluh))?)?)\s+(?:{unit}))(?!\w)"
    )
    found = counted.match(text, start, end)
    if found is None:
        return None
    if or_more := _OR_MORE.match(text, found.end(), end):
        return trimmed(text, found.start(1), or_more.end())
    joint = _AND.match(text, found.end(), end)
    more = counted.match(text, joint.end(), end) if joint else None
    return trimmed(text, found.start(1), more.end(1) if more else found.end(1))


@cache
def _counting(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def measure(text: str, start: int, told: int, end: int) -> Span | None:
    """A length, weight or size, with the words that say which: `panjang` or `panjang kujang`."""
    found = _MEASURE.match(text, start, end) or _MEASURE.match(text, told, end)
    return trimmed(text, start, found.end()) if found else None

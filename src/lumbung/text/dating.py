"""Dates as pages write them, to the precision they have: day, month, year, decade or century."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from lumbung.text.quantity import in_figures, read_roman

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "januari january jan djanuari",
            "februari february feb pebruari februarij",
            "maret march mar maart",
            "april apr",
            "mei may",
            "juni june jun djuni juny",
            "juli july jul djuli july",
            "agustus august aug agu agustoes augustus agt ags",
            "september sept sep",
            "oktober october okt oct",
            "november nov nopember",
            "desember december des dec",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_ISO = re.compile(r"\b(\d{4})-(\d{1,2})(?:-(\d{1,2}))?\b")
_NUMERIC = re.compile(r"\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b")
_DAY_MONTH = re.compile(rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th|e)?\s+)?(?:of\s+)?({_MONTH})\.?,?\s+(\d{{3,4}})\b")
_MONTH_DAY = re.compile(rf"\b({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{3,4}})\b")
_CENTURY = re.compile(
    r"\babad\s+(?:ke\s*-?\s*)?(\d{1,2}|[ivx]+)\b|\b(\d{1,2})(?:st|nd|rd|th|e|de|ste)[\s-]+(?:century|eeuw)\b"
)
_DECADE = re.compile(r"\b(\d{3}0)\s*-?\s*(?:an|s)\b")
_YEAR = re.compile(r"\b(\d{3,4})\b\s*(saka|śaka|s|h|hijriah|hijriyah|ah|sm|bc|bce)?\b")
SAKA_BEGAN = 78
HIJRI_BEGAN = 621.57
HIJRI_YEAR = 0.970229
"""Of twelve moons, in years of the sun."""
_ERAS = dict.fromkeys(("saka", "śaka", "s"), "saka") | dict.fromkeys(("h", "hijriah", "hijriyah", "ah"), "hijri")


@dataclass(frozen=True, slots=True)
class Dating:
    """An interval of days written as (year, month, day) triples, in one era."""

    key: str
    first: tuple[int, int, int]
    last: tuple[int, int, int]
    era: str = "ce"

    def lies_within(self, other: Dating) -> bool:
        """Whether it says as much or more; years of two eras are the same where they share a day."""
        if self.era == other.era:
            return other.first <= self.first and self.last <= other.last
        (first, last), (start, end) = self.common_years, other.common_years
        return start <= last and first <= end and last - first <= end - start + 1

    @property
    def common_years(self) -> tuple[int, int]:
        """The years of the common era: a year of the Saka or the Hijri calendar begins in one and ends in the next."""
        if self.era == "saka":
            return self.first[0] + SAKA_BEGAN, self.last[0] + SAKA_BEGAN + 1
        if self.era == "hijri":
            began = int(self.first[0] * HIJRI_YEAR + HIJRI_BEGAN)
            return began, began + 1 + self.last[0] - self.first[0]
        return self.first[0], self.last[0]

    def overlaps(self, other: Dating) -> bool:
        return self.era == other.era and self.first <= other.last and other.first <= self.last


def _of_day(year: int, month: int, day: int | None) -> Dating | None:
    if not 1 <= month <= 12:
        return None
    if day is None:
        return Dating(f"{year:04d}-{month:02d}", (year, month, 1), (year, month, 31))
    if not 1 <= day <= _DAY_LENGTHS[month - 1]:
        return None
    return Dating(f"{year:04d}-{month:02d}-{day:02d}", (year, month, day), (year, month, day))


def _of_years(key: str, first: int, last: int, era: str = "ce") -> Dating:
    return Dating(key, (first, 1, 1), (last, 12, 31), era)


def _full_date(text: str) -> Dating | None:
    if found := _ISO.search(text):
        return _of_day(int(found[1]), int(found[2]), int(found[3]) if found[3] else None)
    if found := _NUMERIC.search(text):
        return _of_day(int(found[3]), int(found[2]), int(found[1]))
    if found := _MONTH_DAY.search(text):
        return _of_day(int(found[3]), _MONTHS[found[1]], int(found[2]))
    if found := _DAY_MONTH.search(text):
        return _of_day(int(found[3]), _MONTHS[found[2]], int(found[1]) if found[1] else None)
    return None


def read_date(text: str) -> Dating | None:
    """The first date of a text, or None. A day/month pair is read in the Indonesian order."""
    plain = in_figures(unicodedata.normalize("NFKC", text).casefold())
    if full := _full_date(plain):
        return full
    if found := _CENTURY.search(plain):
        written = found[1] or found[2]
        century = int(written) if written.isdigit() else read_roman(written)
        return _of_years(f"c{century}", century * 100 - 99, century * 100)
    if found := _DECADE.search(plain):
        decade = int(found[1])
        return _of_years(f"{decade}s", decade, decade + 9)
    if found := _YEAR.search(plain):
        year, mark = int(found[1]), found[2] or ""
        if mark in {"sm", "bc", "bce"}:
            return _of_years(f"-{year:04d}", -year, -year)
        era = _ERAS.get(mark, "ce")
        return _of_years(f"{year:04d}" if era == "ce" else f"{era}:{year}", year, year, era)
    return None

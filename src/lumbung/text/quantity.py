"""Numbers with units, as pages write them: `1.500,5 m`, `dua belas orang`, `10–15 cm`, `1½ jam`."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_UNITS: dict[str, tuple[str, float]] = {
    "mm": ("m", 0.001), "milimeter": ("m", 0.001), "millimeter": ("m", 0.001),
    "cm": ("m", 0.01), "sentimeter": ("m", 0.01), "centimeter": ("m", 0.01),
    "m": ("m", 1.0), "meter": ("m", 1.0), "metre": ("m", 1.0),
    "km": ("m", 1000.0), "kilometer": ("m", 1000.0),
    "gr": ("kg", 0.001), "g": ("kg", 0.001), "gram": ("kg", 0.001), "ons": ("kg", 0.1),
    "kg": ("kg", 1.0), "kilo": ("kg", 1.0), "kilogram": ("kg", 1.0), "kuintal": ("kg", 100.0), "ton": ("kg", 1000.0),
    "ml": ("l", 0.001), "mililiter": ("l", 0.001), "cc": ("l", 0.001), "l": ("l", 1.0), "liter": ("l", 1.0),
    "detik": ("s", 1.0), "second": ("s", 1.0), "menit": ("s", 60.0), "minute": ("s", 60.0),
    "jam": ("s", 3600.0), "hour": ("s", 3600.0), "hari": ("s", 86400.0), "day": ("s", 86400.0),
    "minggu": ("s", 604800.0), "pekan": ("s", 604800.0), "week": ("s", 604800.0),
    "orang": ("orang", 1.0), "person": ("orang", 1.0), "people": ("orang", 1.0), "penari": ("orang", 1.0),
    "pemain": ("orang", 1.0), "anak": ("orang", 1.0), "player": ("orang", 1.0), "dancer": ("orang", 1.0),
    "rp": ("idr", 1.0), "rupiah": ("idr", 1.0),
}  # fmt: skip

_ROMAN = {"i": 1, "v": 5, "x": 10}
_ONES = ("nol", "satu", "dua", "tiga", "empat", "lima", "enam", "tujuh", "delapan", "sembilan")
_WORDS = {word: value for value, word in enumerate(_ONES)} | {"sepuluh": 10, "sebelas": 11, "kosong": 0}
_ONE_OF = {"seratus": "ratus", "seribu": "ribu", "sejuta": "juta"}
_MULTIPLIERS = {"puluh": 10, "ratus": 100, "ribu": 1000, "juta": 1_000_000, "miliar": 1_000_000_000}

# From its first figure on and without going back: however long a row of figures is, it is read once.
_FIGURE = r"(?<!\d)(?<!\d[.,])\d++(?:[.,]\d++)*+"
_RANGE = re.compile(rf"({_FIGURE})\s*+(?:-|–|—|sampai(?:\s+dengan)?|hingga|s/d|s\.d\.|to|tot)\s*({_FIGURE})")
_SINGLE = re.compile(_FIGURE)
_NUMBER_WORD = "|".join(sorted([*_WORDS, *_ONE_OF, *_MULTIPLIERS, "belas"], key=len, reverse=True))
_WRITTEN_OUT = re.compile(rf"\b(?:{_NUMBER_WORD})(?:\s+(?:{_NUMBER_WORD}))*+\b")
_ORDINAL = re.compile(rf"\bke(?=(?:{_NUMBER_WORD})\b)")
_MEASURE = re.compile(
    rf"(?:{_RANGE.pattern}|{_FIGURE})\s*+({'|'.join(sorted(_UNITS, key=len, reverse=True))})(?:nya)?\b"
)

_EVERY = re.compile(
    r"\b(\d+) (hari|minggu|bulan|tahun|windu) sekali\b|\bsekali (?:dalam|setiap|tiap)? ?(\d+) (hari|minggu|bulan|tahun|windu)\b"
)
"""How often, put two ways: *tiga tahun sekali* is *setiap tiga tahun*."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """An interval in base units; low == high for a single number."""

    low: float
    high: float
    unit: str

    @property
    def key(self) -> str:
        number = f"{self.low:.10g}" if self.low == self.high else f"{self.low:.10g}..{self.high:.10g}"
        return f"{number} {self.unit}".rstrip()

    def overlaps(self, other: Quantity) -> bool:
        return self.low <= other.high and other.low <= self.high


def read_figure(figure: str) -> float:
    """`1.500,5` and `1,500.5` alike: the last separator is decimal unless it marks off three digits alone."""
    separators = [mark for mark in figure if mark in ".,"]
    if not separators:
        return float(figure)
    last = separators[-1]
    head, _, tail = figure.rpartition(last)
    thousands = len(tail) == 3 and (len(set(separators)) == 1) and not head.startswith("0")
    digits = re.sub(r"[.,]", "", head)
    return float(digits + tail) if thousands else float(f"{digits}.{tail}")


def read_words(text: str) -> float | None:
    """The Indonesian number written first in the text: `dua belas`, `seratus dua puluh lima`, `tiga ribu`."""
    total, group, current, found = 0, 0, 0, False
    for written in re.findall(r"[a-z]+", text):
        word = _ONE_OF.get(written, written)
        if word in _WORDS:
            current += _WORDS[word]
        elif word == "belas" and found:
            current += 10
        elif word in _MULTIPLIERS and (found or written in _ONE_OF):
            factor = _MULTIPLIERS[word]
            if factor >= 1000:
                total, group, current = total + max(group + current, 1) * factor, 0, 0
            else:
                group, current = group + max(current, 1) * factor, 0
        elif found:
            break
        else:
            continue
        found = True
    return float(total + group + current) if found else None


def read_roman(text: str) -> int:
    """In small letters: xiv is 14."""
    values = [_ROMAN[letter] for letter in text]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < after else value for value, after in pairs)


def written_out(number: int) -> str:
    """A number below a hundred in Indonesian, written together: 12 is `duabelas`."""
    tens, ones = divmod(number, 10)
    if number < 10:
        return _ONES[number]
    if tens == 1:
        return ("sepuluh", "sebelas", *(f"{each}belas" for each in _ONES[2:]))[ones]
    return f"{_ONES[tens]}puluh{_ONES[ones] if ones else ''}"


def _unit_in(text: str) -> tuple[str, float]:
    for word in re.findall(r"[^\W\d_]+", text):
        for form in (word, word.removesuffix("s"), word.removesuffix("nya")):
            if form in _UNITS:
                return _UNITS[form]
    return "", 1.0


def in_figures(plain: str) -> str:
    """Numbers written out, in small letters, as figures: `abad kesembilan belas` is `abad ke-19`."""
    plain = _ORDINAL.sub("ke-", plain)
    return _WRITTEN_OUT.sub(lambda found: f"{read_words(found[0]) or 0:.10g}", plain)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace("⁄", "/")


def with_measures(text: str) -> str:
    """The text with numbers in figures and each measure as one word: `dua meter` and `200 cm` are `2m`."""
    plain = _EVERY.sub(lambda found: f"setiap {found[1] or found[3]} {found[2] or found[4]}", in_figures(_plain(text)))
    return _MEASURE.sub(lambda found: _measure(found[0]), plain)


def _measure(written: str) -> str:
    quantity = read_quantity(written)
    if quantity is None:
        return written
    return quantity.key.replace(" ", "").replace("..", "sampai").replace(".", "koma")


def read_quantity(text: str) -> Quantity | None:
    """The first number or range of a text with its unit, or None when there is no number in it."""
    plain = _plain(text)
    if _RANGE.search(figures := in_figures(plain)):
        plain = figures
    spread = _RANGE.search(plain)
    if spread:
        low, high = sorted((read_figure(spread.group(1)), read_figure(spread.group(2))))
        rest = plain[spread.end() :] or plain
    else:
        single = _SINGLE.search(plain)
        value = read_figure(single.group()) if single else read_words(plain)
        if value is None:
            return None
        scale = re.match(r"\s*(ratus|ribu|juta|miliar)\b", plain[single.end() :]) if single else None
        low = high = value * (_MULTIPLIERS[scale.group(1)] if scale else 1)
        rest = plain[single.end() :] if single else plain
    unit, factor = _unit_in(rest)
    if not unit:
        unit, factor = _unit_in(plain)
    return Quantity(low * factor, high * factor, unit)

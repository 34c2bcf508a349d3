"""The columns of a table as the matcher sees them: what kind each is, and its values by number."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lumbung.text.dating import read_date
from lumbung.text.names import canonical_name
from lumbung.text.quantity import read_quantity

Codes = NDArray[np.int32]


class ColumnKind(StrEnum):
    NAME = "name"
    CATEGORY = "category"
    REGION = "region"
    DATE = "date"
    CODE = "code"
    NUMBER = "number"
    CLASS = "class"
    TEXT = "text"
    PROSE = "prose"
    SET = "set"


@dataclass(frozen=True)
class Column:
    """`codes[i]` is the place of record i's value in `distinct`, -1 where it has none."""

    label: str
    kind: ColumnKind
    codes: Codes
    distinct: tuple[str, ...]

    @cached_property
    def counts(self) -> NDArray[np.intp]:
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.distinct))

    @cached_property
    def place(self) -> dict[str, int]:
        return {value: code for code, value in enumerate(self.distinct)}

    @cached_property
    def lengths(self) -> NDArray[np.int32]:
        return np.fromiter(map(len, self.distinct), dtype=np.int32, count=len(self.distinct))


_SAMPLE = 2000
_LONGEST_VALUE = 400
_DIGIT_DATE = re.compile(r"(1[5-9]|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
_WRITTEN_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}\s+[^\W\d_]{3,}\.?,?\s+\d{4}")
_CODE = re.compile(r"(?=.*\d)[^\W_]+(?:[-./][^\W_]+)*")
_MEASURE = re.compile(r"[±~<>]?\s*\d+(?:[.,]\d+)*\s*(?:[^\W\d_]{1,10}|%)?")
_SEPARATOR = re.compile(r"\s*[;|,]\s*")
_OLD_SPELLING = re.compile(r"oe|tj|dj|sj|nj", re.IGNORECASE)


def _share(values: Sequence[str], pattern: re.Pattern[str]) -> float:
    return sum(1 for value in values if pattern.fullmatch(value)) / len(values)


def kind_of(values: Sequence[str]) -> ColumnKind:
    """What an attribute column holds, judged by its values alone."""
    known = [value for value in values if value]
    if not known:
        return ColumnKind.TEXT
    sample = known[:: max(1, len(known) // _SAMPLE)]
    if _share(sample, _DIGIT_DATE) >= 0.8 or _share(sample, _WRITTEN_DATE) >= 0.8:
        return ColumnKind.DATE
    if _share(sample, _CODE) >= 0.8:
        decimals = sum(1 for value in sample if re.fullmatch(r"\d+[.,]\d{1,2}", value)) / len(sample)
        return ColumnKind.NUMBER if decimals >= 0.3 else ColumnKind.CODE
    if _share(sample, _MEASURE) >= 0.8:
        return ColumnKind.NUMBER
    if sum(len(value.split()) for value in sample) / len(sample) > 8:
        return ColumnKind.PROSE
    distinct = len(set(known))
    if distinct <= max(2, min(60, len(known) // 50)):
        return ColumnKind.CLASS
    if sum(1 for value in sample if _SEPARATOR.search(value)) / len(sample) >= 0.3:
        return ColumnKind.SET
    return ColumnKind.TEXT


def _plain(value: str) -> str:
    folded = " ".join((value if value.isascii() else unicodedata.normalize("NFKC", value)).casefold().split())
    return canonical_name(folded).canonical.casefold() if _OLD_SPELLING.search(folded) else folded


def normal_form(value: str, kind: ColumnKind) -> str:
    """The value as it is compared; nothing is thrown away that could tell two values apart."""
    if kind is ColumnKind.DATE:
        if _DIGIT_DATE.fullmatch(value):
            return value
        date = read_date(value)
        return date.key.replace("-", "") if date else _plain(value)
    if kind is ColumnKind.CODE:
        return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", value[:_LONGEST_VALUE]).casefold()) or value
    if kind is ColumnKind.NUMBER:
        quantity = read_quantity(value)
        return quantity.key if quantity else _plain(value)
    if kind is ColumnKind.SET:
        return " | ".join(sorted({_plain(part) for part in _SEPARATOR.split(value) if part.strip()}))
    if kind is ColumnKind.NAME:
        return value
    return _plain(value) if kind is ColumnKind.PROSE else _plain(value[:_LONGEST_VALUE])


def column(
    label: str, values: Sequence[str], kind: ColumnKind | None = None, key: Callable[[str], str] = str
) -> Column:
    """Number the distinct values; the kind is read off the values when none is given, `key` may make several one."""
    found = kind or kind_of(values)
    of_raw: dict[str, int] = {}
    of_form: dict[str, int] = {}
    codes = np.full(len(values), -1, dtype=np.int32)
    for index, raw in enumerate(values):
        if not raw:
            continue
        code = of_raw.get(raw)
        if code is None:
            code = of_raw[raw] = of_form.setdefault(key(normal_form(raw, found)), len(of_form))
        codes[index] = code
    return Column(label, found, codes, tuple(of_form))

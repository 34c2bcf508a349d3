"""What the region values of anybody's table mean, asked of a gazetteer that may or may not know them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Protocol

from lumbung.text.region import FoundRegion

_CODE = re.compile(r"[a-z]{2}-[a-z]{2,3}|\d\d\.\d\d|x-[a-z-]+")
_PART = re.compile(r"\s*[,;/|()]\s*|\s+(?:dan|and)\s+")
_LONGEST_ABBREVIATION = 4
_AS_A_PLACE = ("Kabupaten", "Kota", "Pulau")
"""Put before a name that by itself could be a common word: in a column of regions it is a place."""


class KnowsRegions(Protocol):
    def find(self, text: str) -> list[FoundRegion]: ...

    def related(self, a: str, b: str) -> bool: ...

    def province_of(self, code: str) -> str | None: ...


class RegionReader:
    """Two values are one region if they name the same, however written; related if any of theirs are."""

    def __init__(self, gazetteer: KnowsRegions) -> None:
        self._gazetteer = gazetteer
        self.codes = lru_cache(maxsize=50_000)(self._codes)
        self.related = lru_cache(maxsize=200_000)(self._related)

    def _codes(self, value: str) -> tuple[str, ...]:
        written = [code.upper() if not code.startswith("x-") else code for code in _CODE.findall(value.casefold())]
        found = self._found(value)
        if not found:
            found = [code for part in _PART.split(value) if part for code in self._as_a_place(part)]
        return tuple(dict.fromkeys([*written, *found]))

    def _found(self, value: str) -> list[str]:
        forms = [value.title()] + [value.upper()] * (len(value) <= _LONGEST_ABBREVIATION)
        return [found.code for form in forms for found in self._gazetteer.find(form)]

    def _as_a_place(self, part: str) -> list[str]:
        return self._found(part) or [code for word in _AS_A_PLACE for code in self._found(f"{word} {part}")]

    def key(self, value: str) -> str:
        """The code of a value that means one region and no other; any other value is itself."""
        codes = self.codes(value)
        return codes[0].casefold() if len(codes) == 1 else value

    def _related(self, a: str, b: str) -> bool:
        return any(self._gazetteer.related(x, y) for x in self.codes(a) for y in self.codes(b))

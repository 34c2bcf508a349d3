"""When two region values of anybody's table belong together, asked of a gazetteer that may or may not know them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

from lumbung.text.region import FoundRegion

_CODE = re.compile(r"[a-z]{2}-[a-z]{2,3}|\d\d\.\d\d|x-[a-z-]+")


class KnowsRegions(Protocol):
    def find(self, text: str) -> list[FoundRegion]: ...

    def related(self, a: str, b: str) -> bool: ...

    def province_of(self, code: str) -> str | None: ...


def region_relation(gazetteer: KnowsRegions) -> Callable[[str, str], bool]:
    """Related if any region named on one side is related to any named on the other; the unknown relates to nothing."""

    @lru_cache(maxsize=50_000)
    def codes(value: str) -> tuple[str, ...]:
        written = [code.upper() if not code.startswith("x-") else code for code in _CODE.findall(value)]
        return tuple(dict.fromkeys([*written, *(found.code for found in gazetteer.find(value.title()))]))

    @lru_cache(maxsize=200_000)
    def related(a: str, b: str) -> bool:
        return any(gazetteer.related(x, y) for x in codes(a) for y in codes(b))

    return related

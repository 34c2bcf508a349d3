"""What the crawl remembers against running in circles: addresses seen, and patterns that gave nothing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

from lumbung.text.traps import fruitless_pattern, shape_of

MOST_KNOWN = 100_000


class KnownUrls:
    """Addresses that are surely in the frontier; the least recently met are forgotten and cost a look-up again."""

    def __init__(self, most: int = MOST_KNOWN) -> None:
        self._most = most
        self._urls: OrderedDict[str, None] = OrderedDict()

    def holds(self, url: str) -> bool:
        if url not in self._urls:
            return False
        self._urls.move_to_end(url)
        return True

    def add(self, urls: Iterable[str]) -> None:
        self._urls.update(dict.fromkeys(urls))
        while len(self._urls) > self._most:
            self._urls.popitem(last=False)


class ShapeBook:
    """Patterns of addresses that had a fair trial and gave nothing."""

    def __init__(self) -> None:
        self._fruitless: frozenset[str] = frozenset()

    def load(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self._fruitless = frozenset(row["shape"] for row in rows if fruitless_pattern(row["pages"], row["yielding"]))

    def refusal(self, url: str, host: str) -> str | None:
        if not self._fruitless:
            return None
        shape = shape_of(url)
        return f"trap: fruitless-pattern {shape.removeprefix(host)}" if shape in self._fruitless else None


def pattern_of(url: str) -> str | None:
    """The shape of an address that may be one of endlessly many: only patterns with a blank can be endless."""
    shape = shape_of(url)
    return shape if "{" in shape or "?" in shape else None

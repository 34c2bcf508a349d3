"""JSON-LD and microdata: what kinds of thing a page says it shows, and the plain values it gives them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from turbohtml import Document, Element

from lumbung.text.markup.invisible import tidy

_MOST_BYTES = 300_000
_MOST_NODES = 2_000
_MOST_VALUES = 40


@dataclass(frozen=True, slots=True)
class LinkedItem:
    types: frozenset[str]
    values: dict[str, list[str]] = field(default_factory=dict)

    def first(self, name: str) -> str:
        return next(iter(self.values.get(name, ())), "")


def read_linked_data(document: Document) -> list[LinkedItem]:
    """Flat items of both notations; what does not parse is passed over."""
    items: list[LinkedItem] = []
    for script in document.select("script[type='application/ld+json']"):
        source = script.text
        if len(source) > _MOST_BYTES:
            continue
        try:
            data = json.loads(source, strict=False)
        except (ValueError, RecursionError):
            continue
        items.extend(_items(data))
    items.extend(_microdata(document))
    return items[:_MOST_NODES]


def _items(data: Any) -> Iterator[LinkedItem]:
    waiting, seen = [data], 0
    while waiting and seen < _MOST_NODES:
        node = waiting.pop()
        seen += 1
        if isinstance(node, list):
            waiting.extend(reversed(node[:_MOST_NODES]))
        elif isinstance(node, dict):
            types = _texts(node.get("@type"))
            values = {
                name: found for name, value in node.items() if not name.startswith("@") and (found := _texts(value))
            }
            if types:
                yield LinkedItem(frozenset(_short(name) for name in types), values)
            waiting.extend(value for value in node.values() if isinstance(value, (list, dict)))


def _texts(value: Any) -> list[str]:
    """Text of a value, a list of values, or the name, text or address of a nested thing."""
    if isinstance(value, str):
        return [tidy(value)] if value.strip() else []
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return [str(value)]
    if isinstance(value, list):
        return [text for part in value[:_MOST_VALUES] if not isinstance(part, list) for text in _texts(part)]
    if isinstance(value, dict):
        for name in ("name", "text", "@value", "url", "@id"):
            if isinstance(value.get(name), str):
                return [tidy(value[name])]
    return []


def _short(name: str) -> str:
    return name.rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]


def _microdata(document: Document) -> Iterator[LinkedItem]:
    for scope in document.select("[itemscope][itemtype]")[:_MOST_VALUES]:
        values: dict[str, list[str]] = {}
        for element in scope.select("[itemprop]")[:_MOST_NODES]:
            if _scope_of(element) == scope:
                for name in (element.attr("itemprop") or "").split():
                    values.setdefault(name, []).append(_property(element))
        types = frozenset(_short(name) for name in (scope.attr("itemtype") or "").split())
        yield LinkedItem(types, {name: [text for text in texts if text] for name, texts in values.items()})


def _scope_of(element: Element) -> Element | None:
    for place in element.ancestors:
        if isinstance(place, Element) and place.attr("itemscope") is not None:
            return place
    return None


def _property(element: Element) -> str:
    for name in ("content", "datetime", "href", "src"):
        value = element.attr(name)
        if value is not None:
            return tidy(value)
    return tidy(element.text)

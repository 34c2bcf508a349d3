"""A look at the raw markup that costs microseconds and turns away what no parser survives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lumbung.text.markup.refusal import Unreadable, refused

MOST_CHARACTERS = 8_000_000
_MOST_TAGS = 250_000
_MOST_LINKS = 100_000
_MOST_ATTRIBUTES = 2_000
_DEEPEST = 2_000
_LONG_TAG_CHARACTERS = 8_000
_LONG_TAG = re.compile(rf"<[a-zA-Z][^<>]{{{_LONG_TAG_CHARACTERS},}}")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
        "p",
        "li",
        "td",
        "tr",
        "th",
        "dt",
        "dd",
        "option",
    ]
)


def refuse_hostile(markup: str) -> None:
    """Raises InputRefused for markup whose shape alone would hang or starve a parser."""
    if not markup or markup.isspace():
        raise refused(Unreadable.EMPTY)
    tags = markup.count("<")
    if tags > _MOST_TAGS:
        links = markup.count("<a ") + markup.count("<A ")
        raise refused(Unreadable.TOO_MANY_LINKS if links > _MOST_LINKS else Unreadable.TOO_MANY_ELEMENTS)
    if len(markup) > MOST_CHARACTERS:
        raise refused(Unreadable.TOO_LARGE)
    _refuse_attributes(markup)
    if tags >= _DEEPEST:
        _refuse_depth(markup)


def _refuse_attributes(markup: str) -> None:
    for found in _long_tags(markup):
        names = _QUOTED.sub("", found[0])
        if names.count("=") > _MOST_ATTRIBUTES or len(names.split(None, _MOST_ATTRIBUTES + 1)) > _MOST_ATTRIBUTES:
            raise refused(Unreadable.TOO_MANY_ATTRIBUTES)


def _long_tags(markup: str) -> Iterator[re.Match[str]]:
    """In leaps from tag to tag as far as one that is not long may reach: only behind the last of them is looked at."""
    start = markup.find("<")
    while start >= 0:
        last = markup.rfind("<", start + 1, start + _LONG_TAG_CHARACTERS + 2)
        if last < 0:
            found = _LONG_TAG.match(markup, start)
            if found is not None:
                yield found
            last = markup.find("<", start + 1)
        start = last


def _refuse_depth(markup: str) -> None:
    """Counts open elements; end tags that HTML lets one leave out do not count."""
    depth = 0
    for found in _TAG.finditer(markup):
        if found[2].lower() in _VOID:
            continue
        depth += -1 if found[1] else 1
        if depth > _DEEPEST:
            raise refused(Unreadable.TOO_DEEP)
        depth = max(depth, 0)

"""The words and tags of any markup in one linear pass, without a tree: for cheap readers and hostile pages."""

from __future__ import annotations

import html as entities
from collections.abc import Iterator

UNSEEN = ("script", "style", "template", "noscript")
_MAX_TAG_CHARS = 8_000


def split_between(markup: str, opening: str, closing: str) -> Iterator[tuple[bool, str]]:
    """The parts outside and inside the marks, in turn; nothing is looked for twice."""
    small = markup.lower() if len(markup.lower()) == len(markup) else markup
    position = 0
    while (start := small.find(opening, position)) >= 0:
        yield False, markup[position:start]
        end = small.find(closing, start + len(opening))
        if end < 0:
            yield True, markup[start + len(opening) :]
            return
        yield True, markup[start + len(opening) : end]
        position = end + len(closing)
    yield False, markup[position:]


def tags(markup: str) -> Iterator[tuple[str, str]]:
    """Text, and the tag that ends it."""
    position = 0
    while True:
        opening = markup.find("<", position)
        closing = markup.find(">", opening) if opening >= 0 else -1
        if closing < 0:
            yield markup[position : opening if opening >= 0 else None], ""
            return
        yield markup[position:opening], markup[opening + 1 : min(closing, opening + _MAX_TAG_CHARS)]
        position = closing + 1


def words_of(markup: str) -> str:
    """All words between the tags, navigation and buttons included; scripts, styles and comments are gone."""
    markup = "".join(part for inside, part in split_between(markup, "<!--", "-->") if not inside)
    for name in UNSEEN:
        markup = "".join(" " if inside else part for inside, part in split_between(markup, f"<{name}", f"</{name}"))
    return " ".join(entities.unescape(" ".join(text for text, _ in tags(markup))).split())

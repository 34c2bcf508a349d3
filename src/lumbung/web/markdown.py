"""Texts that people write with headings, lists and emphasis, as HTML; markup and pictures of their own stay letters."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

BENEATH = 2
"""The page has a heading and the section its own."""


@cache
def reader() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).disable(["image", "html_block", "html_inline"])


def rendered(text: str) -> Markup:
    tokens = reader().parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1]) + BENEATH)}"
    return Markup(reader().renderer.render(tokens, reader().options, {}))  # noqa: S704 - all text in it is escaped

"""The one place that knows the HTML parser."""

from __future__ import annotations

from turbohtml import Document, Element, Text, parse

__all__ = ["Document", "Element", "Text", "parse_html", "path_of", "words_of"]


def parse_html(markup: str) -> Document:
    return parse(markup)

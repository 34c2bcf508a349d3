"""Parsing in killable children: a page that hangs or starves a parser costs one child, not the worker."""

from __future__ import annotations

from lumbung.providers.parser.pool import ParserPool

__all__ = ["ParserPool"]

"""Headings that are written as paragraphs: a short line in bold or with a number, over a paragraph of prose."""

from __future__ import annotations

import re
from dataclasses import replace

from lumbung.text.markup.blocks import RawBlock

_NUMBERED = re.compile(r"\d{1,3}\s?[.)]\s*[^\W\d_]")
_LONGEST_WORDS = 9
_LONGEST = 70
_PROSE = 60
_LOWEST = 6


def with_headings(blocks: list[RawBlock]) -> list[RawBlock]:
    """The blocks, with such lines as headings below the last real one."""
    made: list[RawBlock] = []
    level = 1
    for place, block in enumerate(blocks):
        if block.kind == "heading":
            level = block.level
        following = blocks[place + 1] if place + 1 < len(blocks) else None
        if following is not None and _is_heading(block) and _is_prose(following):
            made.append(replace(block, kind="heading", level=min(level + 1, _LOWEST)))
        else:
            made.append(block)
    return made


def _is_heading(block: RawBlock) -> bool:
    text = block.text
    if block.kind != "paragraph" or len(text) > _LONGEST or "\n" in text or text[-1:] in ".!?:;,":
        return False
    marked = _NUMBERED.match(text) or (block.bold * 10 >= len(text) * 9 and text[:1].isupper())
    return bool(marked) and len(text.split()) <= _LONGEST_WORDS


def _is_prose(block: RawBlock) -> bool:
    return block.kind == "paragraph" and len(block.text) >= _PROSE and block.bold * 2 < len(block.text)

"""Lines of printed sheets as blocks: running heads dropped, paragraphs joined, words broken at line ends made whole."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from lumbung.text.markup.blocks import Container, RawBlock
from lumbung.text.markup.columns import Piece
from lumbung.text.markup.invisible import tidy

_PAGE_NUMBER = re.compile(
    r"^[\W_]*(?:(?:halaman|hal\.?|page|p\.|pagina|hlm\.?)\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:dari|of|van|/)\s*\d{1,4})?[\W_]*$",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_BULLET = re.compile(r"^\s*(?:[•·▪●○◦‣*–-]|\d{1,2}[.)]|[a-z][.)])\s+")
_EDGE = 0.1
_HEADING_GROWTH = 1.12
_LONGEST_HEADING = 120


@dataclass(slots=True)
class Line:
    """Heights are measured from the foot of the sheet."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    page: int
    at_edge: bool


def line_of(piece: Piece, page: int, height: float) -> Line:
    return Line(
        tidy(piece.text), piece.left, piece.right, piece.top, piece.bottom, piece.size, page,
        at_edge=piece.top > (1 - _EDGE) * height or piece.bottom < _EDGE * height,
    )  # fmt: skip


def without_running_heads(pages: list[list[Line]]) -> list[Line]:
    """Drops what repeats at the edge of several pages, numbers aside, and page numbers."""
    edges: Counter[str] = Counter()
    for lines in pages:
        edges.update({_pattern(line) for line in _edge(lines)})
    most = max(2, len(pages) // 3)
    kept: list[Line] = []
    for lines in pages:
        edge = {id(line) for line in _edge(lines)}
        for line in lines:
            running = id(line) in edge and (edges[_pattern(line)] >= most or _PAGE_NUMBER.match(line.text))
            if not running:
                kept.append(line)
    return kept


def _edge(lines: list[Line]) -> list[Line]:
    """The two highest and two lowest lines of a page, as far as they stand in its margins."""
    by_height = sorted(lines, key=lambda line: -line.top)
    return [line for line in by_height[:2] + by_height[-2:] if line.at_edge]


def _pattern(line: Line) -> str:
    return _DIGITS.sub("#", line.text.casefold())


def blocks_of(lines: list[Line]) -> list[RawBlock]:
    root = Container("#pdf")
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    body = sizes.most_common(1)[0][0]
    blocks: list[RawBlock] = []
    before: Line | None = None
    for line in lines:
        heading = line.size > body * _HEADING_GROWTH and len(line.text) <= _LONGEST_HEADING
        if heading:
            level = 1 if line.size > body * 1.5 else 2
            joined = before is not None and blocks and blocks[-1].kind == "heading" and _goes_on(before, line)
            if joined and blocks[-1].level == level:
                blocks[-1].text += " " + line.text
            else:
                blocks.append(RawBlock("heading", line.text, root, level))
        elif before is not None and blocks and blocks[-1].kind != "heading" and _goes_on(before, line):
            blocks[-1].text = _joined(blocks[-1].text, line.text)
        else:
            kind = "list-item" if _BULLET.match(line.text) else "paragraph"
            blocks.append(RawBlock(kind, _BULLET.sub("", line.text) if kind == "list-item" else line.text, root))
        before = line
    return [block for block in blocks if block.text.strip()]


def _goes_on(before: Line, line: Line) -> bool:
    """Whether a line continues the paragraph of the one before: same size, no gap, no indent, no bullet."""
    if abs(before.size - line.size) > 0.7 or _BULLET.match(line.text):
        return False
    if re.match(r"[A-Z][\w /()-]{1,30}\s?:\s", line.text):
        return False
    height = max(line.size, 1.0)
    ended = before.text.endswith((".", "!", "?", ":"))
    if before.page != line.page or line.top > before.top:
        return not ended
    gap = before.bottom - line.top
    if gap > 1.1 * height:
        return False
    indented = line.left - before.left > 0.8 * height and ended
    return not indented


def _joined(before: str, line: str) -> str:
    """Two lines as one; a hyphen at the end goes, unless it doubles a word or joins a figure."""
    broken = re.search(r"(\w+)[-\u2010]$", before)
    if not broken or not line[:1].islower():
        return f"{before} {line}"
    doubled = line.casefold().startswith(broken[1].casefold())
    return before + line if doubled else before[:-1] + line

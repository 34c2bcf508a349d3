"""PDF as a page: columns in reading order, words hyphenated at line ends made whole, running heads dropped."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from dataclasses import dataclass

import pypdfium2
from pypdfium2 import raw

from lumbung.model.candidate import PageText
from lumbung.text.markup.blocks import Container, RawBlock
from lumbung.text.markup.columns import Piece, in_reading_order
from lumbung.text.markup.invisible import tidy, visible
from lumbung.text.markup.plain import page_of
from lumbung.text.markup.refusal import Unreadable, refused

MOST_PAGES = 120
_MOST_PIECES = 20_000
_PAGE_NUMBER = re.compile(
    r"^[\W_]*(?:(?:halaman|hal\.?|page|p\.|pagina|hlm\.?)\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:dari|of|van|/)\s*\d{1,4})?[\W_]*$",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_BULLET = re.compile(r"^\s*(?:[•·▪●○◦‣*–-]|\d{1,2}[.)]|[a-z][.)])\s+")
_EDGE = 0.1
_SCAN_SHARE = 0.6
_FAINT, _NEAR_WHITE = 25, 245
_HEADING_GROWTH = 1.12
_LONGEST_HEADING = 120


@dataclass(slots=True)
class _Line:
    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    page: int
    at_edge: bool


def read_document(body: bytes) -> PageText:
    """Text of the first pages, as paragraphs and headings."""
    pages = _pages(body)
    lines = _without_running_heads(pages)
    if not lines:
        raise refused(Unreadable.NO_TEXT_LAYER)
    return page_of(_blocks(lines))


def _pages(body: bytes) -> list[list[_Line]]:
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        raise refused(Unreadable.ENCRYPTED_PDF if locked else Unreadable.DAMAGED_PDF) from error
    try:
        return [_lines(document, number) for number in range(min(len(document), MOST_PAGES))]
    except pypdfium2.PdfiumError as error:
        raise refused(Unreadable.DAMAGED_PDF) from error
    finally:
        document.close()


def _lines(document: pypdfium2.PdfDocument, number: int) -> list[_Line]:
    page = document[number]
    textpage = page.get_textpage()
    try:
        scanned = _is_scan(page)
        places = range(min(textpage.count_rects(), _MOST_PIECES))
        pieces = [piece for place in places if (piece := _piece(textpage, place, scanned=scanned))]
        low, high = _EDGE * page.get_height(), (1 - _EDGE) * page.get_height()
        return [
            _Line(
                tidy(piece.text), piece.left, piece.right, piece.top, piece.bottom, piece.size, number,
                at_edge=piece.top > high or piece.bottom < low,
            )
            for piece in in_reading_order(pieces)
        ]  # fmt: skip
    finally:
        textpage.close()
        page.close()


def _is_scan(page: pypdfium2.PdfPage) -> bool:
    """A picture fills the sheet: the invisible text over it is what the picture shows."""
    whole = page.get_width() * page.get_height()
    for picture in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=2):
        left, bottom, right, top = picture.get_bounds()
        if (right - left) * (top - bottom) > _SCAN_SHARE * whole:
            return True
    return False


def _piece(textpage: pypdfium2.PdfTextPage, place: int, *, scanned: bool) -> Piece | None:
    left, bottom, right, top = textpage.get_rect(place)
    text = visible(textpage.get_text_bounded(left, bottom, right, top)).strip("\r\n")
    if not text.strip() or right <= left or top <= bottom:
        return None
    index = raw.FPDFText_GetCharIndexAtPos(textpage.raw, left + 0.5, (top + bottom) / 2, 3.0, 3.0)
    size = raw.FPDFText_GetFontSize(textpage.raw, index) if index >= 0 else top - bottom
    if index >= 0 and not scanned and not _is_shown(textpage, index):
        return None
    return Piece(" ".join(text.split("\r\n")), left, bottom, right, top, float(size) or top - bottom)


def _is_shown(textpage: pypdfium2.PdfTextPage, index: int) -> bool:
    """Not in invisible rendering mode, not white, not of a size nobody can read."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    known = raw.FPDFText_GetFillColor(textpage.raw, index, red, green, blue, alpha)
    if known and (alpha.value < _FAINT or min(red.value, green.value, blue.value) > _NEAR_WHITE):
        return False
    text_object = raw.FPDFText_GetTextObject(textpage.raw, index)
    return not text_object or raw.FPDFTextObj_GetTextRenderMode(text_object) != raw.FPDF_TEXTRENDERMODE_INVISIBLE


def _without_running_heads(pages: list[list[_Line]]) -> list[_Line]:
    """Drops what repeats at the edge of several pages, numbers aside, and page numbers."""
    edges: Counter[str] = Counter()
    for lines in pages:
        edges.update({_pattern(line) for line in _edge(lines)})
    most = max(2, len(pages) // 3)
    kept: list[_Line] = []
    for lines in pages:
        edge = {id(line) for line in _edge(lines)}
        for line in lines:
            running = id(line) in edge and (edges[_pattern(line)] >= most or _PAGE_NUMBER.match(line.text))
            if not running:
                kept.append(line)
    return kept


def _edge(lines: list[_Line]) -> list[_Line]:
    """The two highest and two lowest lines of a page, as far as they stand in its margins."""
    by_height = sorted(lines, key=lambda line: -line.top)
    return [line for line in by_height[:2] + by_height[-2:] if line.at_edge]


def _pattern(line: _Line) -> str:
    return _DIGITS.sub("#", line.text.casefold())


def _blocks(lines: list[_Line]) -> list[RawBlock]:
    root = Container("#pdf")
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    body = sizes.most_common(1)[0][0]
    blocks: list[RawBlock] = []
    before: _Line | None = None
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


def _goes_on(before: _Line, line: _Line) -> bool:
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

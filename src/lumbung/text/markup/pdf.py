"""PDF as a page: columns in reading order, words hyphenated at line ends made whole, running heads dropped."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

import pypdfium2
from pypdfium2 import raw

from lumbung.model.candidate import PageText
from lumbung.text.markup.columns import Piece, in_reading_order
from lumbung.text.markup.invisible import visible
from lumbung.text.markup.layout import Line, blocks_of, line_of, without_running_heads
from lumbung.text.markup.plain import page_of
from lumbung.text.markup.refusal import Unreadable, refused

MOST_PAGES = 120
_MOST_PIECES = 20_000
_SCAN_SHARE = 0.6
_FAINT, _NEAR_WHITE = 25, 245


def read_document(body: bytes) -> PageText:
    """Text of the first pages, as paragraphs and headings."""
    pages = _pages(body)
    lines = without_running_heads(pages)
    if not lines:
        raise refused(Unreadable.NO_TEXT_LAYER)
    return page_of(blocks_of(lines))


def _pages(body: bytes) -> list[list[Line]]:
    with opened(body) as document:
        return [_lines(document, number) for number in range(min(len(document), MOST_PAGES))]


@contextmanager
def opened(body: bytes) -> Iterator[pypdfium2.PdfDocument]:
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        raise refused(Unreadable.ENCRYPTED_PDF if locked else Unreadable.DAMAGED_PDF) from error
    try:
        yield document
    except pypdfium2.PdfiumError as error:
        raise refused(Unreadable.DAMAGED_PDF) from error
    finally:
        document.close()


def _lines(document: pypdfium2.PdfDocument, number: int) -> list[Line]:
    page = document[number]
    textpage = page.get_textpage()
    try:
        scanned = _is_scan(page)
        places = range(min(textpage.count_rects(), _MOST_PIECES))
        pieces = [piece for place in places if (piece := _piece(textpage, place, scanned=scanned))]
        height = page.get_height()
        return [line_of(piece, number, height) for piece in in_reading_order(pieces)]
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

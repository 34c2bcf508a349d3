"""Pictures of pages, read letter by letter by a program: what it says of each sheet becomes lines like those of any PDF."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pypdfium2
from lxml import etree

from lumbung.model.candidate import PageText
from lumbung.text.markup.columns import Piece
from lumbung.text.markup.invisible import ILLEGIBLE
from lumbung.text.markup.layout import Line, blocks_of, line_of, without_running_heads
from lumbung.text.markup.pdf import opened
from lumbung.text.markup.plain import page_of
from lumbung.text.markup.refusal import Unreadable, refused

DOTS_PER_INCH = 300
_POINTS_PER_INCH = 72
_MOST_DOTS = 20_000_000
_SURE = 60.0
_LEAST_LEGIBLE = 0.5
_SAME_SIZE = 0.25
_FIGURES = re.compile(r"(\w+) ([\d. -]+)")


@dataclass(frozen=True, slots=True)
class Sheet:
    picture: bytes
    """Greys, as PGM."""
    dots_per_inch: int
    height: float
    """In points, as in PDF."""


Recognise = Callable[[Sheet], bytes]
"""A sheet's words with their places, as hOCR."""


def read_scan(body: bytes, most_pages: int, recognise: Recognise) -> PageText:
    """Text of the first pages, as paragraphs and headings; doubtful words are not told."""
    pages = [_lines(recognise(sheet), sheet, number) for number, sheet in enumerate(_sheets(body, most_pages))]
    _level(pages)
    lines = without_running_heads(pages)
    if not lines:
        raise refused(Unreadable.NO_LETTERS)
    return page_of(blocks_of(lines))


def _sheets(body: bytes, most_pages: int) -> Iterator[Sheet]:
    with opened(body) as document:
        for number in range(min(len(document), most_pages)):
            page = document[number]
            try:
                yield _sheet(page)
            finally:
                page.close()


def _sheet(page: pypdfium2.PdfPage) -> Sheet:
    width, height = page.get_size()
    scale = DOTS_PER_INCH / _POINTS_PER_INCH
    scale *= min(1.0, (_MOST_DOTS / max(1.0, width * height * scale * scale)) ** 0.5)
    bitmap = page.render(scale=scale, grayscale=True)
    try:
        rows = bytes(bitmap.buffer)
        if bitmap.stride != bitmap.width:
            starts = range(0, bitmap.stride * bitmap.height, bitmap.stride)
            rows = b"".join(rows[start : start + bitmap.width] for start in starts)
        head = f"P5 {bitmap.width} {bitmap.height} 255\n".encode()
        return Sheet(head + rows, max(1, round(scale * _POINTS_PER_INCH)), height)
    finally:
        bitmap.close()


def _lines(hocr: bytes, sheet: Sheet, number: int) -> list[Line]:
    """In the order in which the program read them."""
    try:
        tree = etree.fromstring(hocr, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError:
        return []
    found = tree.xpath("//*[contains(concat(' ', @class, ' '), ' ocr_par ')]/*[@title]")
    pieces = [piece for element in found if (piece := _piece(element, sheet))]
    return [line_of(piece, number, sheet.height) for piece in pieces]


def _piece(element: etree._Element, sheet: Sheet) -> Piece | None:
    """None where less than half of a line's words are sure: that is a stain, an ornament or a script it does not know."""
    words = [(" ".join(word.itertext()).strip(), _figures(word)) for word in element.xpath(".//*[@class='ocrx_word']")]
    words = [(text, figures) for text, figures in words if text]
    sure = [text if figures.get("x_wconf", [0.0])[0] >= _SURE else ILLEGIBLE for text, figures in words]
    if not words or sum(text != ILLEGIBLE for text in sure) < _LEAST_LEGIBLE * len(words):
        return None
    figures = _figures(element)
    point = _POINTS_PER_INCH / sheet.dots_per_inch
    left, top, right, bottom = (value * point for value in figures["bbox"])
    size = figures.get("x_size", [bottom - top])[0] * point
    return Piece(" ".join(sure), left, sheet.height - bottom, right, sheet.height - top, size)


def _figures(element: etree._Element) -> dict[str, list[float]]:
    """`bbox 80 90 500 130; x_size 40.5` by name."""
    return {
        name: [float(each) for each in values.split()] for name, values in _FIGURES.findall(element.get("title", ""))
    }


def _level(pages: list[list[Line]]) -> None:
    """Measured sizes differ from line to line with the letters in it: what is near the text's size has it."""
    sizes: Counter[float] = Counter()
    for line in (line for lines in pages for line in lines):
        sizes[round(line.size)] += len(line.text)
    if not sizes:
        return
    common = sizes.most_common(1)[0][0]
    for line in (line for lines in pages for line in lines):
        if abs(line.size - common) <= _SAME_SIZE * common:
            line.size = common

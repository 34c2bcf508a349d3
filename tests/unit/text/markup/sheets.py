"""Writes small PDF files, line by line, for tests."""

from __future__ import annotations

import io

import pypdfium2

Line = tuple[float, float, float, str]
"""Left, height above the bottom, font size, words."""


def pdf_of(sheets: list[list[Line]], extra: str = "") -> bytes:
    """A PDF with one page a sheet; `extra` is put before each text operator."""
    objects: list[bytes] = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    kids = []
    for lines in sheets:
        operators = "\n".join(
            f"BT {extra} /F1 {size} Tf 1 0 0 1 {left} {height} Tm ({_escaped(words)}) Tj ET"
            for left, height, size, words in lines
        )
        stream = operators.encode("cp1252")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
            % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    return _file(objects)


def _escaped(words: str) -> str:
    return words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _file(objects: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def scanned(pdf: bytes) -> bytes:
    """The same sheets as pictures, without a letter of text."""
    source, copy = pypdfium2.PdfDocument(pdf), pypdfium2.PdfDocument.new()
    for sheet in source:
        width, height = sheet.get_size()
        picture = pypdfium2.PdfImage.new(copy)
        picture.set_bitmap(sheet.render(scale=200 / 72, grayscale=True))
        picture.set_matrix(pypdfium2.PdfMatrix().scale(width, height))
        page = copy.new_page(width, height)
        page.insert_obj(picture)
        page.gen_content()
    file = io.BytesIO()
    copy.save(file)
    return file.getvalue()

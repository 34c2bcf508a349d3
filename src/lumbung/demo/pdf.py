"""A very small PDF writer: text with a real text layer in Helvetica, so that the demo's journal has true PDFs."""

from __future__ import annotations

import textwrap

LINES_PER_PAGE = 48
LINE_WIDTH = 88
FONT_SIZE = 11
LEADING = 15


def _literal(text: str) -> bytes:
    encoded = text.encode("cp1252", errors="replace")
    return encoded.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _lines(title: str, paragraphs: list[str]) -> list[str]:
    lines = [*textwrap.wrap(title, LINE_WIDTH), ""]
    for paragraph in paragraphs:
        for part in paragraph.splitlines():
            lines.extend(textwrap.wrap(part, LINE_WIDTH) or [""])
        lines.append("")
    return lines


def _content(lines: list[str]) -> bytes:
    shown = b"".join(b"(" + _literal(line) + b") Tj T*\n" for line in lines)
    start = f"BT /F1 {FONT_SIZE} Tf {LEADING} TL 56 780 Td\n".encode()
    return start + shown + b"ET"


def write_pdf(title: str, paragraphs: list[str], author: str = "") -> bytes:
    """A PDF 1.4 file; characters outside Windows-1252 become question marks."""
    lines = _lines(title, paragraphs)
    sheets = [lines[start : start + LINES_PER_PAGE] for start in range(0, len(lines), LINES_PER_PAGE)]
    first_page = 5
    kids = " ".join(f"{first_page + 2 * number} 0 R" for number in range(len(sheets)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Title (" + _literal(title) + b") /Author (" + _literal(author) + b") >>",
    ]
    for number, sheet in enumerate(sheets):
        content = _content(sheet)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
            + f"/Contents {first_page + 2 * number + 1} 0 R >>".encode()
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream")
    return _assemble(objects)


def _assemble(objects: list[bytes]) -> bytes:
    data = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    start = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    data += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    data += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(data)

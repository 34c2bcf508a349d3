"""Pictures of the demo world, drawn by code: geometric ornaments, never photographs."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, PngImagePlugin

if TYPE_CHECKING:
    from lumbung.demo.pages import Picture

SIDE = 240
CELL = 40
INDIGO, SOGA, CREAM = (32, 42, 84), (122, 74, 36), (245, 234, 210)


def draw(picture: Picture) -> tuple[bytes, str]:
    """The picture's bytes and content type; the file name's ending chooses PNG or SVG."""
    if picture.path.endswith(".svg"):
        return _svg(picture).encode(), "image/svg+xml"
    return _png(picture), "image/png"


def _cells() -> list[tuple[int, int]]:
    return [(x, y) for x in range(0, SIDE, CELL) for y in range(0, SIDE, CELL)]


def _png(picture: Picture) -> bytes:
    image = Image.new("RGB", (SIDE, SIDE), CREAM)
    pen = ImageDraw.Draw(image)
    for x, y in _cells():
        if picture.pattern == "kawung":
            pen.ellipse((x + 4, y + 12, x + CELL - 4, y + CELL - 12), fill=SOGA)
            pen.ellipse((x + 12, y + 4, x + CELL - 12, y + CELL - 4), fill=INDIGO)
        elif picture.pattern == "poleng":
            shade = INDIGO if (x // CELL + y // CELL) % 2 else CREAM
            pen.rectangle((x, y, x + CELL, y + CELL), fill=shade)
        else:
            pen.polygon([(x + CELL // 2, y), (x + CELL, y + CELL), (x, y + CELL)], fill=SOGA)
    note = PngImagePlugin.PngInfo()
    if picture.creator:
        note.add_text("Author", picture.creator)
    if picture.licence:
        note.add_text("Copyright", picture.licence)
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", pnginfo=note, optimize=True)
    return buffer.getvalue()


def _svg(picture: Picture) -> str:
    shapes = "".join(
        f'<path d="M{x + 20} {y} l20 20 l-20 20 l-20 -20 z" fill="#7a4a24" stroke="#202a54"/>' for x, y in _cells()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}" viewBox="0 0 {SIDE} {SIDE}">'
        f"<title>{picture.pattern}</title>{shapes}</svg>"
    )

"""Real children, real pictures, and pictures made to hurt."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from PIL import Image, PngImagePlugin

from lumbung.errors import InputRefused
from lumbung.ports.pictures import Attribution
from lumbung.providers.pictures import PictureDecoder

ATTRIBUTION = Attribution(
    "Museum Contoh", "CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/", "http://a.example/x"
)
XMP = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:cc="http://creativecommons.org/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/" xmpRights:WebStatement="http://a.example/hak">
<cc:license rdf:resource="https://creativecommons.org/licenses/by/4.0/"/>
<dc:creator><rdf:Seq><rdf:li>Siti</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>"""


def picture(form, size=(64, 48), mode="RGB", **options):
    out = io.BytesIO()
    Image.new(mode, size, 90).save(out, format=form, **options)
    return out.getvalue()


def located():
    """A photograph with a place, a camera, rights in EXIF and XMP, turned by its orientation."""
    exif = Image.Exif()
    exif[0x8298], exif[0x013B], exif[0x010F], exif[0x0112] = "All rights reserved", "Budi", "Kamera X", 6
    exif.get_ifd(0x8825).update({1: "S", 2: (7.0, 36.0, 28.0)})
    return picture("JPEG", exif=exif, xmp=XMP)


async def test_what_a_picture_says_of_itself_is_read_from_every_kind_of_metadata():
    seen = await PictureDecoder().look(located())
    assert (seen.format, seen.width, seen.height) == ("JPEG", 64, 48)
    assert {"All rights reserved", "https://creativecommons.org/licenses/by/4.0/", "http://a.example/hak"} <= set(
        seen.statements
    )
    assert seen.creator == "Siti"
    note = PngImagePlugin.PngInfo()
    note.add_text("Copyright", "CC BY-SA 4.0")
    note.add_text("Author", "Ayu")
    seen = await PictureDecoder().look(picture("PNG", pnginfo=note))
    assert (seen.statements, seen.creator) == (("CC BY-SA 4.0",), "Ayu")


async def test_a_copy_is_upright_and_carries_nothing_but_its_rights():
    clean = await PictureDecoder().clean(located(), ATTRIBUTION)
    assert (clean.content_type, clean.width, clean.height) == ("image/jpeg", 48, 64)
    again = Image.open(io.BytesIO(clean.content))
    assert {tag: value for tag, value in again.getexif().items() if tag not in {0x8298, 0x013B}} == {}
    assert again.getexif()[0x013B] == "Museum Contoh"
    assert "CC-BY-4.0" in again.getexif()[0x8298]
    assert b"Kamera" not in clean.content
    assert "xmp" not in again.info


@pytest.mark.parametrize(
    ("form", "mode"), [("PNG", "RGBA"), ("GIF", "P"), ("WEBP", "RGB"), ("TIFF", "RGB"), ("PNG", "I;16")]
)
async def test_pictures_of_every_kind_become_png_or_jpeg(form, mode):
    clean = await PictureDecoder().clean(picture(form, mode=mode), ATTRIBUTION)
    again = Image.open(io.BytesIO(clean.content))
    again.load()
    assert again.format in {"PNG", "JPEG"}


def bomb(side=60_000):
    """A PNG of a few bytes that claims billions of pixels."""

    def chunk(kind, body):
        return struct.pack("!I", len(body)) + kind + body + struct.pack("!I", zlib.crc32(kind + body))

    head = struct.pack("!IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\x00" * 1000))
        + chunk(b"IEND", b"")
    )


HOSTILE = {
    "a bomb": bomb(),
    "cut in the middle": picture("PNG", size=(300, 300))[:60],
    "a page": b"<html><body>bukan gambar</body></html>",
    "a drawing with script": b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "postscript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 100\n",
    "an icon": picture("PNG", size=(4, 4)),
    "noise after a head": b"\xff\xd8\xff\xe0" + bytes(range(256)) * 40,
    "nothing": b"",
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_what_cannot_be_decoded_within_the_limits_is_refused_with_a_reason(name):
    decoder = PictureDecoder()
    with pytest.raises(InputRefused) as caught:
        await decoder.look(HOSTILE[name])
        await decoder.clean(HOSTILE[name], ATTRIBUTION)
    assert caught.value.reason


async def test_a_picture_that_takes_too_long_costs_its_child_alone():
    with pytest.raises(InputRefused, match="too long"):
        await PictureDecoder(seconds=0.001).look(picture("PNG"))


async def test_a_child_without_memory_says_so_or_ends_and_nothing_else_does():
    with pytest.raises(InputRefused):
        await PictureDecoder(memory_bytes=80_000_000).clean(picture("PNG", size=(5000, 5000)), ATTRIBUTION)

"""The child: one picture from standard input, within its limits of memory and pixels; it opens no file and no socket."""

from __future__ import annotations

import io
import resource
import sys
import warnings

from PIL import Image, ImageOps, PngImagePlugin, UnidentifiedImageError

from lumbung.ports.pictures import Attribution, SeenPicture
from lumbung.providers.pictures.embedded_rights import EXIF_ARTIST, EXIF_COPYRIGHT, creator, statements
from lumbung.providers.pictures.wire import ORDER, REPORT, Report

FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "TIFF")
"""By the bytes, whatever the label says; what the decoder does not know is never handed to another."""
MOST_PIXELS = 50_000_000
LONGEST_SIDE = 2048
SMALLEST_SIDE = 16
JPEG_QUALITY = 85


class UnfitError(Exception):
    """Why this picture is not taken."""


def opened(body: bytes) -> Image.Image:
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    image = Image.open(io.BytesIO(body), formats=FORMATS)
    if image.width * image.height > MOST_PIXELS:
        raise UnfitError("too many pixels")
    if min(image.width, image.height) < SMALLEST_SIDE:
        raise UnfitError("too small to show anything")
    return image


def look(image: Image.Image) -> Report:
    seen = SeenPicture(image.format or "", image.width, image.height, statements(image), creator(image))
    return Report(seen=seen)


def clean(image: Image.Image, attribution: Attribution) -> tuple[Report, bytes]:
    """The first frame, upright and at most so large, in a format that browsers show."""
    image.load()
    upright = ImageOps.exif_transpose(image)
    has_alpha = "A" in upright.getbands() or "transparency" in upright.info
    pixels = upright.convert("RGBA" if has_alpha else "RGB")
    pixels.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    fresh = Image.new(pixels.mode, pixels.size)
    fresh.paste(pixels)
    as_png = has_alpha or image.format in {"PNG", "GIF"}
    content = encoded_png(fresh, attribution) if as_png else encoded_jpeg(fresh, attribution)
    content_type = "image/png" if as_png else "image/jpeg"
    return Report(content_type=content_type, width=fresh.width, height=fresh.height), content


def rights_line(attribution: Attribution) -> str:
    pieces = (attribution.licence, attribution.licence_url, attribution.source_url)
    return "; ".join(piece for piece in pieces if piece)


def encoded_png(image: Image.Image, attribution: Attribution) -> bytes:
    note = PngImagePlugin.PngInfo()
    note.add_itxt("Author", attribution.creator)
    note.add_itxt("Copyright", rights_line(attribution))
    out = io.BytesIO()
    image.save(out, format="PNG", pnginfo=note)
    return out.getvalue()


def encoded_jpeg(image: Image.Image, attribution: Attribution) -> bytes:
    exif = Image.Exif()
    exif[EXIF_ARTIST] = attribution.creator.encode("ascii", "xmlcharrefreplace").decode()
    exif[EXIF_COPYRIGHT] = rights_line(attribution).encode("ascii", "xmlcharrefreplace").decode()
    out = io.BytesIO()
    image.save(out, format="JPEG", quality=JPEG_QUALITY, exif=exif)
    return out.getvalue()


def answer(order: bytes, body: bytes) -> tuple[Report, bytes]:
    attribution = ORDER.validate_json(order).attribution
    try:
        image = opened(body)
        return (look(image), b"") if attribution is None else clean(image, attribution)
    except UnfitError as error:
        return Report(refused=str(error)), b""
    except (MemoryError, Image.DecompressionBombError, Image.DecompressionBombWarning):
        return Report(refused="too many pixels"), b""
    except UnidentifiedImageError:
        return Report(refused="not a picture of a kind that is copied"), b""
    except Exception:  # noqa: BLE001 - any picture may break a decoder; the reason is recorded, the child ends
        return Report(refused="a damaged picture"), b""


def main(memory_bytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    order, body = sys.stdin.buffer.readline(), sys.stdin.buffer.read()
    report, content = answer(order, body)
    sys.stdout.buffer.write(REPORT.dump_json(report) + b"\n" + content)


if __name__ == "__main__":
    main(int(sys.argv[1]))

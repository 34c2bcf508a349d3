"""What a picture's own metadata states about rights and author: EXIF, IPTC, XMP, PNG texts and comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree
from PIL import Image, ImageFile, IptcImagePlugin

LONGEST = 2000
EXIF_COPYRIGHT, EXIF_ARTIST = 0x8298, 0x013B
IPTC_RIGHTS = ((2, 116), (2, 105))
IPTC_CREATOR = ((2, 80), (2, 110))
TEXT_RIGHTS = ("copyright", "license", "licence", "rights", "usage terms")
TEXT_CREATOR = ("author", "artist", "creator")
XMP_NAMES = ("xmp", "XML:com.adobe.xmp")
XMP_RIGHTS = ("rights", "UsageTerms", "WebStatement", "license", "Marked")
XMP_CREATOR = ("creator", "Credit", "attributionName")
RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"


def statements(image: Image.Image) -> tuple[str, ...]:
    """Each statement once, in a stable order."""
    found = [*_exif(image, EXIF_COPYRIGHT), *_iptc(image, IPTC_RIGHTS), *_texts(image, TEXT_RIGHTS)]
    found += [told for told in _xmp(image, XMP_RIGHTS) if told.casefold() not in {"true", "false"}]
    return tuple(dict.fromkeys(found))


def creator(image: Image.Image) -> str:
    named = [*_xmp(image, XMP_CREATOR), *_iptc(image, IPTC_CREATOR), *_exif(image, EXIF_ARTIST)]
    named += _texts(image, TEXT_CREATOR)
    return next(iter(named), "")


def _plain(value: Any) -> Iterator[str]:
    for each in value if isinstance(value, (list, tuple)) else [value]:
        text = each.decode("utf-8", "replace") if isinstance(each, bytes) else str(each)
        cleaned = " ".join(text.replace("\x00", " ").split())[:LONGEST]
        if cleaned:
            yield cleaned


def _exif(image: Image.Image, tag: int) -> list[str]:
    value = image.getexif().get(tag)
    return [] if value is None else list(_plain(value))


def _iptc(image: Image.Image, wanted: tuple[tuple[int, int], ...]) -> list[str]:
    held = (IptcImagePlugin.getiptcinfo(image) if isinstance(image, ImageFile.ImageFile) else None) or {}
    return [told for key in wanted if key in held for told in _plain(held[key])]


def _texts(image: Image.Image, wanted: tuple[str, ...]) -> list[str]:
    return [
        told
        for name, value in image.info.items()
        if isinstance(name, str) and name.casefold() in wanted and isinstance(value, (str, bytes))
        for told in _plain(value)
    ]


def _xmp(image: Image.Image, wanted: tuple[str, ...]) -> list[str]:
    packet = next((image.info[name] for name in XMP_NAMES if name in image.info), None)
    if not isinstance(packet, (str, bytes)):
        return []
    raw = packet.encode("utf-8", "replace") if isinstance(packet, str) else packet
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        tree = etree.fromstring(raw.strip(b"\x00 \r\n\t"), parser)
    except etree.XMLSyntaxError:
        return []
    return [told for value in _xmp_values(tree, wanted) for told in _plain(value)]


def _xmp_values(tree: Any, wanted: tuple[str, ...]) -> Iterator[str]:
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        for name, value in element.attrib.items():
            if etree.QName(name).localname in wanted:
                yield str(value)
        if etree.QName(element).localname in wanted:
            yield str(element.get(f"{RDF}resource") or "")
            yield from (str(text) for text in element.itertext())

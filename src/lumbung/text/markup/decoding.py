"""Bytes of a page to text, by what the page and its server declare, then by detection."""

from __future__ import annotations

import codecs
import re

import chardet

from lumbung.text.markup.refusal import Unreadable, refused

_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{2,40})", re.IGNORECASE)
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([\w-]{2,40})", re.IGNORECASE)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 64_000
# WHATWG: these labels mean the Windows code page.
_WIDENED = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252"}


def decoded(body: bytes, content_type: str = "") -> str:
    """Text of any bytes that are text; refuses what is binary."""
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body.decode(encoding, "replace").lstrip("\ufeff")
    if _is_binary(body):
        raise refused(Unreadable.NOT_TEXT)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        pass
    header = _IN_HEADER.search(content_type)
    meta = _DECLARED.search(body[:4_096])
    for label in (header[1] if header else "", meta[1].decode("ascii", "replace") if meta else ""):
        text = _try(body, label)
        if text is not None:
            return text
    return _detected(body)


def _is_binary(body: bytes) -> bool:
    sample = body[:_SAMPLE]
    nulls = sample.count(0)
    if nulls * 20 > len(sample):
        # UTF-16 without a mark: every other byte is zero.
        return not (sample[1::2].count(0) * 3 > len(sample) or sample[::2].count(0) * 3 > len(sample))
    controls = sum(sample.count(byte) for byte in range(1, 9)) + sum(sample.count(byte) for byte in range(14, 27))
    return controls * 20 > len(sample)


def _try(body: bytes, label: str) -> str | None:
    if not label:
        return None
    try:
        name = codecs.lookup(_WIDENED.get(label.lower(), label)).name
        if name.startswith("utf-8"):
            lossy = body.decode("utf-8", "replace")
            return lossy if lossy.count("\ufffd") * 200 < len(lossy) else None
        return body.decode(name, "replace") if codecs.lookup(name)._is_text_encoding else None  # noqa: SLF001
    except (LookupError, ValueError):
        return None


def _detected(body: bytes) -> str:
    guess = chardet.detect(body[:_SAMPLE]).get("encoding") or "cp1252"
    try:
        return body.decode(guess, "replace")
    except LookupError:
        return body.decode("cp1252", "replace")

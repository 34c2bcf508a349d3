"""Bytes to text: marks, labels, detection, and repair of text that was decoded wrongly before it reached us."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Literal

from lumbung.text.charset_label import declared_charsets

Via = Literal["mark", "header", "meta", "valid-utf-8", "detected", "fallback"]

FALLBACK = "cp1252"
_SCANNED_FOR_META = 16_384
_SCANNED_FOR_DETECTION = 65_536

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_WEB_MEANING = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "utf-16": "utf-16-le",
    "utf-7": "cp1252",
}
"""What browsers take these labels for: a page's author tested it in one."""

_NOT_CHARSETS = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"})
_LABELS_BY_CODEC = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
    "utf-16-le": "unicode csunicode iso-10646-ucs-2 ucs-2 unicodefeff",
    "utf-16-be": "unicodefffe",
    "iso8859-6": "csiso88596e csiso88596i iso-8859-6-e iso-8859-6-i",
    "iso8859-7": "sun_eu_greek",
    "iso8859-8": "csiso88598e csiso88598i iso-8859-8-e iso-8859-8-i visual logical",
    "iso8859-15": "csisolatin9",
    "koi8-r": "koi koi8",
    "koi8-u": "koi8-ru",
    "mac_roman": "mac csmacintosh x-mac-roman",
    "mac_cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "cp874": "dos-874 iso885911 windows-874",
    "gbk": "csgb2312 gb_2312 gb_2312-80 x-gbk",
    "big5": "cn-big5 x-x-big5",
    "euc_jp": "cseucpkdfmtjapanese x-euc-jp",
    "shift_jis": "windows-31j x-sjis",
    "euc_kr": "cseuckr csksc56011987 iso-ir-149 ks_c_5601-1989 ksc_5601 windows-949",
}
_LABEL_SPELLINGS = {label: codec for codec, labels in _LABELS_BY_CODEC.items() for label in labels.split()}
"""Labels of the encoding standard that Python does not know by these names."""
_LABEL = re.compile(r"[a-z0-9_:.()-]{2,40}")
_NUMBERED_LABEL = re.compile(r"iso8859(\d{1,2})|x-(cp125[0-8])")
_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]+)", re.IGNORECASE)
_MOJIBAKE = re.compile(
    "[\u00c2\u00c3\u00e2\u00e3\u00ef\u00ea][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e"
    "\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]"
)


@dataclass(frozen=True, slots=True)
class DecodedText:
    text: str
    encoding: str
    via: Via
    repaired: bool = False


def decode(body: bytes, content_type: str | None = None) -> DecodedText:
    """The text of a page or plain file. Never fails: what cannot be read becomes U+FFFD."""
    decoded = _decode(body, content_type)
    repaired = without_mojibake(decoded.text)
    return DecodedText(repaired, decoded.encoding, decoded.via, repaired != decoded.text)


def _decode(body: bytes, content_type: str | None) -> DecodedText:
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return DecodedText(body[len(mark) :].decode(encoding, "replace"), encoding, "mark")
    utf8 = _strictly(body, "utf-8")
    if utf8 is not None and not (utf8.isascii() and ("\x1b" in utf8 or "\x00" in utf8)):
        # Text in another charset is valid UTF-8 only by a rare accident, whatever its label says.
        return DecodedText(utf8, "utf-8", "valid-utf-8")
    declared = _declared(body, content_type)
    for encoding, via in declared:
        text = _strictly(body, encoding)
        if text is not None and _is_plausible(text):
            return DecodedText(text, encoding, via)
    if any(encoding == "utf-8" for encoding, _ in declared) and _share_of_errors(body) < 0.01:
        # A cut or a few damaged bytes do not make another charset of a page that says UTF-8 and is.
        return DecodedText(body.decode("utf-8", "replace"), "utf-8", declared[0][1])
    return _detected(body)


def _declared(body: bytes, content_type: str | None) -> list[tuple[str, Via]]:
    found: list[tuple[str, Via]] = []
    header = _HEADER.search(content_type or "")
    if header and (encoding := codec_of(header.group(1))):
        found.append((encoding, "header"))
    known = filter(None, map(codec_of, declared_charsets(body[:_SCANNED_FOR_META])))
    if encoding := next(known, None):
        # A meta element that could be read as ASCII does not stand in UTF-16.
        found.append(("utf-8" if encoding.startswith("utf-16") else encoding, "meta"))
    return found


def codec_of(label: str) -> str | None:
    """The codec that the web means by a label; None for what is no charset."""
    name = label.strip().lower()
    if not _LABEL.fullmatch(name):
        return None
    numbered = _NUMBERED_LABEL.fullmatch(name)
    if numbered:
        name = numbered.group(2) or f"iso8859-{numbered.group(1)}"
    try:
        codec = codecs.lookup(_LABEL_SPELLINGS.get(name, name))
    except (LookupError, ValueError):
        return None
    if not codec._is_text_encoding or codec.name.replace("-", "_") in _NOT_CHARSETS:  # noqa: SLF001 - no public way
        return None
    return _WEB_MEANING.get(codec.name, codec.name)


def _strictly(body: bytes, encoding: str) -> str | None:
    try:
        return body.decode(encoding)
    except (UnicodeDecodeError, UnicodeError):
        return None


def _is_plausible(text: str) -> bool:
    """A wrong single-byte charset decodes anything, but leaves control characters where letters were."""
    sample = text[:_SCANNED_FOR_DETECTION]
    controls = sum(1 for character in sample if "\x7f" <= character <= "\x9f" or character == "\x00")
    return controls * 50 <= len(sample)


def _share_of_errors(body: bytes) -> float:
    text = body.decode("utf-8", "replace")
    beyond_ascii = sum(1 for character in text if character > "\x7f")
    return text.count("\ufffd") / max(1, len(text)) if beyond_ascii > 2 * text.count("\ufffd") else 1.0


def _detected(body: bytes) -> DecodedText:
    import chardet

    guess = chardet.detect(_telling_sample(body))
    encoding = codec_of(guess["encoding"] or "") if (guess["confidence"] or 0) >= 0.3 else None
    if encoding is not None:
        return DecodedText(body.decode(encoding, "replace"), encoding, "detected")
    return DecodedText(body.decode(FALLBACK, "replace"), FALLBACK, "fallback")


def _telling_sample(body: bytes) -> bytes:
    """The stretch around the first byte beyond ASCII: a long head of markup says nothing about letters."""
    first = re.search(rb"[\x80-\xff\x1b\x00]", body)
    start = max(0, first.start() - 1024) if first else 0
    return body[start : start + _SCANNED_FOR_DETECTION]


def without_mojibake(text: str) -> str:
    """Repairs the lines that show the marks of UTF-8 once read as Latin-1 or Windows-1252."""
    if not _MOJIBAKE.search(text):
        return text
    import ftfy

    lines = text.split("\n")
    return "\n".join(ftfy.fix_encoding(line) if _MOJIBAKE.search(line) else line for line in lines)

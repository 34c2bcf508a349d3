"""Text that is safe in XML and CSV: control characters gone, formulas disarmed."""

from __future__ import annotations

import re

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def xml_text(text: str) -> str:
    return _BIDI.sub("", _NOT_XML.sub("", text))


def csv_cell(text: str) -> str:
    """A spreadsheet must not take a cell for a formula."""
    plain = xml_text(text)
    return f"'{plain}" if plain.startswith(_FORMULA) else plain

"""Text that is safe wherever it is shown: unseen characters gone, nothing that XML forbids, formulas disarmed."""

from __future__ import annotations

import re
from typing import Any

UNSEEN = dict.fromkeys(
    code
    for first, last in ((0x00, 0x1F), (0x7F, 0x9F), (0x202A, 0x202E), (0x2066, 0x2069), (0xFFF9, 0xFFFB))
    for code in range(first, last + 1)
    if chr(code) not in "\n\t"
)
"""Control characters, and those that turn the direction of the text around them; joiners of a script stay."""
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FORMULA = tuple("=+-@\t\n\uff1d\uff0b\uff0d\uff20")


def inert(value: Any) -> Any:
    """A text without what cannot be seen, and so every text in a list or a record; anything else as it is."""
    if isinstance(value, str):
        return value.translate(UNSEEN)
    if isinstance(value, list):
        return [inert(each) for each in value]
    return {name: inert(each) for name, each in value.items()} if isinstance(value, dict) else value


def xml_text(text: str) -> str:
    return _NOT_XML.sub("", text.translate(UNSEEN))


def csv_cell(text: str) -> str:
    """A spreadsheet must not take a cell for a formula."""
    plain = xml_text(text)
    return f"'{plain}" if plain.startswith(_FORMULA) else plain


def json_line(text: str) -> str:
    """A line of JSON with what cannot be seen as escapes: the same to a program, inert before eyes."""
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_ESCAPED = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]")

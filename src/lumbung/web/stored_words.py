"""What the machine stored as a sentence or a code (why something waits, was refused or ended), in the reader's language.

`messages/reasons.<language>.toml` holds the sentences with places for values, as they are written in the code, and bare
codes. A value is itself looked up again, so that `blocked: {why}` needs no line for every block.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from string import Formatter
from typing import Any

JOINT = "; "
LONGEST_KNOWN = 600
"""Nothing longer is written by the code itself."""
DEEPEST = 3
DECIMAL = re.compile(r"-?\d+\.\d+")


def shape(template: str) -> re.Pattern[str]:
    """A sentence with places for values, as a pattern that finds the values again."""
    pieces = [
        re.escape(literal) + (f"(?P<{name}>.*?)" if name else "") for literal, name, _, _ in Formatter().parse(template)
    ]
    return re.compile("".join(pieces), re.DOTALL)


def value_in(language: str, value: str) -> str:
    """A value that is a decimal number and nothing else has the reader's decimal sign; any other stays as it is."""
    return value.replace(".", ",") if language == "id" and DECIMAL.fullmatch(value) else value


@cache
def book(language: str) -> tuple[dict[str, str], tuple[tuple[re.Pattern[str], str], ...]]:
    """Texts without places, found at once; and those with places, tried in the order of the file."""
    text = files("lumbung.web").joinpath("messages", f"reasons.{language}.toml").read_text(encoding="utf-8")
    known = tomllib.loads(text)
    plain = {stored: told for stored, told in known.items() if "{" not in stored}
    return plain, tuple((shape(stored), told) for stored, told in known.items() if "{" in stored)


@lru_cache(maxsize=4096)
def stored_in(language: str, stored: str) -> str:
    """In the reader's language as far as it is known; what nobody wrote down is shown as it was stored."""
    if len(stored) > LONGEST_KNOWN:
        return stored
    return JOINT.join(piece_in(language, piece, DEEPEST) for piece in stored.split(JOINT))


def piece_in(language: str, piece: str, depth: int) -> str:
    plain, patterns = book(language)
    if piece in plain or not depth:
        return plain.get(piece) or value_in(language, piece)
    for pattern, told in patterns:
        found = pattern.fullmatch(piece)
        if found:
            return told.format(
                **{name: piece_in(language, value, depth - 1) for name, value in found.groupdict().items()}
            )
    head, colon, rest = piece.partition(": ")
    return plain.get(head, head) + colon + rest if colon else value_in(language, piece)


def is_known(language: str, stored: str) -> bool:
    plain, patterns = book(language)
    return stored in plain or any(pattern.fullmatch(stored) for pattern, _ in patterns)


def consulted_in(language: str, ratified: Mapping[str, Any] | None) -> str:
    """Whom a guardian talked it over with; the demo's own words for nobody are the machine's."""
    return ", ".join(stored_in(language, each) for each in (ratified or {}).get("consulted", ()))

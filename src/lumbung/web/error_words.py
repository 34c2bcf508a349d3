"""What an action says when it refuses, in the reader's language; the sentences stand in `messages/errors.id.toml`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from string import Formatter


def shape(template: str) -> re.Pattern[str]:
    """A sentence with places for values, as a pattern that finds the values again."""
    pieces = [
        re.escape(literal) + (f"(?P<{name}>.*?)" if name else "") for literal, name, _, _ in Formatter().parse(template)
    ]
    return re.compile("".join(pieces), re.DOTALL)


@cache
def sentences() -> tuple[tuple[re.Pattern[str], str], ...]:
    text = files("lumbung.web").joinpath("messages", "errors.id.toml").read_text(encoding="utf-8")
    return tuple((shape(english), indonesian) for english, indonesian in tomllib.loads(text).items())


def told_in(language: str, told: str) -> str:
    """In Indonesian where the sentence is known; a sentence that is not is better read in English than lost."""
    if language != "id":
        return told
    for pattern, indonesian in sentences():
        found = pattern.fullmatch(told)
        if found:
            return indonesian.format(**found.groupdict())
    return told

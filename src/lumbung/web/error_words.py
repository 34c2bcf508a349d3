"""What an action says when it refuses, in the reader's language; the sentences stand in `messages/errors.id.toml`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from lumbung.web.language import Words
from lumbung.web.stored_words import shape, stored_in, value_in

CODES = {"verb": "verb", "risk": "risk", "risks": "risk", "mode": "mode", "present": "mode", "modes": "mode"}
ROLES = {"wanted"}
"""Places for codes that have words of their own, one or several."""
STORED = {"causes", "trial"}
"""Places for what the machine stores in sentences of its own; all others hold what somebody asked for."""


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
            return indonesian.format(**{name: told_value(name, value) for name, value in found.groupdict().items()})
    return told


def told_value(name: str, value: str) -> str:
    if name in CODES:
        return ", ".join(Words("id").code(CODES[name], each) for each in value.split(", "))
    if name in ROLES:
        return " atau ".join(Words("id").code("role", each) for each in value.split(" or "))
    return stored_in("id", value) if name in STORED else value_in("id", value)

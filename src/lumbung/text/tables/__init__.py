"""Word tables of the spelling, name and value modules, as data."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def word_table(name: str) -> frozenset[str]:
    """The words of a file of this folder; a line that begins with # says what they are."""
    lines = files(__name__).joinpath(name).read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())

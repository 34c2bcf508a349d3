"""Word tables of the spelling, name and value modules, as data."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def word_lines(name: str) -> tuple[tuple[str, ...], ...]:
    """The lines of a file of this folder, each as its words; a line that begins with # says what they are."""
    lines = files(__name__).joinpath(name).read_text("utf-8").splitlines()
    return tuple(tuple(line.split()) for line in lines if line and not line.startswith("#"))


@cache
def word_table(name: str) -> frozenset[str]:
    return frozenset(word for line in word_lines(name) for word in line)

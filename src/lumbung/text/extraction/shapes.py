"""Shapes of values: what words of each a language demands, refuses and how many it bears."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from lumbung.model.profile import ValueShape


@dataclass(frozen=True, slots=True)
class Shape:
    most_words: int
    names_things: bool
    """Whether it is nouns with their adjectives: no pronoun, no number alone, no word that only says that there are some."""
    needs: re.Pattern[str]
    refuses: re.Pattern[str]
    one_of: frozenset[str]
    """Words of which one must stand in it; empty: any words will do."""

    def bears(self, value: str, words: list[str]) -> bool:
        """Whether the words have this shape, but for what the names of things may not be."""
        if len(words) > self.most_words or self.refuses.search(value) or not self.needs.search(value):
            return False
        return not self.one_of or not self.one_of.isdisjoint(words)


def shapes_of(data: dict[str, Any]) -> dict[ValueShape, Shape]:
    """The shapes that a language's file describes; one that no profile can name is a fault of the file."""
    lists = data.get("words", {})
    return {ValueShape(name): _shape(row, lists) for name, row in data.get("shapes", {}).items()}


def _shape(row: dict[str, Any], lists: dict[str, list[str]]) -> Shape:
    return Shape(
        most_words=row["most_words"],
        names_things=row.get("names_things", False),
        needs=re.compile(row.get("needs", ""), re.IGNORECASE),
        refuses=re.compile(row.get("refuses", "(?!)"), re.IGNORECASE),
        one_of=frozenset(lists[row["one_of"]]) if "one_of" in row else frozenset(),
    )

"""Facts as spans: the only place where one is made, so that none is without its quote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lumbung.model.candidate import ExtractedFact

_LONGEST_QUOTE = 300
_HEROES = "tokoh"
_WEARERS = "pemakai"


@dataclass(slots=True)
class Evidence:
    """Collects the facts of one item; each is a span of the page's text."""

    text: str
    language: str
    facts: dict[tuple[str, str], ExtractedFact] = field(default_factory=dict)
    regions: dict[str, None] = field(default_factory=dict)
    """Codes of the regions of origin, in the order in which they were found."""
    _places: set[tuple[str, str]] = field(default_factory=set)

    def is_new_place(self, attribute: str, place: str) -> bool:
        """Whether this attribute does not have the place yet: `Surakarta (Solo)` is one."""
        is_new = (attribute, place) not in self._places
        self._places.add((attribute, place))
        return is_new

    def has(self, attribute: str, around: tuple[int, int]) -> bool:
        """Whether these words gave a value of the attribute already."""
        return any(
            fact.attribute == attribute and around[0] <= fact.start and fact.end <= around[1]
            for fact in self.facts.values()
        )

    def add(self, attribute: str, value: str, around: tuple[int, int], at: tuple[int, int], confidence: float) -> None:
        """Keeps the surest of equal facts; the quote is the sentence or row, cut down around the value when long."""
        value = " ".join(value.split())
        if not value:
            return
        start, end = _shortened(self.text, around, at)
        fact = ExtractedFact(attribute, value, self.text[start:end], start, end, self.language, confidence)
        key = (attribute, value.casefold())
        if key not in self.facts or self.facts[key].confidence < confidence:
            self.facts[key] = fact

    def forget_name(self, name: str) -> None:
        """Takes back what says nothing: the item's own name as a value. A tale may be named after its hero."""
        own = name.casefold()
        for attribute, value in list(self.facts):
            part = attribute == _WEARERS and own.endswith(f" {value}")
            if (value == own and attribute != _HEROES) or part:
                del self.facts[attribute, value]

    def keep(self, is_sound: Callable[[ExtractedFact], bool]) -> None:
        """Takes back all that may not stand."""
        for key, fact in list(self.facts.items()):
            if not is_sound(fact):
                del self.facts[key]


def _shortened(text: str, around: tuple[int, int], at: tuple[int, int]) -> tuple[int, int]:
    start, end = around
    if end - start <= _LONGEST_QUOTE:
        return start, end
    room = max(0, _LONGEST_QUOTE - (at[1] - at[0]))
    start = max(start, at[0] - room * 2 // 3)
    while start > around[0] and not text[start - 1].isspace():
        start -= 1
    end = min(end, max(at[1], start + _LONGEST_QUOTE))
    while end < around[1] and end > at[1] and not text[end].isspace():
        end -= 1
    return start, end

"""Facts as spans: the only place where one is made, so that none is without its quote."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from enum import StrEnum

from lumbung.model.candidate import ExtractedFact

_LONGEST_QUOTE = 300
_HEROES = "tokoh"
_WEARERS = "pemakai"


class Kind(StrEnum):
    """By what a page says a fact; `evaluation/extraction/kinds.py` tells how often each was right on judged pages."""

    ROW = "row"
    """A row of a table of labels and values."""
    RECORD = "record"
    """A cell below the header of its column, in a table of things."""
    LINE = "line"
    """`Label: value` in a line of text."""
    SECTION = "section"
    """What stands below a heading that names the attribute."""
    LISTED = "listed"
    """The entries below a sentence that ends with a cue."""
    DATA = "data"
    """Linked data that the page shows too."""
    HEADING = "heading"
    """What a heading puts beside the name."""
    GENUS = "genus"
    """What a definition calls the thing."""
    ALIAS = "alias"
    """Other names in the subject of a definition."""
    DEFINITION = "definition"
    """What else a definition says."""
    NAMED = "named"
    """A sentence that calls the thing by its name."""
    SHOWN = "shown"
    """A sentence that takes it up by its kind or a pronoun."""
    UNSAID = "unsaid"
    """A sentence that leaves its subject out."""
    PART = "part"
    """A sentence about a part of the thing."""
    BESIDES = "besides"
    """A sentence of the thing's text with another subject."""
    MENTION = "mention"
    """A land named in passing: `minuman khas Jawa Barat ini`."""


_CONFIDENCE = {
    Kind.ROW: 0.95,
    Kind.RECORD: 0.95,
    Kind.LINE: 0.92,
    Kind.SECTION: 0.9,
    Kind.LISTED: 0.88,
    Kind.DATA: 0.92,
    Kind.HEADING: 0.9,
    Kind.GENUS: 0.9,
    Kind.ALIAS: 0.93,
    Kind.DEFINITION: 0.92,
    Kind.NAMED: 0.9,
    Kind.SHOWN: 0.88,
    Kind.UNSAID: 0.87,
    Kind.PART: 0.86,
    Kind.BESIDES: 0.86,
    Kind.MENTION: 0.88,
}
"""Set by hand, in the order in which readers found the kinds to be right: they rank equal facts, and are no measured shares."""


@dataclass(slots=True)
class Evidence:
    """Collects the facts of one item; each is a span of the page's text."""

    text: str
    language: str
    facts: dict[tuple[str, str], ExtractedFact] = field(default_factory=dict)
    regions: dict[str, None] = field(default_factory=dict)
    """Codes of the regions of origin, in the order in which they were found."""
    kinds: dict[tuple[str, str], Kind] = field(default_factory=dict)
    """By what each fact is said."""
    _places: set[tuple[str, str]] = field(default_factory=set)

    def is_new_place(self, attribute: str, place: str) -> bool:
        """Whether this attribute does not have the place yet: `Surakarta (Solo)` is one."""
        is_new = (attribute, place) not in self._places
        self._places.add((attribute, place))
        return is_new

    def has_place(self, attribute: str, place: str) -> bool:
        return (attribute, place) in self._places

    def has(self, attribute: str, around: tuple[int, int]) -> bool:
        """Whether these words gave a value of the attribute already."""
        return any(
            fact.attribute == attribute and around[0] <= fact.start and fact.end <= around[1]
            for fact in self.facts.values()
        )

    def add(self, attribute: str, value: str, around: tuple[int, int], at: tuple[int, int], kind: Kind) -> None:
        """Keeps the surest of equal facts; the quote is the sentence or row, cut down around the value when long."""
        value = " ".join(value.split())
        if not value:
            return
        start, end = _shortened(self.text, around, at)
        fact = ExtractedFact(attribute, value, self.text[start:end], start, end, self.language, _CONFIDENCE[kind])
        key = (attribute, value.casefold())
        if key not in self.facts or self.facts[key].confidence < fact.confidence:
            self.facts[key] = fact
            self.kinds[key] = kind

    def forget_name(self, name: str) -> None:
        """Takes back what says nothing: the item's own name as a value. A tale may be named after its hero."""
        own = name.casefold()
        for attribute, value in list(self.facts):
            part = attribute == _WEARERS and own.endswith(f" {value}")
            if (value == own and attribute != _HEROES) or part:
                del self.facts[attribute, value]

    def forget_within(self, attributes: Container[str]) -> None:
        """Takes back what another value of the same words says and more, of these attributes."""
        kept = list(self.facts.items())
        for key, fact in kept:
            wider = (other for other_key, other in kept if other_key != key and other.attribute == fact.attribute)
            if fact.attribute in attributes and any(
                fact.value.casefold() in each.value.casefold() and fact.start < each.end and each.start < fact.end
                for each in wider
            ):
                del self.facts[key]

    def kind_of(self, fact: ExtractedFact) -> Kind:
        return self.kinds[fact.attribute, fact.value.casefold()]

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

"""Items of several pieces of one page become candidates: one name, one candidate; every fact once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lumbung.model.candidate import Candidate, ExtractedFact, MediaReference
from lumbung.text.names import name_key

ENGINE = "llm"


@dataclass(frozen=True, slots=True)
class GroundedItem:
    """An item of one segment whose name and facts stand in the page."""

    name: str
    aliases: tuple[str, ...]
    category: str | None
    regions: tuple[str, ...]
    facts: tuple[ExtractedFact, ...]
    pictures: tuple[int, ...]

    def keys(self) -> set[str]:
        return {name_key(name) for name in (self.name, *self.aliases)} - {""}


@dataclass
class Group:
    keys: set[str] = field(default_factory=set)
    items: list[GroundedItem] = field(default_factory=list)


def merged(items: Iterable[GroundedItem], media: Sequence[MediaReference]) -> list[Candidate]:
    """In the order of the page; names that meet, under whatever alias, are one item."""
    groups: list[Group] = []
    for item in items:
        keys = item.keys()
        meeting = [group for group in groups if group.keys & keys]
        home = meeting[0] if meeting else Group()
        if not meeting:
            groups.append(home)
        for other in meeting[1:]:
            home.items += other.items
            home.keys |= other.keys
            groups.remove(other)
        home.items.append(item)
        home.keys |= keys
    return [candidate(group.items, media) for group in groups]


def candidate(items: Sequence[GroundedItem], media: Sequence[MediaReference]) -> Candidate:
    name = items[0].name
    others = [each for item in items for each in (item.name, *item.aliases)]
    category = agreed(item.category for item in items)
    facts = {
        (fact.attribute, fact.value.casefold(), fact.start, fact.end, fact.polarity): fact
        for item in items
        for fact in item.facts
    }
    pictures = sorted({number for item in items for number in item.pictures})
    return Candidate(
        name=name,
        aliases=tuple(dict.fromkeys(each for each in others if name_key(each) not in {"", name_key(name)})),
        category=category,
        regions=tuple(dict.fromkeys(code for item in items for code in item.regions)),
        facts=tuple(sorted(facts.values(), key=lambda fact: (fact.start, fact.end, fact.attribute, fact.value))),
        media=tuple(media[number - 1] for number in pictures if 1 <= number <= len(media)),
        engine=ENGINE,
        parked=None if category else "category-open",
    )


def agreed(categories: Iterable[str | None]) -> str | None:
    """What most pieces say; a tie stays open."""
    counted = Counter(category for category in categories if category).most_common(2)
    if not counted or (len(counted) == 2 and counted[0][1] == counted[1][1]):
        return None
    return counted[0][0]

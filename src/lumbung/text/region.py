"""The gazetteer: which of the profile's places, peoples and cultural regions a text names.

A name that can mean several regions is settled by the words beside it, by the region named right after it, by the
same name elsewhere in the text and by the other regions of the text. What stays ambiguous is given as the province
that all its readings share (`via` is then "open"), or not at all: a guess is never presented as a fact.
"""

from __future__ import annotations

from dataclasses import dataclass

from lumbung.model.profile import Profile
from lumbung.text.region_choice import Choice, Chooser
from lumbung.text.region_names import RegionNames

UNKNOWN = frozenset({"", "-"})
_ADMINISTRATIVE = frozenset({"regency", "city"})
_LONGEST_REMEMBERED = 100
_MOST_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class FoundRegion:
    code: str
    province: str | None
    name: str
    level: str
    via: str
    """name, alias, old-name, people; context: settled by the rest of the text; open: only its province is sure."""
    start: int
    end: int


class Gazetteer:
    def __init__(self, profile: Profile) -> None:
        self._regions = profile.regions
        self._names = RegionNames.of(profile)
        self._remembered: dict[str, list[FoundRegion]] = {}
        """Names are asked about again and again while one page is read."""

    def find(self, text: str) -> list[FoundRegion]:
        """Every mention that can be settled, in the order of the text; offsets in code points."""
        if len(text) > _LONGEST_REMEMBERED:
            return self._settled(text)
        found = self._remembered.get(text)
        if found is None:
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            found = self._remembered[text] = self._settled(text)
        return list(found)

    def _settled(self, text: str) -> list[FoundRegion]:
        mentions = self._names.mentions(text)
        choices = Chooser(self._names, text, mentions).choices() if mentions else ()
        return [found for choice in choices if (found := self._found(choice))]

    def _found(self, choice: Choice) -> FoundRegion | None:
        start, end = choice.mention.start, choice.mention.end
        if choice.reading is None:
            province = self._regions.get(choice.province or "")
            if province is None:
                return None
            return FoundRegion(province.code, province.code, province.name, province.level, "open", start, end)
        region = choice.reading.region
        via = "context" if choice.by_context else choice.reading.via
        return FoundRegion(region.code, region.province, region.name, region.level, via, start, end)

    def related(self, a: str, b: str) -> bool:
        """Whether items of these two regions may be one: a regency and its province, a people and its provinces.

        An unknown region relates to all.
        """
        if a in UNKNOWN or b in UNKNOWN or a == b:
            return True
        first, second = self._regions.get(a), self._regions.get(b)
        if first is None or second is None:
            return False
        if not first.provinces or not second.provinces:
            return True
        if {first.level, second.level} <= _ADMINISTRATIVE:
            return False
        if first.level == second.level == "people":
            return a.startswith(b + "-") or b.startswith(a + "-")
        return bool(set(first.provinces) & set(second.provinces))

    def province_of(self, code: str) -> str | None:
        region = self._regions.get(code)
        return region.province if region else None

    def provinces_of(self, code: str) -> tuple[str, ...]:
        region = self._regions.get(code)
        return region.provinces if region else ()

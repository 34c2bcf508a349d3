"""What an initiative's profile says: categories, attributes, regions, words, sources and scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class ValueKind(StrEnum):
    TEXT = "text"
    SET = "set"
    NUMBER = "number"
    DATE = "date"
    PLACE = "place"
    PERSON = "person"


class ValueShape(StrEnum):
    """What the words of a value look like; how each language words a shape stands with the language."""

    FREE = "free"
    THINGS = "things"
    NAME = "name"
    PEOPLE = "people"
    MOTIFS = "motifs"
    COLOURS = "colours"
    TASTES = "tastes"
    TIME = "time"
    MEANING = "meaning"
    SYMBOL = "symbol"
    PURPOSE = "purpose"
    MANNER = "manner"
    RECOGNITION = "recognition"
    SOUNDING = "sounding"
    CHARACTERS = "characters"


class SourceType(StrEnum):
    ACADEMIC = "academic"
    OFFICIAL = "official"
    COMMUNITY = "community"
    UNKNOWN = "unknown"
    ENCYCLOPAEDIA = "encyclopaedia"


@dataclass(frozen=True, slots=True)
class Category:
    code: str
    label: str
    label_en: str
    generic_words: tuple[str, ...] = ()
    light_words: tuple[str, ...] = ()
    """Words that names of this category have or lack without being another's: titles of honour, *old*, *hat*."""
    confusable: tuple[str, ...] = ()
    sensitive: bool = False
    target: int = 0


@dataclass(frozen=True, slots=True)
class Attribute:
    code: str
    label: str
    label_en: str
    kind: ValueKind
    single: bool
    categories: frozenset[str]
    """Empty: every category has it."""
    surface: tuple[str, ...] = ()
    """The labels under which pages, in any language, write this attribute."""
    shape: ValueShape = ValueShape.FREE

    def belongs_to(self, category: str | None) -> bool:
        return not self.categories or category is None or category in self.categories


@dataclass(frozen=True, slots=True)
class Region:
    code: str
    name: str
    level: str
    """province, regency, city, people or cultural."""
    province: str | None
    """ISO 3166-2 code of its province; None where there is none or there are several."""
    provinces: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    """Other and older names."""


@dataclass(frozen=True, slots=True)
class LexiconTerm:
    term: str
    language: str
    category: str
    """A category code, or "" for words that speak of culture in general."""
    role: str
    """head (generic head word of a name), genus (of a definition), marker, commerce, news or foreign."""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class SourceRule:
    type: SourceType
    rule: str
    """host, suffix or path."""
    pattern: str
    reason: str


@dataclass(frozen=True, slots=True)
class SensitiveTerm:
    term: str
    category: str
    reason: str


@dataclass(frozen=True, slots=True)
class Seed:
    url: str
    category: str
    region: str
    cost: float
    note: str


@dataclass(frozen=True)
class Sentences:
    """How an entry's facts are worded; as it stands here, by their labels and values alone."""

    opening: str = "{title} ({kind}, {places})."
    opening_without_place: str = "{title} ({kind})."
    opening_of_people: str = ""
    """With the peoples apart from the places; where it is empty, they stand among the places."""
    opening_of_people_without_place: str = ""
    opening_tells: str = ""
    """The attribute whose values are the places of the opening, so that they need not be told again."""
    labelled: str = "{label}: {value}."
    disputed: str = "{label}: {values}."
    low_confidence: str = "{sentence} (?)"
    supplement: str = ""
    disclosure: str = ""
    list_joint: str = ", "
    list_end: str = ", "
    pair_joint: str = ", "
    rival_joint: str = " / "
    openers: frozenset[str] = frozenset()
    kinds: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    category: dict[str, dict[str, str]] = field(default_factory=dict)

    def template(self, category: str, attribute: str) -> str | None:
        return self.category.get(category, {}).get(attribute) or self.attributes.get(attribute)


@dataclass(frozen=True, slots=True)
class TilePlace:
    """Where a province stands on the map, counted from 1: on a wide screen and on a phone."""

    region: str
    short: str
    wide: tuple[int, int]
    narrow: tuple[int, int]


PEOPLE, CULTURAL = "people", "cultural"
UNOFFICIAL = (PEOPLE, CULTURAL)


@dataclass(frozen=True)
class Profile:
    name: str
    version: str
    language: str
    """ISO 639-3 code of the canonical language."""
    timezone: str
    library_title: str
    categories: dict[str, Category]
    attributes: dict[str, Attribute]
    regions: dict[str, Region]
    lexicon: tuple[LexiconTerm, ...]
    sources: tuple[SourceRule, ...]
    sensitive: tuple[SensitiveTerm, ...]
    scope: str
    scope_en: str = ""
    remarks_en: dict[str, str] = field(default_factory=dict)
    """What the profile says in passing (reasons of rules and terms, notes on seeds), in English."""
    synonyms: dict[str, str] = field(default_factory=dict)
    """Words of values that mean the same, each with the one it is compared as; in small letters."""
    seeds: dict[str, tuple[Seed, ...]] = field(default_factory=dict)
    """By tranche: the file's stem."""
    constants: dict[str, object] = field(default_factory=dict)
    """Version 1 of every governed row."""
    sentences: Sentences = field(default_factory=Sentences)
    tiles: tuple[TilePlace, ...] = ()
    """Empty: the home page has no map."""
    words_version: int = 1
    """Of the governed lexicon, which the words are those of."""

    def has_scope(self, code: str) -> bool:
        """Whether a role can be given for it: a category, a province, a regency, a people or a cultural region."""
        return code in self.categories or code in self.regions

    def places_said(self, codes: Sequence[str]) -> list[str]:
        """Names of regions for a reader, without those that say less than another: an island beside its provinces, a
        people whose name a province or regency bears.
        """
        return [each.name for each in self._said(codes)]

    def peoples_and_places(self, codes: Sequence[str]) -> tuple[list[str], list[str], str]:
        """The same, those who live there apart from where it is; last the province in which all the places lie, if it is named."""
        said = self._said(codes)
        places = [each for each in said if each.level != PEOPLE]
        around = next((each for each in places if each.code == each.province), None)
        within = [each for each in places if each is not around]
        if around is None or not within or any(each.province != around.code for each in within):
            around, within = None, places
        peoples = [each.name for each in said if each.level == PEOPLE]
        return peoples, [each.name for each in within], around.name if around else ""

    def _said(self, codes: Sequence[str]) -> list[Region]:
        known = [self.regions[code] for code in codes if code in self.regions]
        official = [each for each in known if each.level not in UNOFFICIAL]
        provinces = {each.province for each in official}
        words = [set(each.name.split()) for each in official]
        return [
            each
            for each in known
            if each in official
            or not (
                any(set(each.name.split()) <= said for said in words)
                or (each.level == CULTURAL and not provinces.isdisjoint((each.province, *each.provinces)))
            )
        ]

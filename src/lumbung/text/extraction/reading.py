"""What every part of the extractor needs at hand while it reads one page."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lumbung.model.candidate import Block, PageText
from lumbung.model.profile import Profile
from lumbung.text.extraction.category import Vocabulary, folded_words, singulars, vocabulary_of
from lumbung.text.extraction.runs import cut_runs
from lumbung.text.extraction.sentences import Sentence, sentences
from lumbung.text.extraction.titles import is_numbered
from lumbung.text.extraction.wording import Relation, Wording
from lumbung.text.region import FoundRegion, Gazetteer

_TRANSLATED_INTO = "ind"
_QUOTES = "\"'“”‘’*_"
_LEVELS = frozenset(
    [
        "pulau",
        "kabupaten",
        "kota",
        "provinsi",
        "propinsi",
        "daerah",
        "tanah",
        "suku",
        "island",
        "regency",
        "city",
        "province",
        "of",
        "the",
    ]
)
_LANDS = frozenset(
    {"pulau", "kepulauan", "tanah", "dataran", "lembah", "kabupaten", "kota", "provinsi", "propinsi", "kab."}
)
_DISTRICTS = ("Kabupaten", "Kota")
_LANDS_AFTER = frozenset({"island", "islands", "regency", "province", "city", "eiland", "eilanden"})
_LAND_OF = re.compile(
    r"\b(?:islands?|regency|province|city|district|region|land|eiland|provincie|pulau) (?:of |van )?(?:the |de )?$",
    re.IGNORECASE,
)
_OF_REACH = 24
_SEARCHED_CHARACTERS = 60_000
_LONGEST_ACRONYM = 3
_LONGEST_LINE = 60
_FEWEST_LINES = 2
_OPENING_WORDS = 4
_OPENING = 100
_BESIDE = re.compile(r"\s+[–—|(-]\s*|\s*\(")
_BY_WHOM = re.compile(
    r"\b(?:karya|ciptaan|gubahan|karangan|oleh|pencipta|pengarang|komponis|koreografer|bernama|Raden|Pangeran|Sultan|Sunan|Raja|Datuk|Tuanku|"
    r"Haji|Syekh|Nyi|Ki|Empu|Mpu|by|door|composer|author)\s+(?:[a-z]+\s+)?$"
)
_PART_OF = re.compile(r"\b(?:West|East|North|South|Western|Eastern|Northern|Southern|Central)(?:ern)? $")
_MORE_OF_A_NAME = re.compile(r"\s(?!Indonesia\b)[A-Z][a-z]")


@dataclass(frozen=True, slots=True)
class Reading:
    page: PageText
    profile: Profile
    gazetteer: Gazetteer
    vocabulary: Vocabulary
    wording: Wording
    regions: tuple[FoundRegion, ...]
    """Of the whole page: a name is settled by its surroundings."""
    blocks: tuple[Block, ...]
    """Of the page, with the numbered lines over its parts as headings, and entries that run together cut."""
    _starts: tuple[int, ...]
    """Of the regions."""
    _sentences: dict[tuple[int, int], list[Sentence]] = field(default_factory=dict)
    _relations: dict[str, tuple[Relation, ...]] = field(default_factory=dict)
    _hints: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    _hinted: dict[tuple[int, int, str], list[Relation]] = field(default_factory=dict)
    members: dict[tuple[str, int, int], list[tuple[int, int]]] = field(default_factory=dict)
    """Of the enumerations read so far, by their sentence and their place in it: several cues lead to one."""

    @classmethod
    def of(cls, page: PageText, profile: Profile, gazetteer: Gazetteer, wording: Wording) -> Reading:
        regions = gazetteer.find(page.text[:_SEARCHED_CHARACTERS])
        named = tuple(region for region in regions if _stands_alone(page.text, region))
        return cls(
            page,
            profile,
            gazetteer,
            vocabulary_of(profile),
            wording,
            named,
            cut_runs(_with_lines_as_headings(page, vocabulary_of(profile), wording), page.text, profile),
            tuple(region.start for region in named),
        )

    def sentences_of(self, block: Block) -> list[Sentence]:
        """Cut once, read several times."""
        found = self._sentences.get((block.start, block.end))
        if found is None:
            found = self._sentences[block.start, block.end] = list(sentences(self.text, block.start, block.end))
        return found

    def relations_of(self, category: str) -> tuple[Relation, ...]:
        """The relations of the language whose attribute the category has."""
        found = self._relations.get(category)
        if found is None:
            found = self._relations[category] = tuple(
                relation
                for relation in self.wording.relations
                if (attribute := self.profile.attributes.get(relation.attribute)) is not None
                and attribute.belongs_to(category)
                and (not relation.categories or category in relation.categories)
            )
        return found

    def hinted_relations(self, sentence: Sentence, category: str) -> list[Relation]:
        """Those of which a hint stands in the sentence; looked for once, asked for several times."""
        found = self._hinted.get((sentence.start, sentence.end, category))
        if found is None:
            lowered, relations = sentence.text.lower(), self.relations_of(category)
            places = {place for hint, told in self._hints_of(category).items() if hint in lowered for place in told}
            found = self._hinted[sentence.start, sentence.end, category] = [
                relations[place] for place in sorted(places)
            ]
        return found

    def _hints_of(self, category: str) -> dict[str, list[int]]:
        """Each hint once, with the places of its relations."""
        if category not in self._hints:
            hints = self._hints[category] = defaultdict(list)
            for place, relation in enumerate(self.relations_of(category)):
                for hint in relation.hints:
                    hints[hint].append(place)
        return self._hints[category]

    def regions_in(self, start: int, end: int) -> list[FoundRegion]:
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return [region for region in self.regions[first:last] if region.end <= end]

    def is_places(self, start: int, end: int) -> bool:
        """Whether the words are names of regions and nothing else: `Asal-usul: Jawa Tengah` tells no history."""
        at, found = start, self.regions_in(start, end)
        for region in found:
            if not self._is_bare(at, region.start) and not (at > start and self.is_joint(at, region.start)):
                return False
            at = region.end
        return bool(found) and self._is_bare(at, end)

    def is_joint(self, start: int, end: int) -> bool:
        """Whether nothing stands there but a comma or an `and`."""
        between = self.text[start:end].strip()
        return between in {",", ""} or self.wording.joint.fullmatch(f" {between} ") is not None

    def _is_bare(self, start: int, end: int) -> bool:
        """Whether nothing stands there but marks and words such as `island`."""
        words = self.text[start:end].casefold().strip(" ,;()./-\n").split()
        return all(word.strip(",.") in _LANDS_AFTER for word in words)

    def is_land(self, region: FoundRegion) -> bool:
        """Whether the page itself says `island`, `regency` and the like with the name."""
        written = self.text[region.start : region.end].casefold().split()
        after = self.text[region.end : region.end + 10].casefold().split()
        before = self.text[max(0, region.start - _OF_REACH) : region.start]
        return (
            written[0] in _LANDS
            or _LAND_OF.search(before) is not None
            or (bool(after) and after[0].strip(".,;") in _LANDS_AFTER)
        )

    def is_also_land(self, region: FoundRegion, *, as_district: bool = True) -> bool:
        """Whether a land has the name of the people: a Balinese dance is from Bali."""
        districts = [f"{level} {region.name}" for level in _DISTRICTS] if as_district else []
        named = (region.name, f"Provinsi {region.name}", *districts)
        return any(found.level != "people" for name in named for found in self.gazetteer.find(name))

    def is_also_people(self, region: FoundRegion) -> bool:
        """Whether a people has the name of the land."""
        return any(found.level == "people" for found in self.gazetteer.find(f"suku {region.name}"))

    def name_of(self, region: FoundRegion) -> str:
        """The region as the page writes it, where that is its name or a place in it; otherwise its full name."""
        written = self.text[region.start : region.end]
        words = set(written.casefold().split()) - _LEVELS
        own = words and words <= set(region.name.casefold().split())
        smaller = region.level in {"regency", "city"} and region.via != "old-name"
        # `Pulau Kaledupa` is one land of the people that is called after another.
        smaller = smaller or (region.level == "people" and self.is_land(region))
        if region.name.casefold() == written.casefold():
            return region.name
        if region.via == "open" or own or smaller:
            return written.title() if written.isupper() and len(written) > _LONGEST_ACRONYM else written
        return region.name

    @property
    def text(self) -> str:
        return self.page.text

    def count(self, words: str) -> str:
        """A number of people: as the page words it, or in figures."""
        if self.wording.is_canonical_for(self.profile.language):
            return words
        counted = [self.wording.numbers.get(word, word) for word in words.casefold().split()]
        figures = "–".join(word for word in counted if word[0].isdigit())
        return f"{figures} orang" if self.profile.language == _TRANSLATED_INTO else figures

    def date(self, value: str) -> str | None:
        """A date as the library words it: figures stay, centuries and `before` are reworded."""
        if self.wording.is_canonical_for(self.profile.language):
            return value
        for pattern, replacement in self.wording.dates:
            if found := pattern.fullmatch(value.strip()):
                return found.expand(replacement)
        return None

    def date_in(self, start: int, end: int) -> tuple[int, int] | None:
        """The first date that a language other than the library's can put into it, right here."""
        found = (pattern.match(self.text, start, end) for pattern, _ in self.wording.dates)
        return max((each.span() for each in found if each), key=lambda span: span[1], default=None)

    def _without_loose(self, phrase: str) -> Iterator[str]:
        """The phrase, and without one adjective after the other: `crispy fried shallots`, `fried shallots`, `shallots`."""
        yield phrase
        words = phrase.split()
        for place in range(1, len(words)):
            if self.wording.loose.fullmatch(" ".join(words[:place]) + " "):
                yield " ".join(words[place:])

    @property
    def translates(self) -> bool:
        """Whether the page's language is put into the library's by the glossary."""
        return self.profile.language == _TRANSLATED_INTO and not self.wording.is_canonical_for(self.profile.language)

    def in_canonical_language(self, value: str, attribute: str = "") -> str | None:
        """A phrase as the library words it; None when that would take a translator, or no value of the attribute is so called."""
        if self.wording.is_canonical_for(self.profile.language):
            return value
        folded = " ".join(self.wording.determiner.sub("", value.strip().strip(_QUOTES)).casefold().split())
        if self.translates:
            terms = self.wording.terms.get(attribute, self.wording.translations)
            for words in self._without_loose(folded):
                for each in (words, *_singular_phrases(words)):
                    if each in terms:
                        return terms[each]
            if folded in self.wording.refused.get(attribute, ()):
                return None
        return value if self.vocabulary.is_native(folded, self.profile.language) else None


def _singular_phrases(words: str) -> Iterator[str]:
    """`bamboo flute` of `bamboo flutes`."""
    before, blank, last = words.rpartition(" ")
    return (before + blank + singular for singular in singulars(last)) if last else iter(())


def _stands_alone(text: str, region: FoundRegion) -> bool:
    """Whether the words are the region's name: not a part of it, as in `Western Sumatra`, nor of a person's."""
    return _PART_OF.search(text, max(0, region.start - _OF_REACH), region.start) is None and not _is_in_name_of_person(
        text, region
    )


def _is_in_name_of_person(text: str, region: FoundRegion) -> bool:
    """`ciptaan Sambas Mangundikarta`: a region after who made a thing, with more of a name behind it, is a person."""
    if not _MORE_OF_A_NAME.match(text, region.end):
        return False
    return _BY_WHOM.search(text[max(0, region.start - _OF_REACH) : region.start]) is not None


def _with_lines_as_headings(page: PageText, vocabulary: Vocabulary, wording: Wording) -> tuple[Block, ...]:
    """Short lines with a number, or with a name that the words below take up, head the parts of a text as headings do."""
    blocks, level = list(page.blocks), 1
    lines: list[tuple[int, int]] = []
    for place, block in enumerate(blocks):
        if block.kind == "heading":
            level = block.level
        following = blocks[place + 1] if place + 1 < len(blocks) else None
        if following is None or _is_numbered_line(page.text, following):
            continue
        if _is_numbered_line(page.text, block) or _is_named_line(page.text, block, following, vocabulary, wording):
            lines.append((place, level + 1))
    if len(lines) >= _FEWEST_LINES:
        for place, below in lines:
            blocks[place] = replace(blocks[place], kind="heading", level=below)
    return tuple(blocks)


def _is_named_line(text: str, block: Block, following: Block, vocabulary: Vocabulary, wording: Wording) -> bool:
    """A line in a block of its own, with a name that the paragraph below begins with, or with a kind that it shows."""
    short = block.kind in {"paragraph", "list-item"} and block.end - block.start <= _LONGEST_LINE
    if not short or following.kind != "paragraph" or following.end - following.start < _LONGEST_LINE:
        return False
    line = _BESIDE.split(text[block.start : block.end].strip(), maxsplit=1)[0]
    words = folded_words(line)
    if (
        not line[:1].isupper()
        or line[-1] in ".!?:;,"
        or not words
        or words[0] in wording.sections | wording.never_first
    ):
        return False
    below = folded_words(text[following.start : min(following.end, following.start + _OPENING)])
    bare = words[vocabulary.generic_length(line) :] or words
    reach = len(below) if vocabulary.head_of(line) else _OPENING_WORDS
    if bare in (below[place : place + len(bare)] for place in range(reach)):
        return True
    shown = next((place for place, word in enumerate(below) if word in wording.demonstratives), 0)
    return bool(shown and vocabulary.head_of(line) & vocabulary.head_of(" ".join(below[:shown])))


def _is_numbered_line(text: str, block: Block) -> bool:
    short = block.kind == "paragraph" and block.end - block.start <= _LONGEST_LINE
    return short and text[block.end - 1] not in ".!?:;," and is_numbered(text[block.start : block.end])

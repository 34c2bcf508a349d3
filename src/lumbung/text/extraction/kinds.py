"""Whether words name a thing, a kind of thing or a land, and whether two names are one."""

from __future__ import annotations

import re

from lumbung.text.extraction.category import Vocabulary, folded_words
from lumbung.text.extraction.definitions import Definition
from lumbung.text.extraction.reading import Reading
from lumbung.text.names import name_key

_OF = re.compile(r"\s(?:of|der|des|van|from|in|uit|te)\s(?:the\s|de\s|het\s)?", re.IGNORECASE)
_PLURAL = re.compile(r"^\s*(\w{4,})-(?:\1)(an)?\b", re.IGNORECASE)
"""`Tari-tarian` are dances, `rumah-rumah adat` houses."""
_ENDING = len("'s")
_WIDE = frozenset({"province", "cultural"})
_OF_TRADITION = frozenset({"tradisional", "khas"})
LONGEST_NAME = 200


def is_class(name: str, reading: Reading) -> bool:
    """Whether a name only names a kind of thing, as `Tari tradisional` or `Masakan daerah`."""
    if not reading.wording.genus_comes_first and _is_kind_of_a_land(name, reading):
        return True
    name = _PLURAL.sub(r"\1\2", name)
    size = reading.vocabulary.generic_length(name)
    words = [word for word in folded_words(name)[size:] if word not in reading.wording.common]
    if not words:
        return " ".join(folded_words(name)[:size]) in reading.vocabulary.broad or len(folded_words(name)) > 1
    if not size and len(words) < len(folded_words(name)) and reading.vocabulary.is_kind(tuple(words)):
        # `Kue Khas Daerah`: a kind that is no word before names, with words that every kind bears.
        return True
    if not size or folded_words(name)[0] in reading.vocabulary.titles:
        return False
    if " ".join(words) in reading.vocabulary.broad:
        # `Tradisi Upacara`: one word of kind after the other.
        return True
    places = reading.gazetteer.find(" ".join(words))
    # `Permainan tradisional Bugis` are many; *Batik Madura* is one.
    wide = _WIDE | {"people"} if _OF_TRADITION & set(folded_words(name)[1:]) else _WIDE
    return any(place.level in wide and place.end - place.start == len(" ".join(words)) for place in places)


def _is_kind_of_a_land(name: str, reading: Reading) -> bool:
    """`Balinese dance`, `the house of the Toraja`: a kind with a land or a people beside it makes no name."""
    words = tuple(folded_words(name))
    if (parted := _OF.search(name)) and words[0] not in reading.vocabulary.titles:
        found = reading.gazetteer.find(name[parted.end() :])
        alone = bool(found) and found[0].start == 0 and len(name) - parted.end() - found[0].end <= _ENDING
        if alone and reading.vocabulary.ends_with_kind(tuple(folded_words(name[: parted.start()]))):
            return True
    if _is_named_building(name, reading):
        return False
    kind = next((size for size in range(1, len(words)) if reading.vocabulary.ends_with_kind(words[-size:])), 0)
    rest = " ".join(word for word in name.split()[: len(words) - kind] if word.casefold() not in reading.wording.common)
    return bool(kind) and (not rest or is_region(rest, reading))


def _is_named_building(name: str, reading: Reading) -> bool:
    """`Pagaruyung Palace`: with a capital of its own, the word of kind belongs to the name of one building."""
    last = next(iter(name.rsplit(maxsplit=1)[-1:]), "")
    if not last[:1].isupper() or last.casefold() not in reading.vocabulary.titles:
        return False
    return all(each.level != "people" for each in reading.gazetteer.find(name[: -len(last)]))


def is_region(name: str, reading: Reading, *, or_people: bool = True) -> bool:
    """Whether a name is that of a land and nothing else."""
    found = reading.gazetteer.find(name)
    return any(each.end - each.start == len(name) and (or_people or each.level != "people") for each in found)


def without_region(name: str, reading: Reading) -> str:
    """`Coto` of `Coto Makassar`; empty if the name does not end with a region, or is a kind of thing without it."""
    found = [each for each in reading.gazetteer.find(name) if each.end == len(name)]
    rest = name[: found[0].start].strip() if found else ""
    return rest if rest.casefold() not in reading.vocabulary.generic else ""


def same_name(left: str, right: str, vocabulary: Vocabulary) -> bool:
    """Equal but for spelling and generic words; what is longer than any name is none."""
    if not left or not right or max(len(left), len(right)) > LONGEST_NAME:
        return False
    if left == right:
        return True
    return vocabulary.bare_key(left) == vocabulary.bare_key(right) or name_key(left) == name_key(right)


class Register:
    """Things by the keys of their names, so that of many names each is compared with no other."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, str], int] = {}

    def find(self, keys: frozenset[tuple[str, str]]) -> int | None:
        """The place of the first thing that has one of the keys."""
        return min((self._places[key] for key in keys if key in self._places), default=None)

    def add(self, keys: frozenset[tuple[str, str]], place: int) -> None:
        for key in keys:
            self._places.setdefault(key, place)


def keys_of(name: str, vocabulary: Vocabulary) -> frozenset[tuple[str, str]]:
    """Under what a name is looked for: names that share one of them are the same."""
    if not 0 < len(name) <= LONGEST_NAME:
        return frozenset()
    return frozenset({("bare", vocabulary.bare_key(name)), ("whole", name_key(name))})


def is_of_culture(definition: Definition, reading: Reading) -> bool:
    """A kind we know; in a language that has many other uses for the word, only as a tradition or with a region nearby."""
    if not definition.categories or definition.is_other:
        return False
    canonical = reading.wording.is_canonical_for(reading.profile.language)
    if definition.is_culture or (canonical and not definition.categories & reading.wording.needs_tradition):
        return True
    since = reading.text.rfind("\n", 0, definition.sentence.start) + 1
    until = reading.text.find("\n", definition.sentence.end)
    until = until if until >= 0 else len(reading.text)
    return bool(reading.regions_in(since, until)) or reading.vocabulary.names_the_land(reading.text[since:until])

"""Under which words an index holds a name, so that names which comparison may link always meet there, however many others do.

Vectors rank, and a rank depends on who else is there. What is found here does not: two names that are equal, spelled
alike or apart by a region's name share a word up to its spelling, or all their letters written together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from lumbung.model.profile import Profile
from lumbung.text.bynames import bynames
from lumbung.text.relating import (
    SPELLING,
    distinguishing_words,
    heads_of,
    name_words,
    spelling_likeness,
    without_kind,
    written_together,
)
from lumbung.text.spoken import SHORTEST_SPOKEN, rough, spoken

NO_CATEGORY = ""
SHORTEST_MISSPELT = 4
TWO_SLIPS_FROM, MOST_SLIPS = 8, 2
"""As comparison has it: shorter words are equal or other words; from so many letters on two slips are forgiven."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What one name asks the index for: nodes that have all of `words`, or any of them, each up to its spelling."""

    words: tuple[str, ...]
    every: bool
    rest: int
    """So many other distinguishing words may the found name have beside one of these."""


class NameReader:
    def __init__(self, profile: Profile) -> None:
        self._regions = profile.regions
        self._generic = {code: frozenset(each.generic_words) for code, each in profile.categories.items()}
        self._confusable = {code: each.confusable for code, each in profile.categories.items()}
        self._profile = profile
        self._known: dict[str | None, list[tuple[tuple[str, ...], frozenset[str]]]] = {}

    @cached_property
    def _places(self) -> frozenset[str]:
        """Read at first need: it takes longer than all else that a process does before it works."""
        names = (name for region in self._regions.values() for name in (region.name, *region.aliases))
        return frozenset(word for name in names for word in name_words(name))

    @cached_property
    def _heads_by_category(self) -> dict[str, frozenset[str]]:
        heads = heads_of(self._profile)
        return {code: frozenset(word for head in heads[code] for word in name_words(head)) for code in heads}

    @cached_property
    def _heads(self) -> frozenset[str]:
        return frozenset[str]().union(*self._heads_by_category.values())

    def compared_with(self, category: str | None) -> list[str]:
        """A category and those people confuse with it, in fixed order; all of them where it is open; and what has none."""
        own = [category, *self._confusable.get(category, ())] if category else list(self._generic)
        return sorted({*own, NO_CATEGORY})

    def held(self, names: Iterable[str], category: str | None) -> dict[str, int]:
        """The words that a node stands under, each with how many other distinguishing words its name has at least."""
        held: dict[str, int] = {}
        for name in _with_bynames(names):
            readings = self._readings(name, category)
            core = self._core(readings)
            found = {word: len(core - {word}) for reading in readings for word in reading}
            found |= dict.fromkeys(self._joined(name, category), 0)
            for word, rest in found.items():
                if word:
                    held[word] = min(rest, held.get(word, rest))
        return held

    def asked(self, names: Iterable[str], category: str | None) -> list[Asked]:
        asked: list[Asked] = []
        for name in _with_bynames(names):
            readings = self._readings(name, category)
            core = self._core(readings)
            most = max(map(len, readings)) - 1
            words = core or {word for reading in readings for word in reading}
            asked.append(Asked(tuple(sorted(words)), bool(core), most))
            asked += (Asked((joined,), True, 0) for joined in sorted(self._joined(name, category)))
        return list(dict.fromkeys(each for each in asked if all(each.words)))

    def _readings(self, name: str, category: str | None) -> set[tuple[str, ...]]:
        """The distinguishing words, by what is generic in its own category and any that it is compared with."""
        return {distinguishing_words(name, generic) for generic, _ in self._compared(category)}

    def _joined(self, name: str, category: str | None) -> set[str]:
        """All of a reading written together, with its kind and without: each word by its key, or all as one word."""
        compared = self._compared(category)
        together = {written_together(name, generic) for generic, _ in compared}
        bare = {without_kind(distinguishing_words(name, generic), heads) for generic, heads in compared}
        return together | {"".join(reading) for reading in self._readings(name, category)} | bare

    def _compared(self, category: str | None) -> list[tuple[tuple[str, ...], frozenset[str]]]:
        """The generic words and the kinds that count beside each category that this one is compared with."""
        if category not in self._known:
            self._known[category] = self._beside(category)
        return self._known[category]

    def _beside(self, category: str | None) -> list[tuple[tuple[str, ...], frozenset[str]]]:
        pairs = [(each, each) for each in self._generic]
        if category:
            pairs = [(category, other) for other in (category, *self._confusable.get(category, ()))]
        return [
            (
                tuple(sorted(self._generic.get(one, frozenset()) | self._generic.get(other, frozenset()))),
                self._heads_by_category.get(one, frozenset()) | self._heads_by_category.get(other, frozenset()),
            )
            for one, other in pairs
        ]

    def _core(self, readings: Iterable[tuple[str, ...]]) -> frozenset[str]:
        """Words that whoever is the same has too: generic in no category, no kind of thing and no region's name."""
        return frozenset.intersection(*map(frozenset, readings)) - self._places - self._heads


def _with_bynames(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield from (name, *bynames(name))


def pieces(word: str) -> list[str]:
    """Under which a word is kept: of two with so few slips between them, one piece stands unharmed in the other.

    Words that are spoken alike, however many letters that changes, share their sounds.
    """
    sounds = list(_sounds(word))
    if not may_be_misspelt(word):
        return sounds
    return [*sounds, *(f"{len(word)}:{turn}:{word[start:end]}" for turn, (start, end) in enumerate(cuts(len(word))))]


def probes(word: str) -> Iterator[str]:
    """The pieces of all words that may be this one misspelt, where slips before and after them may have moved them."""
    yield from _sounds(word)
    if not may_be_misspelt(word):
        return
    for length in range(max(SHORTEST_MISSPELT, len(word) - 2), len(word) + 3):
        moved = len(word) - length
        if abs(moved) > slips(min(length, len(word))):
            continue
        parts = cuts(length)
        for turn, (start, end) in enumerate(parts):
            after = len(parts) - 1 - turn
            first = max(start - turn, start + moved - after, 0)
            last = min(start + turn, start + moved + after, len(word) - (end - start))
            for place in range(first, last + 1):
                yield f"{length}:{turn}:{word[place : place + end - start]}"


def _sounds(word: str) -> Iterator[str]:
    if len(word) >= SHORTEST_SPOKEN and not word.isdigit():
        yield from (f"~{turn}:{sounds}" for turn, sounds in enumerate(spoken(word)))
        yield from sorted(f"~{form}" for forms in rough(word) for form in forms)


def may_be_misspelt(word: str) -> bool:
    return len(word) >= SHORTEST_MISSPELT and not word.isdigit()


def slips(length: int) -> int:
    return 1 if length < TWO_SLIPS_FROM else 2


def cuts(length: int) -> list[tuple[int, int]]:
    """Where a word of this length is cut: into one piece more than slips are forgiven."""
    count = slips(length) + 1
    bounds = [round(length * turn / count) for turn in range(count + 1)]
    return list(pairwise(bounds))


def spellings(words: Iterable[str], kept: Sequence[str]) -> Mapping[str, list[str]]:
    """Each word with itself and those of the kept ones that comparison takes for it."""
    asked = sorted(words)
    slipped = process.cdist(asked, kept, scorer=Levenshtein.distance, score_cutoff=MOST_SLIPS, dtype=np.uint8)
    found = {word: {word} for word in asked}
    alike = slipped <= MOST_SLIPS
    sounding: dict[str, list[int]] = defaultdict(list)
    for column, word in enumerate(kept):
        for sounds in _sounds(word):
            sounding[sounds].append(column)
    for row, word in enumerate(asked):
        alike[row, [column for sounds in _sounds(word) for column in sounding.get(sounds, ())]] = True
    for row, column in np.argwhere(alike):
        if spelling_likeness(asked[row], kept[column]) >= SPELLING:
            found[asked[row]].add(kept[column])
    return {word: sorted(near) for word, near in found.items()}

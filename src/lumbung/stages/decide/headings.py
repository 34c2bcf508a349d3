"""What tells a phrase about items (*Makna Warna pada Batik*) from the name of one (*Batik Kawung*), by its build alone.

Names in Indonesian begin with their head: the kind of thing, or a word of their own. Who writes about a thing, sells it
or performs it puts another head before it, and mostly an ordinary or derived one.
"""

from __future__ import annotations

import re

from lumbung.model.profile import Profile
from lumbung.stages.decide.phrases import Phrases
from lumbung.text.folding import fold
from lumbung.text.stemming import root_words, stem

LONGEST_NAME = 4
"""In words, of a name that does not begin with its head."""
_DOING = re.compile(r"me(?:m|n|ng|ny)?[a-z]{4,}|pe(?:m|n|ng|ny|r)?[a-z]{3,}an|(?:di|ter)[a-z]{4,}")
"""Verbs and the doing of them, at any place (*Cara Merawat*, *Pemilihan*, *Dipugar*); few names of items have one."""


_AGENT = re.compile(r"pe(?!r)(?:m|n|ng|ny)?[a-z]{3,}(?<!an)")
"""Who does something for a living (*penyair*, *pelukis*)."""


class Headings:
    def __init__(self, profile: Profile) -> None:
        kinds = {word for each in profile.categories.values() for word in each.generic_words}
        heads = {term.term for term in profile.lexicon if term.role == "head"}
        names = {term.term for term in profile.lexicon if term.language == "mul" and term.category}
        places = {name for region in profile.regions.values() for name in (region.name, *region.aliases)}
        self._kinds = Phrases(dict.fromkeys(kinds, 1.0))
        self._heads = Phrases(dict.fromkeys(heads | names, 1.0))
        self._items = Phrases(dict.fromkeys(kinds | heads | names, 1.0))
        self._places = Phrases(dict.fromkeys(places, 1.0))
        self._plurals = frozenset(f"{fold(word)}s" for word in kinds | heads) - frozenset(
            map(fold, kinds | heads | names)
        )
        self._clause = frozenset(fold(term.term) for term in profile.lexicon if term.role == "clause")

    def signs(self, name: list[str]) -> list[tuple[str, ...]]:
        """The words that give it away, by the kind of sign."""
        own = self._kinds.without(name)
        headed = len(name) < 2 or self._heads.begins(name)
        clause = tuple(word for word in own if word in self._clause)
        derived = tuple(
            word
            for word in own
            if _is_doing(word)
            or (word == name[0] and not headed and _is_derived(word))
            or (own != name and is_agent(word) and self._kinds.begins(name))
        )
        about = () if headed else self._before_the_item(name)
        nameless = () if headed or about else self._without_a_word_of_its_own(own)
        counted = tuple(word for word in own if word.isdigit())
        many = tuple(word for word in name if word in self._plurals)
        return [words for words in (clause, derived, about, nameless, counted, many) if words]

    def _before_the_item(self, name: list[str]) -> tuple[str, ...]:
        """What stands before the first kind or known name; languages that put the kind last have no such order."""
        start = self._items.start(name)
        return tuple(name[:start]) if start and any(map(_is_ordinary, name)) else ()

    def _without_a_word_of_its_own(self, words: list[str]) -> tuple[str, ...]:
        own = self._places.without(words)
        return tuple(words) if len(words) > LONGEST_NAME or all(map(_is_ordinary, own)) else ()


def _is_ordinary(word: str) -> bool:
    """A word of the Indonesian dictionary, inflected or doubled."""
    return stem(word) in root_words() or all(part in root_words() for part in word.split("-"))


def _is_derived(word: str) -> bool:
    return word not in root_words() and stem(word) != word and stem(word) in root_words()


def _is_doing(word: str) -> bool:
    return bool(_DOING.fullmatch(word)) and _is_derived(word)


def is_agent(word: str) -> bool:
    return bool(_AGENT.fullmatch(word)) and _is_derived(word)

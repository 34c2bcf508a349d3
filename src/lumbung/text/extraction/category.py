"""The category of an item: head word of its name, genus of its definition, then the margin of the lexicon."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from lumbung.model.profile import Profile
from lumbung.text.extraction.wording import wording_for
from lumbung.text.names import name_key

_ANY_LANGUAGE = "mul"
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´", "'"))
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_MARGIN = 2.0
_FEWEST_MARKS = 3.0
_SHORTEST_SINGULAR = 3
_SHORTEST_KIND = 4
_LONGEST_REMEMBERED = 100
_LOOSEST = "seni"
"""Art of any kind: a school's subject as often as a performance."""


@dataclass(frozen=True)
class Vocabulary:
    """The profile's words by what they tell: phrases as tuples of lower-case words."""

    heads: dict[tuple[str, ...], frozenset[str]]
    genera: dict[tuple[str, ...], frozenset[str]]
    markers: dict[tuple[str, ...], tuple[tuple[str, float], ...]]
    starts: dict[str, int]
    """How long the longest term is that begins with a word."""
    longest: int
    foreign_starts: frozenset[str]
    foreign: frozenset[tuple[str, ...]]
    """Words that say that a thing is of another country, or of no tradition."""
    generic: frozenset[str]
    """Phrases with which a name may begin without saying more than its kind."""
    broad: frozenset[str]
    """Those that other such phrases narrow down, as `alat musik` before `alat musik tiup`."""
    native: dict[str, frozenset[str]]
    """Terms by language."""
    domestic: frozenset[str]
    """Words by which any language calls things of the land."""
    titles: frozenset[str]
    """Words that make a title of whatever follows: a *babad* of a land is one work, a *tari* of a land a kind."""

    last_kinds: dict[tuple[str, ...], frozenset[str]]
    """Categories of words that name a kind at the end of a name, as `Dance` does in English."""

    def kind_at_end(self, name: str) -> int:
        """With how many words of kind a name ends that has words of its own before them: `Kecak Dance`."""
        words = tuple(folded_words(name))
        sizes = range(min(self.longest, len(words) - 1), 0, -1)
        return next((size for size in sizes if words[-size:] in self.last_kinds), 0)

    def of_kind_at_end(self, name: str) -> frozenset[str]:
        size = self.kind_at_end(name)
        return self.last_kinds[tuple(folded_words(name)[-size:])] if size else frozenset()

    def is_native(self, term: str, language: str) -> bool:
        return term in self.native.get(language, ())

    def is_of_the_land(self, term: str, language: str) -> bool:
        """Whether it is a word of the language, or one that another language took from the land: `kris`."""
        return term in self.domestic or self.is_native(term, language)

    def head_of(self, name: str) -> frozenset[str]:
        """Categories named by the longest head phrase with which the name begins (or, in English, ends)."""
        words = tuple(folded_words(name))
        for size in range(min(self.longest, len(words)), 0, -1):
            if found := self.heads.get(words[:size]):
                return found
        return frozenset()

    def kind_in(self, title: str) -> frozenset[str]:
        """Categories of the first word of kind that stands anywhere in a title; one such as `seni` gives way to others."""
        words = folded_words(title)
        loose: frozenset[str] = frozenset()
        for place in range(len(words)):
            size = self.generic_length(" ".join(words[place : place + self.longest]))
            kind = self.heads.get(tuple(words[place : place + size]), frozenset()) if size else frozenset()
            if kind and words[place : place + size] != [_LOOSEST]:
                return kind
            loose = loose or kind
        return loose

    def generic_length(self, name: str) -> int:
        """How many words of kind the name begins with."""
        words = folded_words(name)
        longest = self._generic_starts.get(words[0], 0) if words else 0
        for size in range(min(longest, self.longest, len(words)), 0, -1):
            if " ".join(words[:size]) in self.generic:
                return size
        return 0

    @cached_property
    def _generic_starts(self) -> dict[str, int]:
        return _starts(tuple(phrase.split(" ")) for phrase in self.generic)

    @cached_property
    def head_starts(self) -> dict[str, int]:
        """How long the longest head phrase is that begins with a word."""
        return _starts(self.heads)

    def bare_key(self, name: str) -> str:
        """The key of a name without the words of kind it begins with."""
        rest = " ".join(folded_words(name)[self.generic_length(name) :])
        own = folded_words(rest)[: -self.kind_at_end(rest) or None]
        return name_key(" ".join(own) or name)

    def is_kind(self, words: tuple[str, ...]) -> bool:
        """Whether the words name a kind of thing and no more."""
        return words in self.heads or words in self.genera

    def ends_with_kind(self, words: tuple[str, ...]) -> bool:
        """Whether the last words name a kind of thing."""
        return any(self.is_kind(words[-size:]) for size in range(1, self.longest + 1))

    def genus_in(self, phrase: str, *, first: bool) -> frozenset[str]:
        """Categories of the genus: the term at the head of the phrase, which comes first or last by language."""
        words = tuple(folded_words(phrase))
        for size in range(min(self.longest, len(words)), 0, -1):
            if found := self.genera.get(words[:size] if first else words[-size:]):
                return found
        return frozenset() if first or not words else self._genus_of_plural(words)

    def genus_of_compound(self, word: str) -> frozenset[str]:
        """`vruchtensalade`: the longest known word with which it ends, in a language that writes them as one."""
        ends = (word[start:] for start in range(1, len(word) - _SHORTEST_KIND + 1))
        return next((found for end in ends if (found := self.genera.get((end,)))), frozenset())

    def _genus_of_plural(self, words: tuple[str, ...]) -> frozenset[str]:
        """`ceremonial cloths`, `dansen`: a plural is of the kind of its singular."""
        for singular in singulars(words[-1]):
            for size in range(min(self.longest, len(words)), 0, -1):
                if found := self.genera.get((*words[len(words) - size : -1], singular)):
                    return found
        return frozenset()

    def scores(self, text: str) -> dict[str, float]:
        """Weight of the terms of each category in the text."""
        words = folded_words(text)
        found: dict[str, float] = defaultdict(float)
        for place, word in enumerate(words):
            for size in range(self.starts.get(word, 0), 0, -1):
                for category, weight in self.markers.get(tuple(words[place : place + size]), ()):
                    found[category] += weight
        return found

    def names_the_land(self, text: str) -> bool:
        """Whether a word stands in it by which any language calls things of the land."""
        words = folded_words(text)
        pairs = (f"{left} {right}" for left, right in pairwise(words))
        return not self.domestic.isdisjoint(words) or any(pair in self.domestic for pair in pairs)

    def is_foreign(self, text: str) -> bool:
        words = folded_words(text)
        return any(
            tuple(words[place : place + size]) in self.foreign
            for place, word in enumerate(words)
            if word in self.foreign_starts
            for size in (1, 2, 3)
        )


MOST_VOCABULARIES = 8
_VOCABULARIES: dict[int, tuple[Profile, Vocabulary]] = {}


def vocabulary_of(profile: Profile) -> Vocabulary:
    held = _VOCABULARIES.get(id(profile))
    if held is None or held[0] is not profile:
        if len(_VOCABULARIES) >= MOST_VOCABULARIES:
            _VOCABULARIES.clear()
        held = (profile, _built(profile))
        _VOCABULARIES[id(profile)] = held
    return held[1]


def _built(profile: Profile) -> Vocabulary:
    heads: dict[tuple[str, ...], set[str]] = defaultdict(set)
    genera: dict[tuple[str, ...], set[str]] = defaultdict(set)
    markers: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
    for category in profile.categories.values():
        for phrase in category.generic_words:
            heads[tuple(folded_words(phrase))].add(category.code)
            genera[tuple(folded_words(phrase))].add(category.code)
    native: dict[str, set[str]] = defaultdict(set)
    foreign: set[tuple[str, ...]] = set()
    titles: set[str] = set()
    for term in profile.lexicon:
        native[term.language].add(term.term.casefold())
        words = tuple(folded_words(term.term))
        if term.role == "foreign" and term.language != _ANY_LANGUAGE:
            # Places just beyond the border have one name in all languages; whether their pages are kept, the gate says.
            foreign.add(words)
        if term.role == "title":
            titles.update(words[:1])
        if not words or term.category not in profile.categories:
            continue
        if term.role in {"head", "genus"}:
            (heads if term.role == "head" else genera)[words].add(term.category)
        markers[words][term.category] = max(term.weight, markers[words].get(term.category, 0.0))
    generic = frozenset(word.casefold() for category in profile.categories.values() for word in category.generic_words)
    return Vocabulary(
        {words: frozenset(found) for words, found in heads.items()},
        {words: frozenset(found) for words, found in genera.items()},
        {words: tuple(found.items()) for words, found in markers.items()},
        _starts((*heads, *genera, *markers)),
        max((len(words) for words in (*heads, *genera, *markers)), default=1),
        frozenset(words[0] for words in foreign if words),
        frozenset(foreign),
        generic,
        frozenset(phrase for phrase in generic if any(other.startswith(phrase + " ") for other in generic)),
        {language: frozenset(terms) for language, terms in native.items()},
        frozenset(term.term.casefold() for term in profile.lexicon if term.role == "domestic"),
        frozenset(titles),
        _last_kinds(profile, native),
    )


def _last_kinds(profile: Profile, native: dict[str, set[str]]) -> dict[tuple[str, ...], frozenset[str]]:
    """Words of kind of the languages that put them last; those that the library's language has too stand in its names otherwise."""
    found: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for term in profile.lexicon:
        wording = wording_for(term.language) if term.role in {"genus", "head"} else None
        own = native.get(profile.language, set())
        if wording and not wording.genus_comes_first and term.category and term.term.casefold() not in own:
            found[tuple(folded_words(term.term))].add(term.category)
    return {words: frozenset(categories) for words, categories in found.items()}


def singulars(word: str) -> Iterator[str]:
    """What the word may be the English or Dutch plural of."""
    for ending, instead in (("ies", "y"), ("es", ""), ("s", ""), ("en", "")):
        stem = word.removesuffix(ending) + instead
        if word.endswith(ending) and len(stem) >= _SHORTEST_SINGULAR:
            yield stem
            if ending == "en" and stem[-1] == stem[-2]:
                yield stem[:-1]


def _starts(terms: Iterable[tuple[str, ...]]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for words in terms:
        if words:
            longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return longest


def decide(votes: Iterable[frozenset[str]], scores: Callable[[], dict[str, float]]) -> tuple[str | None, bool]:
    """The category and whether it is open: votes that share none disagree; several left are told apart by the margin."""
    left: frozenset[str] | None = None
    for vote in votes:
        if vote:
            left = vote if left is None else left & vote
    if left is not None:
        if len(left) == 1:
            return next(iter(left)), False
        if not left:
            return None, True
    ranked = sorted(((score, code) for code, score in scores().items() if left is None or code in left), reverse=True)
    if not ranked:
        return None, left is not None
    clear = len(ranked) == 1 or ranked[0][0] >= _MARGIN * ranked[1][0]
    if clear and (left is not None or ranked[0][0] >= _FEWEST_MARKS):
        return ranked[0][1], False
    return None, left is not None or ranked[0][0] >= _FEWEST_MARKS


def folded_words(text: str) -> list[str]:
    return list(_remembered_words(text)) if len(text) <= _LONGEST_REMEMBERED else _WORD.findall(fold(text))


@lru_cache(maxsize=8192)
def _remembered_words(text: str) -> tuple[str, ...]:
    """Names are asked for again and again while one page is read."""
    return tuple(_WORD.findall(fold(text)))


def fold(text: str) -> str:
    """Without difference between capitals, and between the letters that people take for an apostrophe."""
    return text.casefold().translate(_APOSTROPHES)

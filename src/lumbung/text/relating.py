"""How two names relate, whatever bears them: one name in two spellings, one that says more, or another.

What only says the kind of thing, or its place, tells no two things apart where the rest of the name is nothing else's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rapidfuzz.distance import JaroWinkler, Levenshtein

from lumbung.model.profile import Profile
from lumbung.text.features import word_keys
from lumbung.text.names import canonical_name, strip_generic, undivided
from lumbung.text.spoken import SHORTEST_SPOKEN, spoken_alike
from lumbung.text.stemming import root_words

SPELLING = 0.88
_LINKING_WORDS = frozenset(
    [
        "dan",
        "di",
        "dari",
        "ke",
        "khas",
        "asal",
        "adat",
        "the",
        "of",
        "and",
        "van",
        "de",
        "het",
        "en",
        "ala",
        "ing",
        "tradisional",
        "tradisi",
        "traditional",
    ]
)


@dataclass(frozen=True, slots=True)
class NameRelation:
    """How two names relate: equal, spelling (near), regional (one adds a place
    or the kind of thing), part (one adds words), sibling (each
    adds words), apart; headed: one adds these to a word that is nothing else's."""

    kind: Literal["equal", "spelling", "headed", "regional", "part", "sibling", "apart"]
    likeness: float


def heads_of(profile: Profile) -> dict[str, tuple[str, ...]]:
    """By category, the words that its names begin or end with to say what kind of thing they name."""
    heads: dict[str, set[str]] = {code: set() for code in profile.categories}
    for term in profile.lexicon:
        if term.role == "head" and term.category in heads:
            heads[term.category].add(term.term)
    return {category: tuple(sorted(words)) for category, words in heads.items()}


@lru_cache(maxsize=100_000)
def name_words(name: str) -> tuple[str, ...]:
    """The keys of the name's words, without linking words unless there is nothing else."""
    words = word_keys(name)
    return tuple(word for word in words if word not in _LINKING_WORDS) or words


@lru_cache(maxsize=100_000)
def distinguishing_words(name: str, generic: tuple[str, ...]) -> tuple[str, ...]:
    """What is left of a name without the generic words at its ends; a name of generic words alone keeps them."""
    return name_words(strip_generic(name, generic)) if generic else name_words(name)


def spelling_likeness(a: str, b: str) -> float:
    """How far two words may be one word spelled twice: 1 equal or spoken alike; short words must be so to be alike."""
    if a == b:
        return 1.0
    if min(len(a), len(b)) < SHORTEST_SPOKEN or a.isdigit() or b.isdigit():
        return 0.0
    if spoken_alike(a, b):
        return 1.0
    allowed = 0 if min(len(a), len(b)) < 4 else 1 if min(len(a), len(b)) < 8 else 2
    if Levenshtein.distance(a, b, score_cutoff=allowed) > allowed:
        return 0.0
    return JaroWinkler.similarity(a, b)


def _pair_words(left: Iterable[str], right: Iterable[str]) -> tuple[float, list[str], list[str]]:
    """Greedy one-to-one pairing by likeness: the mean likeness of the pairs, and what is left on each side."""
    mine, others = sorted(left), sorted(right)
    ranked = sorted(((spelling_likeness(a, b), a, b) for a in mine for b in others), reverse=True)
    total, pairs = 0.0, 0
    for likeness, a, b in ranked:
        if likeness >= SPELLING and a in mine and b in others:
            mine.remove(a)
            others.remove(b)
            total, pairs = total + likeness, pairs + 1
    return (total / pairs if pairs else 0.0), mine, others


@dataclass(frozen=True, slots=True)
class ReadName:
    key: str
    words: tuple[str, ...]
    joined: frozenset[str]
    """The words written together, each by its key or all as one."""


def read_name(name: str, generic: tuple[str, ...]) -> ReadName:
    words = distinguishing_words(name, generic)
    return ReadName(
        canonical_name(name).key, words, frozenset(filter(None, ("".join(words), written_together(name, generic))))
    )


@lru_cache(maxsize=100_000)
def written_together(name: str, generic: tuple[str, ...]) -> str:
    """The distinguishing words as if they were one."""
    words = strip_generic(name, generic).replace("-", " ").split()
    return undivided([word for word in words if word.casefold() not in _LINKING_WORDS] or words)


def relate(a: ReadName, b: ReadName, regional: frozenset[str], heads: frozenset[str]) -> NameRelation:
    left, right = a.words, b.words
    if a.key == b.key or sorted(left) == sorted(right) or a.joined & b.joined:
        return NameRelation("equal", 1.0)
    likeness, mine, others = _pair_words(left, right)
    covered = 1 - (len(mine) + len(others)) / max(1, len(left) + len(right))
    joined = spelling_likeness("".join(left), "".join(right)) if len(left) != len(right) else 0.0
    if not mine and not others:
        return NameRelation("equal" if likeness == 1 else "spelling", likeness)
    if joined >= SPELLING:
        return NameRelation("spelling", joined)
    if likeness == 0:
        return NameRelation("apart", JaroWinkler.similarity("".join(left), "".join(right)) / 2)
    if mine and others:
        return NameRelation("sibling", likeness * covered)
    return NameRelation(
        _adding(mine or others, min(left, right, key=len), likeness, regional, heads), likeness * covered
    )


def _adding(
    added: list[str], shared: tuple[str, ...], likeness: float, regional: frozenset[str], heads: frozenset[str]
) -> Literal["headed", "regional", "part"]:
    """*Wedang Uwuh* is *Uwuh*, a word that nothing else bears; *Kue Gandos* may be *Gandos*; *Rujak Soto* is no *Soto*."""
    if not set(added) <= regional | heads:
        return "part"
    if likeness == 1 and any(word not in heads | regional and word not in root_words() for word in shared):
        return "headed"
    return "regional" if set(added) <= regional or not heads & set(shared) else "part"

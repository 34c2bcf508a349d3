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
from lumbung.text.names import canonical_name, name_key, strip_generic, undivided
from lumbung.text.spoken import SHORTEST_SPOKEN, both_in_dictionary, roughly_alike, sounds_alike
from lumbung.text.stemming import root_words
from lumbung.text.tables import word_lines, word_table

SPELLING = 0.88
SOUNDING, LAWFUL = 0.95, 0.9
"""How far words are alike that only hands or dialects write apart, and two words of the dictionary that sound alike."""
_LONG_ENOUGH_FOR_A_SLIP, _LONG_ENOUGH_BESIDE = 6, 4
_LONG_ENOUGH_ROUGH = 5


@dataclass(frozen=True, slots=True)
class NameRelation:
    """How two names relate: equal, sounding (one name as other hands or dialects write it), spelling (near), regional
    (one adds a place or the kind of thing), part (one adds words), sibling (each adds words), apart; headed: one adds
    a place or a kind to a word that is nothing else's."""

    kind: Literal["equal", "sounding", "spelling", "headed", "regional", "part", "sibling", "apart"]
    likeness: float


def heads_of(profile: Profile) -> dict[str, tuple[str, ...]]:
    """By category, the words that its names have to say what kind of thing they name, or to honour it."""
    heads: dict[str, set[str]] = {code: set(known.light_words) for code, known in profile.categories.items()}
    for term in profile.lexicon:
        if term.role == "head" and term.category in heads:
            heads[term.category].add(term.term)
    return {category: tuple(sorted(words)) for category, words in heads.items()}


@lru_cache(maxsize=1)
def _linking_words() -> frozenset[str]:
    return word_table("linking-words.txt")


@lru_cache(maxsize=1)
def _kinds_by_language() -> dict[str, str]:
    """By key, the Indonesian word for what a local language calls a kind of thing."""
    return {name_key(word): name_key(kind) for kind, *local in word_lines("kinds-by-language.txt") for word in local}


@lru_cache(maxsize=8_192)
def name_words(name: str) -> tuple[str, ...]:
    """The keys of the name's words, kinds of things in Indonesian, without linking words unless there is nothing else."""
    words = word_keys(name)
    if len(words) > 1:
        words = tuple(_kinds_by_language().get(word, word) for word in words)
    return tuple(word for word in words if word not in _linking_words()) or words


@lru_cache(maxsize=8_192)
def distinguishing_words(name: str, generic: tuple[str, ...]) -> tuple[str, ...]:
    """What is left of a name without the generic words at its ends; a name of generic words alone keeps them."""
    return name_words(strip_generic(name, generic)) if generic else name_words(name)


def spelling_likeness(a: str, b: str) -> float:
    """How far two words may be one word spelled twice: 1 equal or spoken alike; short words must be so to be alike."""
    if a == b:
        return 1.0
    if min(len(a), len(b)) < SHORTEST_SPOKEN or a.isdigit() or b.isdigit():
        return 0.0
    if sounds_alike(a, b):
        return LAWFUL if both_in_dictionary(a, b) else 1.0
    if roughly_alike(a, b):
        return SOUNDING
    allowed = 0 if min(len(a), len(b)) < 4 else 1 if min(len(a), len(b)) < 8 else 2
    if Levenshtein.distance(a, b, score_cutoff=allowed) > allowed:
        return 0.0
    return JaroWinkler.similarity(a, b)


def surely_one(a: str, b: str, *, beside: bool) -> bool:
    """Whether two words that are alike are one: a slip in a long word, or in any beside another word of both names."""
    likeness, shortest = spelling_likeness(a, b), min(len(a), len(b))
    if both_in_dictionary(a, b):
        return beside and likeness == LAWFUL
    if likeness == 1 or (likeness == SOUNDING and (beside or shortest >= _LONG_ENOUGH_ROUGH)):
        return True
    enough = _LONG_ENOUGH_BESIDE if beside else _LONG_ENOUGH_FOR_A_SLIP
    return likeness >= SPELLING and shortest >= enough and Levenshtein.distance(a, b, score_cutoff=1) == 1


def _pair_words(left: Iterable[str], right: Iterable[str]) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """Greedy one-to-one pairing by likeness: the pairs, and what is left on each side."""
    mine, others = sorted(left), sorted(right)
    ranked = sorted(((spelling_likeness(a, b), a, b) for a in mine for b in others), reverse=True)
    pairs: list[tuple[str, str]] = []
    for likeness, a, b in ranked:
        if likeness >= SPELLING and a in mine and b in others:
            mine.remove(a)
            others.remove(b)
            pairs.append((a, b))
    return pairs, mine, others


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


@lru_cache(maxsize=8_192)
def written_together(name: str, generic: tuple[str, ...]) -> str:
    """The distinguishing words as if they were one."""
    words = strip_generic(name, generic).replace("-", " ").split()
    return undivided([word for word in words if word.casefold() not in _linking_words()] or words)


def relate(a: ReadName, b: ReadName, regional: frozenset[str], heads: frozenset[str]) -> NameRelation:
    left, right = a.words, b.words
    if a.key == b.key or sorted(left) == sorted(right) or a.joined & b.joined:
        return NameRelation("equal", 1.0)
    pairs, mine, others = _pair_words(left, right)
    likeness = sum(spelling_likeness(one, other) for one, other in pairs) / len(pairs) if pairs else 0.0
    if pairs and not mine and not others:
        sure = _all_one(pairs, regional | heads)
        return NameRelation("equal" if likeness == 1 else "sounding" if sure else "spelling", likeness)
    adding = _adding(mine or others, pairs, regional, heads) if pairs and not (mine and others) else None
    if adding == "headed" or _one_without_kind(left, right, heads):
        return NameRelation("headed", likeness or SOUNDING)
    together = "".join(left), "".join(right)
    joined = spelling_likeness(*together) if len(left) != len(right) else 0.0
    if joined >= SPELLING:
        return NameRelation("sounding" if surely_one(*together, beside=False) else "spelling", joined)
    if not pairs:
        return NameRelation("apart", JaroWinkler.similarity(*together) / 2)
    if not set(mine + others) - {one for one, other in pairs if one == other}:  # Gundul-gundul Pacul, Gundul Pacul
        return NameRelation("sounding" if _all_one(pairs, regional | heads) else "spelling", likeness)
    covered = 1 - (len(mine) + len(others)) / (len(left) + len(right))
    return NameRelation(adding or "sibling", likeness * covered)


def without_kind(words: tuple[str, ...], heads: frozenset[str]) -> str:
    """What a name has beside the words for its kind, as one word; nothing where it has none of them."""
    rest = "".join(word for word in words if word not in heads)
    return rest if len(rest) < len("".join(words)) else ""


def _one_without_kind(left: tuple[str, ...], right: tuple[str, ...], heads: frozenset[str]) -> bool:
    """*Topi Ti'i Langga* is *Tilangga*: what one of two names has beside its kind is the other, as one word."""
    return any(
        heads.isdisjoint(short) and _is_one_rare_word(without_kind(long, heads), "".join(short))
        for short, long in ((left, right), (right, left))
    )


def _is_one_rare_word(a: str, b: str) -> bool:
    return bool(a) and {a, b}.isdisjoint(root_words()) and (a == b or surely_one(a, b, beside=False))


def _all_one(pairs: list[tuple[str, str]], ordinary: frozenset[str]) -> bool:
    """Whether every pair is one word; a word that both names have alike vouches for those beside it."""
    firm = [one for one, other in pairs if one not in ordinary and spelling_likeness(one, other) >= SOUNDING]
    return all(one == other or surely_one(one, other, beside=bool(set(firm) - {one})) for one, other in pairs)


def _adding(
    added: list[str], pairs: list[tuple[str, str]], regional: frozenset[str], heads: frozenset[str]
) -> Literal["headed", "regional", "part"]:
    """*Wedang Uwuh* is *Uwuh*, a word that nothing else bears; *Kue Gandos* may be *Gandos*; *Rujak Soto* is no *Soto*."""
    if not set(added) <= regional | heads:
        return "part"
    own = [pair for pair in pairs if not set(pair) & (heads | regional)]
    rare = any(not set(pair) & root_words() for pair in own)
    if (rare or (len(own) > 1 and set(added) <= heads)) and _all_one(pairs, regional | heads):
        return "headed"
    shared = {word for pair in pairs for word in pair}
    return "regional" if set(added) <= regional or not heads & shared else "part"

"""How much of a value is accounted for by what is held, where that is not all of it: Eq. (15) within one value.

People put one thing in many words, and no list of synonyms is ever whole. So a value that shares most of its words with one
that is held, or stands in its place in a list, may be the same in other words. A number, a name, another thing of the same
kind or a further part of a list is surely more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

from rapidfuzz.distance import JaroWinkler

from lumbung.model.profile import ValueKind
from lumbung.text.coverage import Said, alike, as_read, meaningful
from lumbung.text.quantity import with_measures
from lumbung.text.stemming import stem
from lumbung.text.tables import word_lines
from lumbung.text.values import HONORIFICS, PLACE_LEVELS, SEPARATOR, name_words, text_stems, with_synonyms

STANDS_IN = 0.5
"""What a part counts for that may be another word for one which nothing else stands for, or that explains its own word."""
LONGEST_NAME_OF_A_THING = 2
LONGEST_INITIAL = 2
LIKE_NAMES = 0.85
_TURNING = frozenset(["tidak", "tak", "belum", "tanpa", "bukan", "jangan", "hanya"])
"""What turns the sense of the words beside it."""
_ADDING = re.compile(r"(?:[,;(]|\b(?:dan|serta|juga|lalu|kemudian|atau|sebagai|and)\b)", re.IGNORECASE)
_GLOSS = re.compile(r"\(([^()\d]+)\)")
_INITIALS = re.compile(r"(?<=\b[A-Z])\.(?=[A-Z]\b)")
"""Between letters that are one title: *K.G.P.A.A.*"""
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A value, or a part of a list."""

    stems: frozenset[str]
    names: frozenset[str] = frozenset()
    """Of these, what is written as a name: with a capital that does not merely begin the value."""
    adds: bool = False
    """Whether a word joins something to something else."""


def accounted(said: Said, held: Sequence[Said], kind: ValueKind, told: str, synonyms: Mapping[str, str]) -> float:
    """The share of this value that one held value (of a list: those together) may say; 0 where it surely says more.

    Words of `told`, which is known of the item anyway, say nothing beside others.
    """
    kind = as_read(said, kind)
    if kind is ValueKind.PERSON:
        return max((_share_of_name(said.value, each.value) for each in held), default=0.0)
    if kind not in {ValueKind.SET, ValueKind.TEXT}:
        return 0.0
    known = text_stems(told) if told else frozenset[str]()
    mine = _parts(said, synonyms)
    theirs = list(dict.fromkeys(part for each in held for part in _parts(each, synonyms)))
    share = _share_of_parts(mine, theirs, known)
    if kind is ValueKind.SET or not share < 1.0:
        return share
    whole = _phrase(said.value, said.value, synonyms)
    wholes = (_share(whole, _phrase(each.value, each.value, synonyms), known) for each in held)
    return max(wholes, default=0.0) or (share if len(mine) > 1 else 0.0)


def accounted_within(
    said: Said, words: AbstractSet[str], kind: ValueKind, told: str, synonyms: Mapping[str, str]
) -> float:
    """The share of this value, by its weakest part, that a text with these words may say."""
    if as_read(said, kind) not in {ValueKind.SET, ValueKind.TEXT}:
        return 0.0
    known = text_stems(told) if told else frozenset[str]()
    return min((_share(part, Phrase(frozenset(words)), known) for part in _parts(said, synonyms)), default=0.0)


def _share_of_parts(mine: Sequence[Phrase], theirs: Sequence[Phrase], known: AbstractSet[str]) -> float:
    """By its weakest part: each is found, resembles a held one, or takes the place of one that no other part says."""
    best = [max((_share(part, other, known) for other in theirs), default=0.0) for part in mine]
    alone = [part for part, share in zip(mine, best, strict=True) if not share]
    if not all(map(_is_short_name, alone)):
        return 0.0
    if alone:
        left = [other for other in theirs if not any(_share(other, part, known) for part in mine)]
        if len(alone) > len(left) or not all(_may_be_another_word(part, left) for part in alone):
            return 0.0
    return min((share or STANDS_IN for share in best), default=0.0)


def _parts(said: Said, synonyms: Mapping[str, str]) -> list[Phrase]:
    return [_phrase(part, said.value, synonyms) for part in SEPARATOR.split(said.value) if part.strip()]


@lru_cache(maxsize=10_000)
def _stems(words: str) -> frozenset[str]:
    """Words joined by a hyphen are themselves: *Hindu-Siwa*."""
    joined = meaningful(text_stems(with_measures(words)))
    return frozenset(part for word in joined for part in word.split("-"))


def _phrase(part: str, value: str, synonyms: Mapping[str, str]) -> Phrase:
    stems = _stems(with_synonyms(part, synonyms))
    names = frozenset(stem(with_synonyms(name, synonyms)) for name in _names(value))
    return Phrase(stems, stems & names, _ADDING.search(_GLOSS.sub("", part)) is not None)


def _is_short_name(part: Phrase) -> bool:
    """Of a thing, as a word may have another."""
    return len(part.stems) <= LONGEST_NAME_OF_A_THING and not part.names and not any(map(_is_number, part.stems))


def _may_be_another_word(part: Phrase, left: Sequence[Phrase]) -> bool:
    names = (other.stems for other in left if len(other.stems) <= LONGEST_NAME_OF_A_THING)
    return any(not _of_one_kind(part.stems, stems) for stems in names)


def _share(said: Phrase, held: Phrase, known: AbstractSet[str]) -> float:
    missing = _unlike(said.stems, held.stems)
    if not missing:
        return 1.0
    missing -= known
    left = _unlike(held.stems, said.stems)
    if len(missing) == len(said.stems) or any(map(_is_number, missing)) or missing & said.names:
        return 0.0
    if (not left and said.adds) or _of_one_kind(missing, left):
        return 0.0
    if missing & _TURNING and not left & _TURNING:
        return 0.0
    return 1.0 - len(missing) / len(said.stems)


def _unlike(words: AbstractSet[str], others: AbstractSet[str]) -> set[str]:
    return {word for word in words - others if not any(alike(word, other) for other in others)}


def _share_of_name(value: str, held: str) -> float:
    """Of a person: one name alike, and every other alike or an initial of one; titles aside."""
    mine, theirs = ({*name_words(_INITIALS.sub("", each), HONORIFICS)} for each in (value, held))
    found = {word for word in mine if any(alike(word, other) for other in theirs)}
    near = {word for word in mine - found if any(_may_be_one_name(word, other) for other in theirs)}
    return len(found) / len(mine) if found | near == mine and max(map(len, found), default=0) > LONGEST_INITIAL else 0.0


def _may_be_one_name(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    return (len(short) <= LONGEST_INITIAL and long.startswith(short)) or JaroWinkler.similarity(a, b) >= LIKE_NAMES


def _of_one_kind(words: AbstractSet[str], others: AbstractSet[str]) -> bool:
    """Whether one of these is another thing of the kind of one of those: *jati*, *pisang*."""
    return any(_kinds(word) & _kinds(other) for word, other in product(words, others))


@cache
def _families() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(stem, family)) for family in word_lines("kinds.txt"))


@cache
def _kinds(word: str) -> frozenset[int]:
    return frozenset(number for number, family in enumerate(_families()) if word in family)


def _is_number(word: str) -> bool:
    return word[0].isdigit()


@lru_cache(maxsize=10_000)
def _names(value: str) -> frozenset[str]:
    words = _WORD.findall(value)
    capital = [word[0].isupper() for word in words]
    named = {
        word.casefold() for place, word in enumerate(words) if capital[place] and (place or capital[1:2] == [True])
    }
    return frozenset(named - PLACE_LEVELS)

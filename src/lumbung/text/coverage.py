"""Whether a value says nothing beyond what is held: compared by what is said, not by how it is put.

People inflect words, count in other units and spell names anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import JaroWinkler

from lumbung.model.profile import ValueKind
from lumbung.text.dating import read_date
from lumbung.text.names import name_key, spoken_alike
from lumbung.text.quantity import with_measures
from lumbung.text.stemming import stem
from lumbung.text.tables import word_table
from lumbung.text.values import (
    EMPTY_WORDS,
    HONORIFICS,
    LONG_TEXT_OVERLAP,
    LONG_TEXT_STEMS,
    NEAR_SPELLING,
    SEPARATOR,
    meaning_stems,
    name_words,
    near,
    overlap,
    text_key,
    text_stems,
)

_PREFIXES = frozenset(
    [
        "di",
        "ke",
        "se",
        "ber",
        "be",
        "ter",
        "te",
        "pe",
        "per",
        "pem",
        "pen",
        "peng",
        "me",
        "mem",
        "men",
        "meng",
        "pa",
        "ka",
        "pi",
        "sa",
    ]
)
_SUFFIXES = frozenset(["", "i", "an", "kan", "nya"])
_SHORTEST_ROOT = 3
_SHORTEST_PREFIXED = 4
_SHORTEST_MISSPELT = 5


@dataclass(frozen=True, slots=True)
class Said:
    """A value under its key, and as it was written where that is known."""

    key: str
    value: str = ""


def covered(said: Said, held: Iterable[Said], kind: ValueKind, told: str = "") -> bool:
    """Whether this says nothing beyond all that is held.

    Sets add up over all that is held; a text, a part of a set, a place, a person or a date is covered by one that says the
    same and more. Words of `told`, which is known of the item anyway, say nothing beside others.
    """
    known = list(held)
    if any(said.key == each.key for each in known):
        return True
    if kind is ValueKind.SET:
        return _covered_set(said, known, told)
    if kind is ValueKind.DATE:
        return any(_covered_date(said, each) for each in known)
    if kind is ValueKind.PLACE:
        return any(frozenset(said.key.split(", ")) <= frozenset(each.key.split(", ")) for each in known)
    if kind is ValueKind.PERSON:
        return any(_covered_person(said.value, each.value) for each in known)
    return kind is ValueKind.TEXT and any(_covered_text(said, each, told) for each in known)


def said_words(text: str) -> frozenset[str]:
    """The stems and measures of a text of any length, as `said_within` looks for them."""
    return meaning_stems(with_measures(text))


def said_within(value: str, words: frozenset[str], told: str = "") -> bool:
    """Whether every word and number of the value that says something stands, however inflected, among these."""
    mine = _meaningful(said_words(value))
    return bool(mine) and _says_no_more(mine, words, told)


def _meaningful(words: frozenset[str]) -> frozenset[str]:
    """Without words that say nothing, unless there are no others."""
    return words - word_table("light-stems.txt") - EMPTY_WORDS or words


def _says_no_more(mine: frozenset[str], theirs: frozenset[str], told: str = "") -> bool:
    """Whether what is missing there is told anyway, and what is found is more than that, or all they say."""
    missing = frozenset(word for word in mine - theirs if not any(_alike(word, other) for other in theirs))
    if not missing:
        return True
    known = text_stems(told) if told else frozenset[str]()
    found = mine - missing
    if not found or not missing <= known:
        return False
    return not found <= known or _says_no_more(_meaningful(theirs), found)


def _covered_text(said: Said, held: Said, told: str) -> bool:
    if _covered_words(frozenset(said.key.split()), frozenset(held.key.split()), told):
        return True
    mine, theirs = (text_stems(with_measures(each.value)) for each in (said, held))
    return bool(mine) and _covered_words(mine, theirs, told)


def _covered_words(mine: frozenset[str], theirs: frozenset[str], told: str) -> bool:
    if not theirs:
        return False
    if _says_no_more(_meaningful(mine), theirs, told) or near(mine, theirs):
        return True
    return min(len(mine), len(theirs)) >= LONG_TEXT_STEMS and overlap(mine, theirs) >= LONG_TEXT_OVERLAP


def _covered_set(said: Said, held: Sequence[Said], told: str) -> bool:
    theirs = frozenset(part for each in held for part in each.key.split(" | "))
    if all(_covered_part(part, theirs, told) or _is_of_parts(part, theirs) for part in said.key.split(" | ")):
        return True
    names = frozenset(name_key(part) for each in held for part in SEPARATOR.split(each.value) if part.strip())
    theirs |= {text_key(with_measures(part)) for each in held for part in SEPARATOR.split(each.value)}
    written = [part for part in SEPARATOR.split(said.value) if part.strip()]
    return bool(written) and all(
        name_key(part) in names or _covered_part(text_key(with_measures(part)), theirs, told) for part in written
    )


def _covered_part(part: str, others: frozenset[str], told: str) -> bool:
    mine = _meaningful(frozenset(part.split()))
    mine = mine - HONORIFICS or mine
    return any(part == other or _says_no_more(mine, frozenset(other.split()), told) for other in others)


def _is_of_parts(part: str, others: frozenset[str]) -> bool:
    """Whether it is several of them without a comma: *asam pedas*."""
    return frozenset(part.split()) <= others


def _covered_date(said: Said, held: Said) -> bool:
    """By one that is finer, or by the same of another era."""
    mine, theirs = read_date(said.value), read_date(held.value)
    if mine is None or theirs is None:
        return held.key.startswith(f"{said.key}-")
    return theirs.lies_within(mine)


def _covered_person(value: str, held: str) -> bool:
    mine, theirs = (frozenset(map(name_key, name_words(each, HONORIFICS))) for each in (value, held))
    return bool(mine) and bool(theirs) and _says_no_more(mine, theirs)


def _alike(a: str, b: str) -> bool:
    a, b = _undoubled(a), _undoubled(b)
    if a == b or _inflected(*sorted((a, b), key=len)) or spoken_alike(a, b):
        return True
    if min(len(a), len(b)) < _SHORTEST_MISSPELT or not (a.isalpha() and b.isalpha()):
        return False
    return JaroWinkler.similarity(a, b) >= NEAR_SPELLING


def _undoubled(word: str) -> str:
    """A word said twice, inflected or not (*bergaris-garis*), is the word."""
    first, _, second = word.partition("-")
    return second if second and (first.endswith(second) or stem(first) == stem(second)) else word


def _inflected(root: str, word: str) -> bool:
    """Whether the longer is the shorter with an affix that the stemmer left on one of them and took off the other."""
    if len(root) < _SHORTEST_ROOT or not root.isalpha() or not word.isalpha():
        return False
    before, found, after = word.partition(root)
    if not found or after not in _SUFFIXES:
        return False
    return not before or (before in _PREFIXES and len(root) >= _SHORTEST_PREFIXED)

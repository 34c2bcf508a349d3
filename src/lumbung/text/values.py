"""When two values of an attribute say the same, and when they cannot both be right."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache

from rapidfuzz.distance import JaroWinkler

from lumbung.model.profile import Profile, ValueKind
from lumbung.text.dating import read_date
from lumbung.text.names import name_key
from lumbung.text.quantity import read_quantity
from lumbung.text.spelling import modernise
from lumbung.text.stemming import stem
from lumbung.text.tables import word_table

Relation = Callable[[str, str], bool]

NEAR_SPELLING = 0.93
LONG_TEXT_STEMS = 8
LONG_TEXT_OVERLAP = 0.8
CONTRADICTION_OVERLAP = 0.5

EMPTY_WORDS = word_table("empty-words.txt")
PLACE_LEVELS = word_table("place-levels.txt")
HONORIFICS = word_table("honorifics.txt")
SEPARATOR = re.compile(r"[,;/|•·\n&]|(?<![^\S\n])[^\S\n]+(?:dan|serta|and|en)\s+")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


def _words(value: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", value).casefold())


@lru_cache(maxsize=8_192)
def text_stems(value: str) -> frozenset[str]:
    return meaning_stems(value)


def meaning_stems(value: str) -> frozenset[str]:
    """The stems that carry meaning; a value made of empty words alone keeps them all."""
    words = _words(modernise(value))
    kept = {stem(word) for word in words if word not in EMPTY_WORDS}
    kept -= EMPTY_WORDS
    return frozenset(kept or words)


@lru_cache(maxsize=16)
def _phrases(terms: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(terms, key=lambda each: (-len(each), each))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def with_synonyms(value: str, synonyms: Mapping[str, str]) -> str:
    """The words of a value with near-synonyms of the profile replaced, whole words or phrases, longest first."""
    words = " ".join(_words(value))
    return _phrases(tuple(synonyms)).sub(lambda found: synonyms[found[0]], words) if synonyms else words


def text_key(value: str) -> str:
    return " ".join(sorted(text_stems(value)))


def _set_parts(value: str) -> frozenset[str]:
    return frozenset(key for part in SEPARATOR.split(value) if (key := text_key(part)))


def name_words(value: str, dropped: frozenset[str]) -> list[str]:
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", value).casefold())
    return [word for word in words if word not in dropped] or words


def _place_parts(value: str) -> frozenset[str]:
    parts = (" ".join(name_words(part, PLACE_LEVELS)) for part in re.split(r"[,;/()]|\bdan\b", value))
    return frozenset(name_key(part) for part in parts if part)


def value_key(value: str, kind: ValueKind, synonyms: Mapping[str, str] | None = None) -> str:
    """The canonical form under which a value is compared, stored and counted.

    A number or date that cannot be read as one is compared as text, so nothing is lost.
    """
    if kind is ValueKind.NUMBER and (quantity := read_quantity(value)):
        return quantity.key
    if kind is ValueKind.DATE and (date := read_date(value)):
        return date.key
    if kind is ValueKind.PLACE:
        return ", ".join(sorted(_place_parts(value)))
    if kind is ValueKind.PERSON:
        return name_key(" ".join(name_words(value, HONORIFICS)))
    if synonyms:
        value = ", ".join(with_synonyms(part, synonyms) for part in SEPARATOR.split(value))
    if kind is ValueKind.SET:
        return " | ".join(sorted(_set_parts(value)))
    return text_key(value)


def fact_key(profile: Profile, attribute: str, value: str) -> str:
    """The key of a value as the profile's attribute has it; never empty for a value that has a character."""
    known = profile.attributes.get(attribute)
    return value_key(value, known.kind if known else ValueKind.TEXT, profile.synonyms) or value.casefold()


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / len(left | right) if left or right else 1.0


def near(left: frozenset[str], right: frozenset[str]) -> bool:
    """Equal but for the spelling of single words, each paired with one of the other side; numbers are not spelled."""
    mine, others = sorted(left - right), sorted(right - left)
    if len(mine) != len(others):
        return False
    for word in mine:
        best = max(others, key=lambda other: JaroWinkler.similarity(word, other))
        if min(len(word), len(best)) < 5 or any(map(str.isdigit, word + best)):
            return False
        if JaroWinkler.similarity(word, best) < NEAR_SPELLING:
            return False
        others.remove(best)
    return True


def _same_text(a: str, b: str) -> bool:
    left, right = text_stems(a), text_stems(b)
    if left == right or near(left, right):
        return True
    return min(len(left), len(right)) >= LONG_TEXT_STEMS and overlap(left, right) >= LONG_TEXT_OVERLAP


def same_value(a: str, b: str, kind: ValueKind, synonyms: Mapping[str, str] | None = None) -> bool:
    """Whether both say the same: equal keys, or texts that differ in spelling alone."""
    if value_key(a, kind, synonyms) == value_key(b, kind, synonyms):
        return True
    if kind is ValueKind.SET:
        mine, others = _set_parts(a), _set_parts(b)
        return len(mine) == len(others) and near(mine, others)
    return kind is ValueKind.TEXT and _same_text(a, b)


def _texts_contradict(a: str, b: str) -> bool:
    """Short answers that share too little; of two descriptions one can always say more than the other."""
    left, right = text_stems(a), text_stems(b)
    if left <= right or right <= left or max(len(left), len(right)) >= LONG_TEXT_STEMS:
        return False
    return overlap(left, right) < CONTRADICTION_OVERLAP


def contradicts(
    a: str, b: str, kind: ValueKind, synonyms: Mapping[str, str] | None = None, related: Relation | None = None
) -> bool:
    """Whether the two cannot both be right as values of one single-valued attribute.

    A coarser value never contradicts a finer one that lies within it: 1945 and August 1945, a range and a
    number in it, a province and its regency (which `related` knows). Sets add up and never contradict.
    """
    if kind is ValueKind.SET or same_value(a, b, kind, synonyms):
        return False
    if kind is ValueKind.NUMBER and (x := read_quantity(a)) and (y := read_quantity(b)):
        return x.unit == y.unit and not x.overlaps(y)
    if kind is ValueKind.DATE and (d := read_date(a)) and (e := read_date(b)):
        return d.era == e.era and not d.overlaps(e)
    if kind is ValueKind.PLACE:
        left, right = _place_parts(a), _place_parts(b)
        return not (left & right or (related is not None and related(a, b)))
    if kind is ValueKind.PERSON:
        mine, others = (frozenset(name_words(each, HONORIFICS)) for each in (a, b))
        return not (mine <= others or others <= mine)
    return _texts_contradict(a, b)

"""Whether a value says nothing beyond what is held: compared by what is said, not by how it is put.

People inflect words, count in other units and spell names anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rapidfuzz.distance import JaroWinkler

from lumbung.model.profile import ValueKind
from lumbung.text.dating import read_date
from lumbung.text.names import name_key
from lumbung.text.quantity import in_figures, read_quantity, with_measures
from lumbung.text.spoken import spoken_alike
from lumbung.text.stemming import root_words, stem
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
_LIGHT = word_table("light-stems.txt")
_DIMENSIONS = frozenset(["panjang", "tinggi", "lebar", "tebal", "berat", "luas", "diameter"])
_COUNTED = re.compile(r"\s*\d+\s+([^\W\d]+(?:\s+[^\W\d]+)?)\s*(?::|,?\s*\b(?:yaitu|yakni|ialah|antara lain)\b)")
_AFTER_COUNT = re.compile(r":|\b(?:yaitu|yakni|ialah|antara lain)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"(?<=\w)\s+yang(?:\s+[^\W\d]+){1,3}(?=\s*(?:[,;.]|$|\b(?:dan|serta)\b))", re.IGNORECASE)
_TELLING = re.compile(r"\b(?:tidak|tak|belum|tanpa|bukan|hanya|dan|serta)\b", re.IGNORECASE)
_FRAME = re.compile(
    r"(?:[a-z]{3,}nya\s+)?(?:di|ter|ber)[a-z]{3,}\s+(?:pada|di|dari|dengan|oleh|dalam|atas)\s+(?=\w)", re.IGNORECASE
)
"""What puts a thing of a list into a sentence: *ditulis pada daun lontar*, *bilahnya terbuat dari besi*."""
_SHORTEST_ROOT = 3
_SHORTEST_PREFIXED = 4
_SHORTEST_MISSPELT = 5
_SHORTEST_BARE = 5


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
    kind = as_read(said, kind)
    if (
        kind in {ValueKind.SET, ValueKind.TEXT}
        and (plain := _plainly(said)) != said
        and covered(plain, known, kind, told)
    ):
        return True
    if kind is ValueKind.SET:
        return _covered_set(said, known, told)
    if kind is ValueKind.DATE:
        return any(_covered_date(said, each) for each in known)
    if kind is ValueKind.PLACE:
        return any(_covered_place(frozenset(said.key.split(", ")), each, told) for each in known)
    if kind is ValueKind.PERSON:
        return any(_covered_person(said.value, each.value) for each in known)
    return kind is ValueKind.TEXT and any(_covered_text(said, each, told) for each in known)


def as_read(said: Said, kind: ValueKind) -> ValueKind:
    """What cannot be read as a number or a date (*ganjil*) is said in words."""
    unread = (kind is ValueKind.NUMBER and read_quantity(said.value) is None) or (
        kind is ValueKind.DATE and read_date(said.value) is None
    )
    return ValueKind.TEXT if unread and said.value else kind


def _plainly(said: Said) -> Said:
    """Without what a short clause adds to a noun: *tamu yang datang*. A clause with a negation says something."""
    clauses = [found[0] for found in _CLAUSE.finditer(said.value) if not _TELLING.search(found[0])]
    if not clauses:
        return said
    dropped = text_stems(" ".join(clauses))
    parts = (" ".join(word for word in part.split() if word not in dropped) or part for part in said.key.split(" | "))
    return Said(" | ".join(parts), _CLAUSE.sub(lambda found: "" if found[0] in clauses else found[0], said.value))


def said_words(text: str) -> frozenset[str]:
    """The stems and measures of a text of any length, as `said_within` looks for them."""
    return meaning_stems(with_measures(text))


def said_within(value: str, words: frozenset[str], told: str = "") -> bool:
    """Whether every word and number of the value that says something stands, however inflected, among these."""
    mine = meaningful(said_words(value))
    return bool(mine) and _says_no_more(mine, words, told)


def meaningful(words: frozenset[str]) -> frozenset[str]:
    """Without words that say nothing, unless there are no others."""
    return words - _LIGHT - EMPTY_WORDS or words


def _says_no_more(mine: frozenset[str], theirs: frozenset[str], told: str = "") -> bool:
    """Whether what is missing there is told anyway, and what is found is more than that, or all they say."""
    missing = frozenset(word for word in mine - theirs if not any(alike(word, other) for other in theirs))
    if not missing:
        return True
    known = text_stems(told) if told else frozenset[str]()
    found = mine - missing
    if not found or not missing <= known:
        return False
    return not found <= known or _says_no_more(meaningful(theirs), found)


def _covered_place(parts: frozenset[str], held: Said, told: str) -> bool:
    """Also where what is more is the region that the item is known to be of."""
    missing = parts - frozenset(held.key.split(", "))
    return len(missing) < len(parts) and all(part in name_key(told) for part in missing)


def _covered_text(said: Said, held: Said, told: str) -> bool:
    if _covered_words(frozenset(said.key.split()), frozenset(held.key.split()), told):
        return True
    mine, theirs = (text_stems(with_measures(each.value)) for each in (said, held))
    if not theirs & _DIMENSIONS and any(word[0].isdigit() for word in mine & theirs):
        mine -= _DIMENSIONS  # 27 cm, however one measured
    return bool(mine) and _covered_words(mine, theirs, told)


def _covered_words(mine: frozenset[str], theirs: frozenset[str], told: str) -> bool:
    if not theirs:
        return False
    if _says_no_more(meaningful(mine), theirs, told) or near(mine, theirs):
        return True
    return min(len(mine), len(theirs)) >= LONG_TEXT_STEMS and overlap(mine, theirs) >= LONG_TEXT_OVERLAP


def _covered_set(said: Said, held: Sequence[Said], told: str) -> bool:
    theirs = frozenset(part for each in held for part in each.key.split(" | "))
    if all(_covered_part(part, theirs, told) or _is_of_parts(part, theirs) for part in said.key.split(" | ")):
        return True
    names = frozenset(name_key(part) for each in held for part in SEPARATOR.split(each.value) if part.strip())
    theirs |= {text_key(with_measures(part)) for each in held for part in SEPARATOR.split(each.value)}
    counted = _without_count(said.value, told)
    written = [_FRAME.sub("", part.strip()) for part in SEPARATOR.split(counted) if part.strip()]
    return bool(written) and all(
        name_key(part) in names or _covered_part(text_key(with_measures(_untitled(part))), theirs, told)
        for part in written
    )


def _without_count(value: str, told: str) -> str:
    """Without how many of their kind follow: *tiga warna: merah, hitam, putih*."""
    found = _COUNTED.match(in_figures(value.casefold()))
    if not found or not _says_no_more(text_stems(found[1]), _LIGHT | text_stems(told)):
        return value
    return _AFTER_COUNT.split(value, maxsplit=1)[-1]


def _covered_part(part: str, others: frozenset[str], told: str) -> bool:
    mine = meaningful(frozenset(part.split()))
    return part in others or any(_says_no_more(mine, frozenset(other.split()), told) for other in others)


def _untitled(part: str) -> str:
    """Without the titles before a name; *pisang raja* is a banana."""
    words = part.split()
    start = next((place for place, word in enumerate(words) if word.casefold().strip(".") not in HONORIFICS), 0)
    return " ".join(words[start:])


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
    mine, theirs = ([name_key(word) for word in name_words(each, HONORIFICS)] for each in (value, held))
    return bool(mine) and bool(theirs) and _says_no_more(_written_as(mine, theirs), _written_as(theirs, mine))


def _written_as(words: Sequence[str], others: Sequence[str]) -> frozenset[str]:
    """With two words as one where the others have them so: *Paku Buwono*, *Pakubuwana*."""
    joined = {(a, b): other for a, b in pairwise(words) for other in others if spoken_alike(name_key(f"{a}{b}"), other)}
    apart = frozenset(word for pair in joined for word in pair)
    return (frozenset(words) - apart) | frozenset(joined.values())


@lru_cache(maxsize=32_768)
def alike(a: str, b: str) -> bool:
    a, b = _undoubled(a), _undoubled(b)
    if a == b or _inflected(*sorted((a, b), key=len)) or spoken_alike(a, b) or not _bare(a).isdisjoint(_bare(b)):
        return True
    if min(len(a), len(b)) < _SHORTEST_MISSPELT or not (a.isalpha() and b.isalpha()):
        return False
    return JaroWinkler.similarity(a, b) >= NEAR_SPELLING


@lru_cache(maxsize=10_000)
def _bare(word: str) -> frozenset[str]:
    """What may be the root of a word that the dictionary does not have: *hentak* of *menghentakkan* and *hentakan*."""
    if word in root_words() or not word.isalpha():
        return frozenset()
    starts = [len(prefix) for prefix in (*_PREFIXES, "") if word.startswith(prefix)]
    ends = [len(word) - len(suffix) for suffix in _SUFFIXES if word.endswith(suffix)]
    return frozenset(word[start:end] for start in starts for end in ends if end - start >= _SHORTEST_BARE)


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

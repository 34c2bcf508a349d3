"""Whether a value says nothing beyond what is held: compared by what is said, not by how it is put.

People inflect words, count in other units and spell names anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import JaroWinkler

from lumbung.model.profile import ValueKind
from lumbung.text.names import name_key
from lumbung.text.quantity import with_measures
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

_LIGHT_STEMS = frozenset(
    [
        "ada",
        "agar",
        "akan",
        "alat",
        "antara",
        "atas",
        "bentuk",
        "biasa",
        "buah",
        "cara",
        "dapat",
        "demi",
        "diri",
        "guna",
        "hingga",
        "jadi",
        "jenis",
        "kemudian",
        "laku",
        "laksana",
        "lalu",
        "macam",
        "maupun",
        "milik",
        "nama",
        "pakai",
        "proses",
        "punya",
        "pun",
        "rupa",
        "saat",
        "sama",
        "sambil",
        "sampai",
        "sangat",
        "sebut",
        "secara",
        "sehingga",
        "seperti",
        "serta",
        "supaya",
        "tahun",
        "tanggal",
        "masehi",
        "m",
        "usia",
        "umum",
        "yaitu",
        "yakni",
        "waktu",
        "ketika",
        "kala",
        "usai",
        "hal",
        "kegiatan",
        "lakukan",
        "serba",
        "daerah",
        "bulan",
    ]
)
"""Stems that bind a sentence together or only name a kind of statement. Negations, numbers, *tanpa*, *hanya* say something."""
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


def covered(said: Said, held: Iterable[Said], kind: ValueKind, label: str = "") -> bool:
    """Whether this says nothing beyond all that is held.

    Sets add up over all that is held; a text, a part of a set, a place, a person or a date is covered by one that says the
    same and more. Words of the attribute's own label say nothing in its value.
    """
    known = list(held)
    if any(said.key == each.key for each in known):
        return True
    if kind is ValueKind.SET:
        return _covered_set(said, known, label)
    if kind is ValueKind.DATE:
        return any(each.key.startswith(f"{said.key}-") for each in known)
    if kind is ValueKind.PLACE:
        return any(frozenset(said.key.split(", ")) <= frozenset(each.key.split(", ")) for each in known)
    if kind is ValueKind.PERSON:
        return any(_covered_person(said.value, each.value) for each in known)
    return kind is ValueKind.TEXT and any(_covered_text(said, each, label) for each in known)


def said_words(text: str) -> frozenset[str]:
    """The stems and measures of a text of any length, as `said_within` looks for them."""
    return meaning_stems(with_measures(text))


def said_within(value: str, words: frozenset[str]) -> bool:
    """Whether every word and number of the value that says something stands, however inflected, among these."""
    mine = _meaningful(said_words(value))
    return bool(mine) and _all_alike(mine, words)


def _meaningful(words: frozenset[str], label: str = "") -> frozenset[str]:
    """Without words that say nothing here, unless there are no others."""
    heavy = words - _LIGHT_STEMS - EMPTY_WORDS
    own = heavy - text_stems(label) if label else heavy
    return own or heavy or words


def _covered_text(said: Said, held: Said, label: str) -> bool:
    if _covered_words(frozenset(said.key.split()), frozenset(held.key.split()), label):
        return True
    mine, theirs = with_measures(said.value), with_measures(held.value)
    measured = mine != said.value or theirs != held.value
    return measured and _covered_words(text_stems(mine), text_stems(theirs), label)


def _covered_words(mine: frozenset[str], theirs: frozenset[str], label: str) -> bool:
    if not theirs:
        return False
    if _all_alike(_meaningful(mine, label), theirs) or near(mine, theirs):
        return True
    return min(len(mine), len(theirs)) >= LONG_TEXT_STEMS and overlap(mine, theirs) >= LONG_TEXT_OVERLAP


def _covered_set(said: Said, held: Sequence[Said], label: str) -> bool:
    theirs = frozenset(part for each in held for part in each.key.split(" | "))
    if all(_covered_part(part, theirs, label) for part in said.key.split(" | ")):
        return True
    names = frozenset(name_key(part) for each in held for part in SEPARATOR.split(each.value) if part.strip())
    written = [part for part in SEPARATOR.split(said.value) if part.strip()]
    return bool(written) and all(
        name_key(part) in names or _covered_part(text_key(part), theirs, label) for part in written
    )


def _covered_part(part: str, others: frozenset[str], label: str) -> bool:
    mine = _meaningful(frozenset(part.split()), label)
    mine = mine - HONORIFICS or mine
    return any(part == other or _all_alike(mine, frozenset(other.split())) for other in others)


def _covered_person(value: str, held: str) -> bool:
    mine, theirs = (frozenset(map(name_key, name_words(each, HONORIFICS))) for each in (value, held))
    return bool(mine) and bool(theirs) and _all_alike(mine, theirs)


def _all_alike(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return all(any(_alike(word, other) for other in theirs) for word in mine - theirs)


def _alike(a: str, b: str) -> bool:
    if a == b or _inflected(*sorted((a, b), key=len)):
        return True
    if min(len(a), len(b)) < _SHORTEST_MISSPELT or not (a.isalpha() and b.isalpha()):
        return False
    return JaroWinkler.similarity(a, b) >= NEAR_SPELLING


def _inflected(root: str, word: str) -> bool:
    """Whether the longer is the shorter with an affix that the stemmer left on one of them and took off the other."""
    if len(root) < _SHORTEST_ROOT or not root.isalpha() or not word.isalpha():
        return False
    before, found, after = word.partition(root)
    if not found or after not in _SUFFIXES:
        return False
    return not before or (before in _PREFIXES and len(root) >= _SHORTEST_PREFIXED)

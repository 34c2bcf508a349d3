"""Names by the thousand: split into words, weighed by rarity, and compared pair by pair in bulk."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA, JaroWinkler

from lumbung.text.features import word_keys

Numbers = NDArray[np.float32]
Indices = NDArray[np.int32]

WIDTH = 6
GENERIC_WEIGHT = 0.15
_COMMON_SHARE = 0.02
_OTHER_NAMES = re.compile(
    r"(?:;|\||/|\balias\b|\batau\b|\ba\.?k\.?a\.?\b|\bdisebut juga\b|\balso known as\b)", re.IGNORECASE
)
_SEVERAL = re.compile(rf"[(\[]|{_OTHER_NAMES.pattern}", re.IGNORECASE)
_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_LINKING = frozenset(("dan", "di", "dari", "ke", "khas", "asal", "the", "of", "and", "van", "de", "het", "en"))


class Relation(IntEnum):
    """How two names relate, from the closest to none; *telling* names share several rare words."""

    EQUAL_RARE = 0
    EQUAL = 1
    REORDERED_TELLING = 2
    REORDERED = 3
    BY_ALIAS = 4
    SPELLING_TELLING = 5
    SPELLING = 6
    ADDS_LITTLE = 7
    ALIKE = 8
    ADDS_WORDS = 9
    MOSTLY_SHARED = 10
    PARTLY_SHARED = 11
    SOMEWHAT_ALIKE = 12
    APART = 13


RELATIONS = (
    "equal and rare",
    "equal",
    "equal but for generic words or order, in rare words",
    "equal but for generic words or order",
    "equal under another name",
    "spelling, in rare words",
    "spelling",
    "one adds little",
    "alike as a whole",
    "one adds words",
    "mostly shared",
    "partly shared",
    "somewhat alike",
    "apart",
)
_TELLING = 1.3
"""Times the rarity of a word that a single record bears."""


def variants_of(name: str) -> list[str]:
    """A name and the other names written beside it: `Tari Indang (Dindin Badindin)`, `Gendang / Kendang`."""
    if not _SEVERAL.search(name):
        return [name]
    outside = _BRACKETS.sub(" ", name).strip()
    inside = [part for match in _BRACKETS.finditer(name) for part in match.groups() if part]
    found: list[str] = []
    for text in ([outside] if outside else []) + inside:
        found += [part.strip() for part in _OTHER_NAMES.split(text) if any(letter.isalnum() for letter in part)]
    return found or [name]


@dataclass(frozen=True)
class NameBook:
    """Every distinct name with its words; row n of `words` holds the word numbers of name n, -1 beyond its end."""

    names: tuple[str, ...]
    keys: NDArray[np.int64]
    """The number of the name's words run together; `joined` is the same of its distinguishing words."""
    joined: NDArray[np.int64]
    joined_texts: tuple[str, ...]
    words: Indices
    weights: Numbers
    """The rarity of each word of each name, 0 beyond its end."""
    generic: NDArray[np.bool_]
    """Where a word says nothing of its own, or there is none."""
    vocabulary: tuple[str, ...]
    counts: NDArray[np.intp]
    """How many records bear the name's key."""
    rarest: float
    """The rarity of a word that a single record bears."""

    @cached_property
    def lengths(self) -> Indices:
        """Of the words in the vocabulary."""
        return np.fromiter(map(len, self.vocabulary), dtype=np.int32, count=len(self.vocabulary))


def _numbers_of(texts: Sequence[str]) -> NDArray[np.int64]:
    place: dict[str, int] = {}
    return np.fromiter((place.setdefault(text, len(place)) for text in texts), dtype=np.int64, count=len(texts))


def _common_words(
    place: dict[str, int], frequency: Sequence[float], known: set[str], records: int
) -> NDArray[np.bool_]:
    """Words listed as generic, and words that very many records bear."""
    listed = np.fromiter((word in known for word in place), dtype=bool, count=len(place))
    return listed | (np.array(frequency, dtype=np.float64) > max(50.0, _COMMON_SHARE * records))


def name_book(names: Sequence[str], uses: Sequence[int], generic_words: Iterable[str]) -> NameBook:
    """`uses[n]` is how many records bear names[n]."""
    keyed = map(word_keys, names)
    split = [[word for word in keys if word not in _LINKING] or list(keys) for keys in keyed]
    place: dict[str, int] = {}
    frequency: list[float] = []
    for found, use in zip(split, uses, strict=True):
        for word in dict.fromkeys(found):
            if place.setdefault(word, len(place)) == len(frequency):
                frequency.append(0.0)
            frequency[place[word]] += use
    records = max(1, sum(uses))
    known = {word for each in generic_words for word in word_keys(each)}
    common = _common_words(place, frequency, known, records)
    width = min(WIDTH, max((len(found) for found in split), default=1) or 1)
    words = np.full((len(names), width), -1, dtype=np.int32)
    joined = []
    for row, found in enumerate(split):
        kept = found[:width]
        words[row, : len(kept)] = [place[word] for word in kept]
        joined.append("".join([word for word in found if not common[place[word]]] or found))
    weights, generic = _weighed(words, common, np.array(frequency, dtype=np.float64), records)
    keys = _numbers_of(["".join(found) for found in split])
    borne = np.bincount(keys, weights=np.array(uses, dtype=np.float64)) if len(keys) else np.zeros(0)
    counts = borne[keys].astype(np.intp)
    return NameBook(
        tuple(names), keys, _numbers_of(joined), tuple(joined), words, weights, generic, tuple(place), counts,
        rarest=math.log((records + 1) / 1.5),
    )  # fmt: skip


def _weighed(
    words: Indices, common: NDArray[np.bool_], frequency: NDArray[np.float64], records: int
) -> tuple[Numbers, NDArray[np.bool_]]:
    """The weight of each word by its rarity, little for generic ones; a name of generic words alone keeps them."""
    rarity = np.append(np.log((records + 1) / (frequency + 0.5)), 0.0)
    generic = np.append(common, True)[words]
    bare = generic.all(axis=1)
    generic[bare] = words[bare] < 0
    weights = np.where(generic, GENERIC_WEIGHT, rarity[words])
    return np.where(words >= 0, weights, 0.0).astype(np.float32), generic


def _word_likeness(book: NameBook, left: Indices, right: Indices) -> Numbers:
    """Likeness of word pairs by number: 1 equal, else Jaro-Winkler where at most one or two letters differ."""
    size = len(book.vocabulary)
    distinct, back = np.unique(left.astype(np.int64) * size + right, return_inverse=True)
    a = [book.vocabulary[n] for n in (distinct // size).tolist()]
    b = [book.vocabulary[n] for n in (distinct % size).tolist()]
    lengths = np.minimum(book.lengths[distinct // size], book.lengths[distinct % size])
    distance = process.cpdist(a, b, scorer=OSA.distance, score_cutoff=2, dtype=np.int32)
    near = np.flatnonzero(distance <= np.where(lengths < 4, 0, np.where(lengths < 8, 1, 2)))
    likeness = np.zeros(len(a), dtype=np.float32)
    close_a, close_b = [a[n] for n in near.tolist()], [b[n] for n in near.tolist()]
    if close_a:
        alike = process.cpdist(close_a, close_b, scorer=JaroWinkler.similarity, dtype=np.float32)
        figures = [x.isdigit() or y.isdigit() for x, y in zip(close_a, close_b, strict=True)]
        likeness[near] = np.where(figures, 0.0, alike)
    return np.asarray(likeness[back])


def _best_partner(book: NameBook, left: Indices, right: Indices) -> tuple[Numbers, Numbers]:
    """For each word of each side the likeness of its best partner on the other: arrays of (pairs, width)."""
    a, b = book.words[left], book.words[right]
    equal = (a[:, :, None] == b[:, None, :]) & (a[:, :, None] >= 0)
    mine, others = equal.any(axis=2).astype(np.float32), equal.any(axis=1).astype(np.float32)
    open_a, open_b = (mine == 0) & (a >= 0), (others == 0) & (b >= 0)
    pair, i, j = np.nonzero(open_a[:, :, None] & open_b[:, None, :])
    if pair.size:
        likeness = _word_likeness(book, a[pair, i], b[pair, j])
        good = likeness > 0
        np.maximum.at(mine, (pair[good], i[good]), likeness[good])
        np.maximum.at(others, (pair[good], j[good]), likeness[good])
    return mine, others


def relate(book: NameBook, left: Indices, right: Indices, rare_up_to: int) -> NDArray[np.int8]:
    """The relation (a place in RELATIONS) of pairs of names, the same in both directions."""
    relation = np.full(len(left), Relation.APART, dtype=np.int8)
    equal = book.keys[left] == book.keys[right]
    rare = np.maximum(book.counts[left], book.counts[right]) <= rare_up_to
    relation[equal] = np.where(rare[equal], Relation.EQUAL_RARE, Relation.EQUAL)
    rest = np.flatnonzero(~equal)
    relation[rest] = _relate_unequal(book, left[rest], right[rest], rare[rest])
    return relation


def _relate_unequal(book: NameBook, left: Indices, right: Indices, rare: NDArray[np.bool_]) -> NDArray[np.int8]:
    """From the weakest to the strongest relation: a later rule overrides an earlier one."""
    mine, others = _best_partner(book, left, right)
    weight_a, weight_b = book.weights[left], book.weights[right]
    matched = (mine * weight_a).sum(axis=1) + (others * weight_b).sum(axis=1)
    shared = matched / np.maximum(weight_a.sum(axis=1) + weight_b.sum(axis=1), 1e-6)
    plain_a, plain_b = np.where(book.generic[left], 1.0, mine), np.where(book.generic[right], 1.0, others)
    all_a, all_b = plain_a.min(axis=1), plain_b.min(axis=1)
    some = ((mine > 0) & ~book.generic[left]).any(axis=1)
    paired = some & (all_a > 0) & (all_b > 0)
    one_side = some & ((all_a > 0) | (all_b > 0))
    texts_a = [book.joined_texts[n] for n in left.tolist()]
    texts_b = [book.joined_texts[n] for n in right.tolist()]
    whole = process.cpdist(texts_a, texts_b, scorer=JaroWinkler.similarity, dtype=np.float32)
    letters = process.cpdist(texts_a, texts_b, scorer=OSA.normalized_similarity, dtype=np.float32)
    words_a, words_b = np.where(book.words[left] >= 0, mine, 1.0), np.where(book.words[right] >= 0, others, 1.0)
    exact = some & (words_a.min(axis=1) >= 1.0) & (words_b.min(axis=1) >= 1.0)
    telling = matched / 2 >= _TELLING * book.rarest
    relation = np.full(len(left), Relation.APART, dtype=np.int8)
    relation[whole >= 0.85] = Relation.SOMEWHAT_ALIKE
    relation[some & (shared >= 0.25)] = Relation.PARTLY_SHARED
    relation[some & (shared >= 0.5)] = Relation.MOSTLY_SHARED
    relation[one_side & (shared >= 0.25)] = Relation.ADDS_WORDS
    relation[letters >= 0.74] = Relation.ALIKE
    relation[one_side & (shared >= 0.7)] = Relation.ADDS_LITTLE
    relation[(letters >= 0.9) | paired] = Relation.SPELLING
    relation[paired & telling] = Relation.SPELLING_TELLING
    reordered = (paired & (all_a >= 1.0) & (all_b >= 1.0)) | (book.joined[left] == book.joined[right])
    relation[reordered] = np.where(telling[reordered], Relation.REORDERED_TELLING, Relation.REORDERED)
    relation[exact] = np.where(rare[exact], Relation.EQUAL_RARE, Relation.EQUAL)
    return relation

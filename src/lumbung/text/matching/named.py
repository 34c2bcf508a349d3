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
_KEEPS_TO_KIND = 4.0
_LEFT_OUT = 0.15
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
    figures: NDArray[np.int64]
    """The number of the figures in the name taken together, 0 without any."""
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
    split: Sequence[Sequence[str]], uses: Sequence[int], place: dict[str, int], kinds: Sequence[int] | None
) -> NDArray[np.bool_]:
    """Words that very many records bear and that say no more than the kind of thing.

    Where kinds are known such a word must keep to one of them, or be left out at will: a word that many different
    things have in their names, whatever their kind, tells them apart all the same.
    """
    frequency = _frequencies(split, uses, place)
    common = frequency > max(50.0, _COMMON_SHARE * max(1, sum(uses)))
    if kinds is None or max(kinds, default=-1) < 1:
        return common
    borne = np.zeros((len(place), max(kinds) + 1))
    wholes = {frozenset(found) for found in split}
    left_out, seen = np.zeros(len(place)), np.full(len(place), 1e-9)
    for found, use, kind in zip(split, uses, kinds, strict=True):
        for each in {each for each in found if common[place[each]]}:
            word = place[each]
            borne[word, kind] += use if kind >= 0 else 0
            seen[word] += len(found) > 1
            left_out[word] += len(found) > 1 and frozenset(found) - {each} in wholes
    left_out_at_will = left_out / seen >= _LEFT_OUT
    return np.asarray(common & (_keeps_to_one_kind(borne, kinds, uses) | left_out_at_will))


def _frequencies(split: Sequence[Sequence[str]], uses: Sequence[int], place: dict[str, int]) -> NDArray[np.float64]:
    frequency = np.zeros(len(place))
    for found, use in zip(split, uses, strict=True):
        for word in dict.fromkeys(found):
            frequency[place[word]] += use
    return frequency


def _keeps_to_one_kind(borne: NDArray[np.float64], kinds: Sequence[int], uses: Sequence[int]) -> NDArray[np.bool_]:
    """Words whose odds of one kind are several times those of all names."""
    known = np.array(kinds) >= 0
    usual = np.bincount(np.array(kinds)[known], weights=np.array(uses)[known], minlength=borne.shape[1]) + 0.5
    usual /= usual.sum()
    share = borne / np.maximum(borne.sum(axis=1, keepdims=True), 1e-9)
    odds, usual_odds = share / np.maximum(1 - share, 1e-9), usual / (1 - usual + 1e-9)
    return np.asarray(((share >= 0.5) & (odds >= _KEEPS_TO_KIND * usual_odds)).any(axis=1))


def name_book(
    names: Sequence[str], uses: Sequence[int], generic_words: Iterable[str], kinds: Sequence[int] | None = None
) -> NameBook:
    """`uses[n]` is how many records bear names[n], `kinds[n]` the category of the first of them, -1 if unknown."""
    keyed = map(word_keys, names)
    split = [[word for word in keys if word not in _LINKING] or list(keys) for keys in keyed]
    place: dict[str, int] = {}
    for found in split:
        for word in found:
            place.setdefault(word, len(place))
    records = max(1, sum(uses))
    known = {word for each in generic_words for word in word_keys(each)}
    listed = np.fromiter((word in known for word in place), dtype=bool, count=len(place))
    figures = np.fromiter((any(map(str.isdigit, word)) for word in place), dtype=bool, count=len(place))
    common = (listed | _common_words(split, uses, place, kinds)) & ~figures
    frequency = _frequencies(split, uses, place)
    width = min(WIDTH, max((len(found) for found in split), default=1) or 1)
    words = np.full((len(names), width), -1, dtype=np.int32)
    joined = []
    for row, found in enumerate(split):
        kept = found[:width]
        words[row, : len(kept)] = [place[word] for word in kept]
        joined.append("".join([word for word in found if not common[place[word]]] or found))
    weights, generic = _weighed(words, common, frequency, records)
    keys = _numbers_of(["".join(found) for found in split])
    borne = np.bincount(keys, weights=np.array(uses, dtype=np.float64)) if len(keys) else np.zeros(0)
    counts = borne[keys].astype(np.intp)
    return NameBook(
        tuple(names), keys, _numbers_of(joined), tuple(joined), words, weights, generic, tuple(place), counts,
        _numbers_of(["", *(_figures(found) for found in split)])[1:],
        rarest=math.log((records + 1) / 1.5),
    )  # fmt: skip


def _figures(words: Iterable[str]) -> str:
    return " ".join(sorted(word for word in words if any(map(str.isdigit, word))))


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
    figures_a, figures_b = book.figures[left], book.figures[right]
    other_figures = (figures_a > 0) & (figures_b > 0) & (figures_a != figures_b)
    relation[other_figures] = np.maximum(relation[other_figures], Relation.PARTLY_SHARED)
    reordered = (paired & (all_a >= 1.0) & (all_b >= 1.0)) | (book.joined[left] == book.joined[right])
    relation[reordered] = np.where(telling[reordered], Relation.REORDERED_TELLING, Relation.REORDERED)
    relation[exact] = np.where(rare[exact], Relation.EQUAL_RARE, Relation.EQUAL)
    return relation


def name_likeness(book: NameBook, left: Indices, right: Indices) -> NDArray[np.float64]:
    """What the relation of two names rests on, in numbers between 0 and 1: for a model that learns from labels."""
    mine, others = _best_partner(book, left, right)
    weight_a, weight_b = book.weights[left], book.weights[right]
    matched_a, matched_b = (mine * weight_a).sum(axis=1), (others * weight_b).sum(axis=1)
    whole_a, whole_b = np.maximum(weight_a.sum(axis=1), 1e-6), np.maximum(weight_b.sum(axis=1), 1e-6)
    held_a, held_b = matched_a / whole_a, matched_b / whole_b
    texts_a = [book.joined_texts[n] for n in left.tolist()]
    texts_b = [book.joined_texts[n] for n in right.tolist()]
    figures_a, figures_b = book.figures[left], book.figures[right]
    words_a, words_b = (book.words[left] >= 0).sum(axis=1), (book.words[right] >= 0).sum(axis=1)
    bearers = np.maximum(book.counts[left], book.counts[right])
    parts = [
        process.cpdist(texts_a, texts_b, scorer=JaroWinkler.similarity, dtype=np.float64),
        process.cpdist(texts_a, texts_b, scorer=OSA.normalized_similarity, dtype=np.float64),
        (matched_a + matched_b) / (whole_a + whole_b),
        np.minimum(held_a, held_b),
        np.maximum(held_a, held_b),
        np.minimum(1.0, (whole_a - matched_a + whole_b - matched_b) / 4 / book.rarest),
        np.minimum(1.0, (matched_a + matched_b) / 4 / book.rarest),
        1.0 / np.maximum(1, bearers),
        ((figures_a > 0) & (figures_b > 0) & (figures_a != figures_b)).astype(np.float64),
        ((figures_a > 0) != (figures_b > 0)).astype(np.float64),
        ((figures_a > 0) & (figures_a == figures_b)).astype(np.float64),
        np.minimum(1.0, np.abs(words_a - words_b) / 4),
        (mine[:, 0] >= 1.0).astype(np.float64) * (others[:, 0] >= 1.0),
    ]
    return np.column_stack(parts)

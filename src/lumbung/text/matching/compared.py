"""Levels of agreement of pairs of values, by kind of column; 0 is the best, -1 means missing on a side."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA, JaroWinkler

from lumbung.text.matching.columns import Column, ColumnKind
from lumbung.text.names import fold_word

Levels = NDArray[np.int8]
Indices = NDArray[np.int32]
Relation = Callable[[str, str], bool]

WORDS: dict[ColumnKind, tuple[str, ...]] = {
    ColumnKind.CATEGORY: ("equal", "alike", "different"),
    ColumnKind.REGION: ("equal", "related", "different"),
    ColumnKind.CLASS: ("equal", "different"),
    ColumnKind.DATE: ("equal", "one slip", "two slips or same year", "different"),
    ColumnKind.CODE: ("equal", "one slip", "two slips", "different"),
    ColumnKind.NUMBER: ("equal", "within 5 %", "within 25 %", "different"),
    ColumnKind.TEXT: ("equal and rare", "equal", "spelling", "alike", "different"),
    ColumnKind.SET: ("equal", "mostly shared", "half shared", "partly shared", "different"),
    ColumnKind.PROSE: ("equal", "mostly shared", "half shared", "partly shared", "different"),
}
_SET_WORD = re.compile(r"[^\W_]+")
_PROSE_STEPS = (0.8, 0.5, 0.28, 0.12)


def compare_column(column: Column, left: Indices, right: Indices, related: Relation | None = None) -> Levels:
    """One level a pair; each distinct pair of values is compared once."""
    a, b = column.codes[left], column.codes[right]
    levels = np.full(len(a), -1, dtype=np.int8)
    known = (a >= 0) & (b >= 0)
    if not known.any():
        return levels
    low, high = np.minimum(a[known], b[known]).astype(np.int64), np.maximum(a[known], b[known]).astype(np.int64)
    distinct, back = np.unique(low * len(column.distinct) + high, return_inverse=True)
    first, second = distinct // len(column.distinct), distinct % len(column.distinct)
    worst = len(WORDS[column.kind]) - 1
    found = np.full(len(distinct), worst, dtype=np.int8)
    equal = first == second
    found[equal] = 0
    if column.kind is ColumnKind.TEXT:
        common = column.counts[first] > max(3, len(column.codes) // 1000)
        found[equal & common] = 1
    if not equal.all() and column.kind is not ColumnKind.CLASS:
        x = [column.distinct[n] for n in first[~equal].tolist()]
        y = [column.distinct[n] for n in second[~equal].tolist()]
        if column.kind in {ColumnKind.DATE, ColumnKind.CODE}:
            lengths = np.minimum(column.lengths[first[~equal]], column.lengths[second[~equal]])
            found[~equal] = _slips(x, y, lengths, dates=column.kind is ColumnKind.DATE)
        else:
            found[~equal] = _unequal(column, x, y, related)
    levels[known] = found[back]
    return levels


def _unequal(column: Column, x: Sequence[str], y: Sequence[str], related: Relation | None) -> Levels:
    if column.kind is ColumnKind.NUMBER:
        return _measures(x, y)
    if column.kind is ColumnKind.REGION:
        return _regions(x, y, related)
    if column.kind is ColumnKind.SET:
        return _sets(column, x, y)
    if column.kind is ColumnKind.PROSE:
        return _prose(column, x, y)
    if column.kind is ColumnKind.CATEGORY:
        alike = process.cpdist(x, y, scorer=JaroWinkler.similarity, dtype=np.float32) >= 0.9
        return np.where(alike, 1, 2).astype(np.int8)
    return _texts(x, y)


def _slips(x: Sequence[str], y: Sequence[str], lengths: NDArray[np.int32], *, dates: bool) -> Levels:
    distance = process.cpdist(x, y, scorer=OSA.distance, score_cutoff=2, dtype=np.int32)
    levels = np.full(len(x), 3, dtype=np.int8)
    levels[(distance <= 2) & (lengths >= 5)] = 2
    if dates:
        levels[np.fromiter((a[:4] == b[:4] for a, b in zip(x, y, strict=True)), dtype=bool, count=len(x))] = 2
    levels[(distance <= 1) & (lengths >= 3)] = 1
    return levels


_MEASURED = re.compile(r"(-?[\d.e+]+)(?:\.\.(-?[\d.e+]+))?\s*(\S*)")


def measured(key: str) -> tuple[float, str] | None:
    match = _MEASURED.fullmatch(key)
    if not match:
        return None
    try:
        low = float(match[1])
        return ((low + float(match[2])) / 2 if match[2] else low), match[3]
    except ValueError:
        return None


def _measures(x: Sequence[str], y: Sequence[str]) -> Levels:
    levels = []
    for a, b in zip(x, y, strict=True):
        p, q = measured(a), measured(b)
        if p is None or q is None or p[1] != q[1]:
            levels.append(3)
            continue
        gap = abs(p[0] - q[0]) / max(abs(p[0]), abs(q[0]), 1e-12)
        levels.append(1 if gap <= 0.05 else 2 if gap <= 0.25 else 3)
    return np.array(levels, dtype=np.int8)


def _regions(x: Sequence[str], y: Sequence[str], related: Relation | None) -> Levels:
    near = process.cpdist(x, y, scorer=JaroWinkler.similarity, dtype=np.float32) >= 0.93
    near |= np.fromiter((_adds_words(a, b) for a, b in zip(x, y, strict=True)), dtype=bool, count=len(x))
    if related is not None:
        near |= np.fromiter((related(a, b) for a, b in zip(x, y, strict=True)), dtype=bool, count=len(x))
    return np.where(near, 1, 2).astype(np.int8)


def _adds_words(a: str, b: str) -> bool:
    """Whether one is the other with words more, as `new york city`; regions that are known stand here as codes."""
    p, q = set(a.split()), set(b.split())
    return p != q and bool(p) and bool(q) and (p <= q or q <= p)


def _sets(column: Column, x: Sequence[str], y: Sequence[str]) -> Levels:
    steps = (1 if part >= 0.75 else 2 if part >= 0.4 else 3 if part > 0 else 4 for part in shared_parts(column, x, y))
    return np.fromiter(steps, dtype=np.int8, count=len(x))


def shared_parts(column: Column, x: Sequence[str], y: Sequence[str]) -> list[float]:
    """The shared part of all words, weighed by rarity over the whole column; a slip of a letter does not part two."""
    words = {text: frozenset(_SET_WORD.findall(text)) for text in column.distinct}
    held: Counter[str] = Counter()
    for text, found in words.items():
        held.update(dict.fromkeys(found, int(column.counts[column.place[text]])))
    total = int(column.counts.sum())
    rarity = {word: math.log((total + 1) / (count + 0.5)) + 0.1 for word, count in held.items()}
    parts = []
    for a, b in zip(x, y, strict=True):
        p, q = words[a], words[b]
        shared = sum(rarity[word] for word in p & q)
        apart_p, apart_q = p - q, q - p
        for word in apart_p if shared else ():
            near = next(
                (other for other in apart_q if len(word) >= 4 and OSA.distance(word, other, score_cutoff=1) <= 1), None
            )
            if near:
                shared += min(rarity[word], rarity[near])
        whole = sum(rarity[word] for word in p) + sum(rarity[word] for word in q)
        parts.append(2 * shared / whole if whole else 0.0)
    return parts


def _texts(x: Sequence[str], y: Sequence[str]) -> Levels:
    whole = process.cpdist(x, y, scorer=JaroWinkler.similarity, dtype=np.float32)
    levels = np.full(len(x), 4, dtype=np.int8)
    levels[whole >= 0.8] = 3
    close = np.flatnonzero((whole >= 0.6) & (whole < 0.92)).tolist()
    regrouped = [n for n in close if " " in x[n] + y[n] and _same_letters(x[n], y[n])]
    levels[regrouped] = 2
    levels[whole >= 0.92] = 2
    return levels


def _same_letters(a: str, b: str) -> bool:
    """The same words in another order, or the same letters divided otherwise."""
    return a.replace(" ", "") == b.replace(" ", "") or sorted(a.split()) == sorted(b.split())


def prose_words(text: str) -> list[str]:
    return [fold_word(word) for word in re.findall(r"[^\W_]{3,}", text)]


def _prose(column: Column, x: Sequence[str], y: Sequence[str]) -> Levels:
    steps = (sum(1 for step in _PROSE_STEPS if cosine < step) for cosine in prose_cosines(column, x, y))
    return np.fromiter(steps, dtype=np.int8, count=len(x))


def prose_cosines(column: Column, x: Sequence[str], y: Sequence[str]) -> list[float]:
    """Cosine of word counts weighed by rarity over the whole column."""
    bags = {text: Counter(prose_words(text)) for text in column.distinct}
    documents: Counter[str] = Counter()
    for bag in bags.values():
        documents.update(bag.keys())
    total = len(bags)
    vectors: dict[str, tuple[dict[str, float], float]] = {}
    for text in {*x, *y}:
        weighed = {word: count * math.log((total + 1) / documents[word]) for word, count in bags[text].items()}
        vectors[text] = weighed, math.sqrt(sum(v * v for v in weighed.values())) or 1.0
    cosines = []
    for a, b in zip(x, y, strict=True):
        (p, p_length), (q, q_length) = vectors[a], vectors[b]
        small, large = (p, q) if len(p) <= len(q) else (q, p)
        cosines.append(sum(value * large.get(word, 0.0) for word, value in small.items()) / (p_length * q_length))
    return cosines

"""Hashed n-grams and words of a text: the features of the language identifier, the same in training and in use."""

from __future__ import annotations

import re
import unicodedata
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEATURE_BITS = 22
LONGEST = 5
RATIO_STEPS = 31
RATIO_WEIGHT = 6.0
RATIO_POWER = 1.5
"""A word that only one of a pair writes tells more than several that it writes somewhat oftener."""
PRIOR_OF_FIRST = 0.4
"""What is right in both is more often the first: by far more is written in Indonesian."""
_FEATURES = 1 << FEATURE_BITS
_MULTIPLIER = np.uint32(0x9E3779B1)
_FINISHER = np.uint32(0x85EBCA6B)
_SPACE = np.uint32(ord(" "))

_NO_LANGUAGE = re.compile(r"https?://\S+|www\.\S+|\S+@\S+\.\S+|[@#]\w+|&[a-z]+;", re.IGNORECASE)
_APOSTROPHES = re.compile("[’‘ʼʻʾʿˀ`´′]")
_NOT_LETTERS = re.compile(r"[^\w']|[\d_]")
_MAY_BE_ADDRESS = re.compile(r"[:@#&]|www", re.IGNORECASE)


def plain_text(text: str) -> str:
    """Lower-case words with one space around each: what carries no language (addresses, figures, signs) is gone."""
    if not text.isascii():
        text = _APOSTROPHES.sub("'", unicodedata.normalize("NFC", text))
    if _MAY_BE_ADDRESS.search(text):
        text = _NO_LANGUAGE.sub(" ", text)
    return f" {' '.join(_NOT_LETTERS.sub(' ', text.lower()).split())} "


def features(plain: str) -> NDArray[np.uint32]:
    """Bucket of every n-gram inside a word with its edges (n from 1 to 5), and of every whole word."""
    codes = np.frombuffer(plain.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    spaces = np.concatenate(([0], np.cumsum(codes == _SPACE)))
    found = [_word_buckets(plain)]
    rolling = codes
    for size in range(1, LONGEST + 1):
        if size > len(codes):
            break
        if size == 1:
            inside = codes != _SPACE
        else:
            rolling = rolling[:-1] * _MULTIPLIER + codes[size - 1 :]
            # A space may stand at either end of an n-gram, never inside it.
            inside = spaces[size - 1 : len(codes)] == spaces[1 : len(codes) - size + 2]
        found.append(_bucket(rolling[inside], size))
    return np.concatenate(found)


def _bucket(hashes: NDArray[np.uint32], size: int) -> NDArray[np.uint32]:
    mixed = (hashes ^ (hashes >> np.uint32(15))) * _FINISHER + np.uint32(size * 0x27D4EB2F & 0xFFFFFFFF)
    return (mixed ^ (mixed >> np.uint32(13))) & np.uint32(_FEATURES - 1)


def word_hash(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))


def _word_hashes(plain: str) -> NDArray[np.uint32]:
    return np.array([word_hash(word) for word in plain.split()], dtype=np.uint32)


def _word_buckets(plain: str) -> NDArray[np.uint32]:
    return _bucket(_word_hashes(plain), 0)


def weighted(buckets: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
    """Distinct buckets and their weights: square roots of counts, of length one together."""
    distinct, counts = np.unique(buckets, return_counts=True)
    weights = np.sqrt(counts).astype(np.float32)
    return distinct, weights / np.float32(max(float(np.linalg.norm(weights)), 1e-9))


def word_ratio(plain: str, words: NDArray[np.uint32], ratios: NDArray[np.int8]) -> float:
    """How much likelier the text's words are in one language of a pair: the mean of powers of the logarithms."""
    hashes = _word_hashes(plain)
    if not len(hashes):
        return 0.0
    places = np.minimum(np.searchsorted(words, hashes), len(words) - 1)
    known = words[places] == hashes
    logarithms = ratios[places[known]].astype(np.float32) / RATIO_STEPS
    return float((np.sign(logarithms) * np.abs(logarithms) ** RATIO_POWER).sum()) / len(hashes)


def divide(first: float, second: float, ratio: float) -> tuple[float, float]:
    """Two scores with the same sum of probabilities, divided anew by further evidence for the first."""
    both = np.logaddexp(first, second)
    difference = first - second + RATIO_WEIGHT * ratio + PRIOR_OF_FIRST
    return float(both - np.logaddexp(0, -difference)), float(both - np.logaddexp(0, difference))

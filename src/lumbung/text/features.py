"""Eq. (11): the content block of a candidate's feature vector.

The shape block (category, region, flags) is the partition key of the index and never enters this vector.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

from lumbung.text.names import canonical_name, name_key

FEATURES_VERSION = "5"
DIMENSIONS = 512

# Each block has its own dimensions, so that a long attribute bag cannot drown the name.
NAME_BLOCK = (0, 384, 0.84)
REGION_BLOCK = (384, 416, 0.06)
ATTRIBUTE_BLOCK = (416, 512, 0.10)
GRAM_LENGTHS = (2, 3, 4)


@lru_cache(maxsize=32_768)
def _place(token: str, width: int) -> tuple[int, float]:
    """Where a token is hashed to, and its sign, which makes collisions cancel on average."""
    number = int.from_bytes(blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
    return (number >> 1) % width, 1.0 if number & 1 else -1.0


_PLAIN_NAME = re.compile(r"[A-Za-z ]+")
_OLD_SPELLING = re.compile(r"dj|tj|sj|oe|\bnj", re.IGNORECASE)


@lru_cache(maxsize=8_192)
def word_keys(name: str) -> tuple[str, ...]:
    """The canonical keys of a name's words, in their order.

    Only a sign of old spelling makes one word change how its neighbours are read; without it each is looked up alone.
    """
    if _PLAIN_NAME.fullmatch(name) and not _OLD_SPELLING.search(name):
        return tuple(name_key(word) for word in name.split())
    return tuple(name_key(word) for word in canonical_name(name).canonical.replace("-", " ").split())


def name_grams(name: str) -> Iterator[str]:
    """Character n-grams of the name's words under their canonical keys, word ends marked.

    Whole words count too: a rare word shared is more than its letters shared.
    """
    for word in word_keys(name):
        padded = f"^{word}$"
        yield f"={word}"
        for length in GRAM_LENGTHS:
            for start in range(len(padded) - length + 1):
                yield padded[start : start + length]


def _block(tokens: Iterable[str], bounds: tuple[int, int, float], vector: list[float]) -> None:
    """Hash distinct tokens into the block and scale it to its share of the squared length."""
    first, last, share = bounds
    for token in sorted(set(tokens)):
        index, sign = _place(token, last - first)
        vector[first + index] += sign
    length = math.sqrt(math.fsum(x * x for x in vector[first:last]))
    if length > 0:
        scale = math.sqrt(share) / length
        for index in range(first, last):
            vector[index] *= scale


def content_vector(
    name: str,
    aliases: Sequence[str],
    region_tokens: Iterable[str],
    attribute_bag: Iterable[tuple[str, str]],
    category: str | None,
) -> list[float]:
    """Eq. (11), content block: 512 numbers of unit length, the same on every machine.

    Names and aliases share one bag of n-grams, so that an item is found under any of its names. Attributes are
    hashed together with the category, because `bahan` of a dish and `bahan` of a drum are different questions.
    """
    vector = [0.0] * DIMENSIONS
    _block((gram for each in (name, *aliases) for gram in name_grams(each)), NAME_BLOCK, vector)
    _block(region_tokens, REGION_BLOCK, vector)
    bag = (f"{category or ''}|{attribute}|{value}" for attribute, value in attribute_bag)
    _block(bag, ATTRIBUTE_BLOCK, vector)
    length = math.sqrt(math.fsum(x * x for x in vector))
    return [x / length for x in vector] if length > 0 else vector


def cosine(left: Sequence[float], right: Sequence[float]) -> float:
    """The cosine of two vectors of unit length, within [-1, 1]; a zero vector is like nothing."""
    return max(-1.0, min(1.0, math.fsum(map(operator.mul, left, right))))


Encoder = Callable[[str, Sequence[str], Iterable[str], Iterable[tuple[str, str]], str | None], list[float]]
ENCODERS: dict[int, Encoder] = dict.fromkeys(range(1, int(FEATURES_VERSION) + 1), content_vector)
"""The versions that this program can compute. All have the same vectors and differ in the names beside them: the second keeps
spellings, the third reads figures as words, the fourth knows words by their sounds, the fifth by the roughest of them, kinds of
things in any local language and names said within a name. A change of the features takes the next number and leaves the
former encoder here: while the index is brought to the new version, nodes that arrive are encoded in both."""

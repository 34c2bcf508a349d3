"""Indonesian stems: `menari`, `tarian` and `penari` are `tari`. PySastrawi with a bounded memory of its answers."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from Sastrawi.Stemmer.Stemmer import Stemmer

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LONGEST_WORD = 40
_SHORTEST_INFLECTED = 4
_OF_IT = "nya"


@lru_cache(maxsize=1)
def root_words() -> frozenset[str]:
    """The root-word dictionary of PySastrawi, read from that package at first use."""
    from Sastrawi.Stemmer.StemmerFactory import StemmerFactory

    # A set that is copied takes half the room of one that grew.
    return frozenset(set(StemmerFactory().get_words()))


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer:
    from Sastrawi.Stemmer.Stemmer import Stemmer

    return Stemmer(_RootWords())


class _RootWords:
    """The dictionary as the stemmer asks for it."""

    def contains(self, word: str) -> bool:
        return word in root_words()


def stem(word: str) -> str:
    """The stem of one word in lower case. A word that is too short, too long or not plain Latin is its own stem."""
    plain = word.strip().lower()
    letters = plain.replace("-", "")
    if _SHORTEST_INFLECTED <= len(plain) <= _LONGEST_WORD and letters.isascii() and letters.isalpha():
        return _remembered_stem(plain)
    return plain


@lru_cache(maxsize=16_384)
def _remembered_stem(plain: str) -> str:
    if plain.endswith(_OF_IT) and len(plain) > _SHORTEST_INFLECTED + len(_OF_IT) and plain not in root_words():
        plain = plain.removesuffix(_OF_IT)  # the stemmer makes *tar* of *penarinya*
    if plain.endswith("kan") and plain not in root_words() and plain.removesuffix("an") in root_words():
        return plain.removesuffix("an")  # and *gera* of *gerakan*: without a prefix it is a noun in -an
    return str(_stemmer().stem(plain))


def stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(text))

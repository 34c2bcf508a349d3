"""Spelling of Indonesian names before 1947 (oe) and 1972 (tj, dj, nj, sj, ch, j) put into today's.

The letters j, nj and ch are ambiguous: *j* is today's *j* in *Raja* and was *y* in *Soerabaja*. What decides is
evidence: digraphs that only the old spelling has, in the word and in the words beside it, and which reading gives a
known word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import product

from lumbung.text.stemming import root_words, stem
from lumbung.text.tables import word_table

_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)
_BEFORE_J = "bghkmp"
_OLD_DIGRAPH = re.compile(rf"dj|tj|sj|(?<!^)oe|^nj|[{_BEFORE_J}]j(?=[aeou])")
_LONG_ENOUGH_ALONE = 5
_SCHOLARS_LETTER = re.compile("[ĕåĔÅ]")  # Dutch transcription of Javanese
_READINGS = re.compile(r"dj|tj|sj|nj|ch|oe|j", re.IGNORECASE)
_INITIAL_OE = "^oe"  # old in *oelos*, but a word for water in today's *Oelamasi* and *Oecusse* on Timor
_CERTAIN = {"dj": "j", "tj": "c", "sj": "sy", "oe": "u"}
_VOWEL = re.compile("[aeiou]")  # without one it is an abbreviation
_MODERN_MARK = re.compile(r"y|c(?!h)")

# Dictionary words that are met less often than the old spelling of another word.
_RARER_THAN_OLD = frozenset({"sajang", "doeloe", "goel", "honcoe", "koe"})
_SHORTEST_GUESS = 5
_LONGEST_WORD = 60
# Old forms of names that letters alone do not explain.
_OLD_FORMS = {
    "djokja": "yogya", "djogja": "yogya", "djokdja": "yogya", "djocja": "yogya", "djokjakarta": "yogyakarta",
    "djogjakarta": "yogyakarta", "djokdjakarta": "yogyakarta", "djocjakarta": "yogyakarta", "tjeribon": "cirebon",
    "cheribon": "cirebon", "acheh": "aceh",
}  # fmt: skip


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    return word_table("common-words.txt")


@lru_cache(maxsize=1)
def _further_words() -> frozenset[str]:
    return common_words() | word_table("modern-words.txt")


def _is_listed(word: str) -> bool:
    return word in root_words() or word in _further_words()


@lru_cache(maxsize=1)
def _not_old() -> frozenset[str]:
    return word_table("not-old-spelling.txt")


@lru_cache(maxsize=1)
def _people() -> frozenset[str]:
    return word_table("people.txt")


def plain(word: str) -> str:
    """Lower case without diacritics."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def is_known(word: str) -> bool:
    return _is_listed(word) or _is_listed(stem(word))


def modernise(name: str) -> str:
    """Today's spelling of a name; a name already in it comes back unchanged, and so does the result."""
    modern = _modernise_once(name)
    while modern != name:  # ends: every round takes away a j, or turns ch or oe into something else
        name, modern = modern, _modernise_once(modern)
    return name


def _modernise_once(name: str) -> str:
    words = [plain(word) for word in _WORD.findall(name)]
    old = _SCHOLARS_LETTER.search(name) is not None or any(_is_old(word) and word not in _people() for word in words)
    mixed = any(_MODERN_MARK.search(word) for word in words if not _is_old(word))
    return _WORD.sub(lambda match: _modern_word(match.group(), name_is_old=old and not mixed), name)


def _is_modern(word: str) -> bool:
    """A word of today that happens to have oe, dj or sj."""
    return word in _not_old() or (_is_listed(word) and word not in _RARER_THAN_OLD)


def _is_old(word: str) -> bool:
    found = _OLD_DIGRAPH.search(word)
    return found is not None and not _is_modern(word) and not _joins_words(word, found)


def _joins_words(word: str, found: re.Match[str]) -> bool:
    """Whether the j begins the second of two words written as one: *tanggungjawab*, *ketidakjelasan*."""
    first, second = word[: found.end() - 1], word[found.end() - 1 :]
    if found.group()[0] not in _BEFORE_J or not is_known(second):
        return False
    return len(second) >= _LONG_ENOUGH_ALONE or is_known(first)


def _modern_word(word: str, *, name_is_old: bool) -> str:
    return word if len(word) > _LONGEST_WORD else _remembered_word(word, name_is_old=name_is_old)


@lru_cache(maxsize=8_192)
def _remembered_word(word: str, *, name_is_old: bool) -> str:
    lower = plain(word)
    if lower in _OLD_FORMS:
        return _cased_like(word, _OLD_FORMS[lower])
    if not _READINGS.search(lower) or len(lower) != len(word) or not _VOWEL.search(lower):
        return word
    if lower in _not_old() or (_OLD_DIGRAPH.search(lower) and _is_modern(lower)):
        return word
    evidence = name_is_old or _is_old(lower)
    reading = _best_reading(lower, evidence=evidence)
    # A letter with a sign may hide half of a digraph: what was not read stays as it is.
    return _READINGS.sub(
        lambda match: _in_case(match.group(), reading.get(_digraph(match), match.group().lower()), match.start()), word
    )


def _digraph(match: re.Match[str]) -> str:
    written = match.group().lower()
    return _INITIAL_OE if written == "oe" and match.start() == 0 else written


def _best_reading(lower: str, *, evidence: bool) -> dict[str, str]:
    """How j, nj, ch and an initial oe are to be read in this word."""
    choices = {
        "j": ("y", "j") if evidence else ("j", "y"),
        "nj": ("ny", "nj") if evidence else ("nj", "ny"),
        "ch": ("kh", "c", "ch") if evidence else ("ch", "kh", "c"),
        _INITIAL_OE: ("u", "oe") if evidence else ("oe", "u"),
    }
    ambiguous = sorted({_digraph(match) for match in _READINGS.finditer(lower)} & choices.keys())
    readings = [
        _CERTAIN | dict(zip(ambiguous, option, strict=True))
        for option in product(*(choices[digraph] for digraph in ambiguous))
    ]
    for reading in readings:
        candidate = _READINGS.sub(lambda match, read=reading: read[_digraph(match)], lower)  # type: ignore[misc]
        if _fits(candidate, lower, reading, evidence=evidence):
            return reading
    preferred = readings[0]
    return {**preferred, "nj": "ny"} if lower.startswith("nj") else preferred


def _fits(candidate: str, lower: str, reading: dict[str, str], *, evidence: bool) -> bool:
    """Without evidence a short or rare name must not be bent towards a dictionary."""
    if evidence:
        return is_known(candidate)
    if candidate == lower:
        return _is_listed(lower) and lower not in _RARER_THAN_OLD
    if candidate in common_words() or (lower.startswith("oe") and is_known(candidate)):
        return True
    return len(candidate) >= _SHORTEST_GUESS and candidate in root_words() and reading.get("ch") != "c"


def _in_case(written: str, modern: str, position: int) -> str:
    if written.isupper() and (len(written) > 1 or position > 0):
        return modern.upper()
    return modern.capitalize() if written[0].isupper() else modern


def _cased_like(written: str, modern: str) -> str:
    if written.isupper():
        return modern.upper()
    return modern.capitalize() if written[0].isupper() else modern

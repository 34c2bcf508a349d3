"""The same texts as they are met elsewhere: in old spelling, without diacritics, cut short, among place names.

Nothing is made up here but the order of words of a frequency list and strings of random letters (class `und`).
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace

from sources import OTHER, Sample, word_count

OLD_SPELLING = frozenset(
    [
        "ind",
        "jav",
        "sun",
        "min",
        "mad",
        "ban",
        "bew",
        "bjn",
        "bbc",
        "bug",
        "mak",
        "ace",
        "mui",
        "rej",
        "nij",
        "sas",
        "ljp",
    ]
)
WRITTEN_WITH_MARKS = frozenset(["mad", "mui", "bew", "ban", "sas", "ace", "rej", "jav", "sun", "tet", "por", "fra"])
_MODERN = re.compile("ny|sy|kh|c|j|y|u")
_OLD = {"ny": "nj", "sy": "sj", "kh": "ch", "c": "tj", "j": "dj", "y": "j", "u": "oe"}
_SYLLABLE_END = re.compile(r"(?:ng|[mnrlskh'])(?=[^aeiou]|$)", re.MULTILINE)


def old_spelling(text: str, *, with_oe: bool) -> str:
    def old(match: re.Match[str]) -> str:
        letter = match.group()
        return letter if letter == "u" and not with_oe else _OLD[letter]

    return _MODERN.sub(old, text.lower())


def without_marks(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def as_lontara_writes(text: str) -> str:
    """Bugis and Makassar without the consonants that their script leaves out."""
    single = re.sub(r"([a-z])\1", r"\1", text.lower())
    return _SYLLABLE_END.sub("", re.sub(r"ng(?=k)|m(?=p)|n(?=[rc])", lambda m: m.group().upper(), single)).lower()


def crop(text: str, chance: random.Random) -> str:
    words = text.split()
    size = chance.randint(3, 9)
    start = chance.randint(0, max(0, len(words) - size))
    return " ".join(words[start : start + size])


def with_names(text: str, names: list[str], chance: random.Random) -> str:
    words = text.split()
    for _ in range(chance.randint(1, 3)):
        words.insert(chance.randint(0, len(words)), chance.choice(names))
    return " ".join(words)


def variations(sample: Sample, names: list[str], chance: random.Random) -> Iterator[Sample]:
    """The sample itself and some of the forms in which it could have been met."""
    yield sample
    if sample.language in OLD_SPELLING and chance.random() < 0.2:
        yield replace(sample, text=old_spelling(sample.text, with_oe=chance.random() < 0.7))
    if sample.language in WRITTEN_WITH_MARKS and not sample.text.isascii() and chance.random() < 0.5:
        yield replace(sample, text=without_marks(sample.text))
    if sample.language in {"bug", "mak"} and chance.random() < 0.3:
        yield replace(sample, text=as_lontara_writes(sample.text))
    if word_count(sample.text) > 9 and chance.random() < 0.3:
        yield replace(sample, text=crop(sample.text, chance))
    if chance.random() < 0.12:
        yield replace(sample, text=with_names(sample.text, names, chance))


def from_word_list(words: list[str], weights: list[float], language: str, count: int, seed: int) -> Iterator[Sample]:
    """Words drawn by their frequency: vocabulary without topics."""
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    for place in range(count):
        drawn = chance.choices(words, weights, k=chance.randint(8, 24))
        yield Sample(language, "wordfreq", f"wordfreq-{place}", " ".join(drawn))


def gibberish(count: int, seed: int) -> Iterator[Sample]:
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    for place in range(count):
        letters = chance.choice(
            ["abcdefghijklmnopqrstuvwxyz", "aeioubdgklmnprst", "asdfghjkl", "qwertyuiop", "xzvbnmqw"]
        )
        words = ["".join(chance.choices(letters, k=chance.randint(2, 12))) for _ in range(chance.randint(2, 15))]
        yield Sample(OTHER, "gibberish", f"gibberish-{place}", " ".join(words))


def name_lists(names: list[str], count: int, seed: int) -> Iterator[Sample]:
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    for place in range(count):
        yield Sample(OTHER, "names", f"names-{place}", ", ".join(chance.sample(names, chance.randint(3, 15))))

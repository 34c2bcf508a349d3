"""Whether a fact may stand: checks of every value by the kind of its attribute, and of the sentence that says it."""

from __future__ import annotations

import re

from lumbung.model.profile import Attribute, ValueKind
from lumbung.text.extraction.wording import Wording
from lumbung.text.stemming import stem

_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_LETTER = re.compile(r"[^\W\d_]")
_FIGURES_FIT = frozenset({ValueKind.NUMBER, ValueKind.DATE})
_NO_VALUE = re.compile(r"https?:|www\.|\S@\S|\b(?:Rp|IDR|USD)\.? ?\d|[?!]$|\.\.\.|…|[<>{}|]")
"""Addresses, prices, questions and what was cut off."""
_PAIRS = (("(", ")"), ("“", "”"), ("[", "]"))
_LONGEST_NOUN_WORDS = 7
_LONGEST_MEANING = 120
_PLAIN_NOUNS = frozenset(
    {"bahan", "unsur-motif", "busana", "iringan", "peralatan", "bagian", "sajian", "warna", "rasa", "pelaku", "pemakai"}
)
"""Sets whose members are things or people, named in a few words."""
_WITHOUT_OBJECT = re.compile(r"me[a-z]{3,}kan")
"""A verb that does something to something: what that is was cut off."""
_RECOGNITION = "penetapan"
_WHEN = "waktu"
_COLOURS, _TASTES = "warna", "rasa"
_MEANING = "arti-nama"


def is_sound(attribute: Attribute, value: str, wording: Wording) -> bool:
    """Whether the words can be a value of the attribute at all."""
    words = [word.casefold() for word in _WORD.findall(value)]
    if not words or _NO_VALUE.search(value) or any(value.count(left) != value.count(right) for left, right in _PAIRS):
        return False
    if not _LETTER.search(value):
        return attribute.kind in _FIGURES_FIT or any(character.isdigit() for character in value)
    if words[0] in wording.checks.opens_no_value or words[-1] in wording.checks.ends_no_value:
        return False
    if attribute.code in _PLAIN_NOUNS and not _names_things(words, wording):
        return False
    if _WITHOUT_OBJECT.fullmatch(words[-1]) and stem(words[-1]) != words[-1]:
        return False
    if attribute.code == _RECOGNITION and not wording.checks.recognition.search(value):
        return False
    if attribute.code == _WHEN and wording.checks.no_time.fullmatch(value.strip()):
        return False
    if attribute.code in {_COLOURS, _TASTES}:
        told = wording.checks.colours if attribute.code == _COLOURS else wording.checks.tastes
        return not told or not told.isdisjoint(words)
    return attribute.code != _MEANING or len(value) <= _LONGEST_MEANING


def _names_things(words: list[str], wording: Wording) -> bool:
    """Nouns with their adjectives: no pronoun, no number alone, no word that only says that there are some."""
    if len(words) > _LONGEST_NOUN_WORDS or not wording.checks.pointers.isdisjoint(words):
        return False
    return any(
        word not in wording.numbers and word not in wording.checks.hollow and not word.isdigit() for word in words
    )


def states(sentence: str, wording: Wording) -> bool:
    """Whether a sentence states something: no question, no wish, no case that is only supposed."""
    return sentence.rstrip()[-1:] != "?" and wording.checks.supposed.match(sentence) is None

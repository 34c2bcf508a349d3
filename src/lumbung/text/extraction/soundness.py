"""Whether a fact may stand: checks of every value by the kind and shape of its attribute, and of the sentence that says it."""

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
_PAIRS = (("(", ")"), ("“", "”"), ("[", "]"), ("‘", "’"))
_STRAIGHT = '"'
_OWN_SCRIPT = re.compile(r"[\u0590-\u1dff\u2e80-\ua71f\ua800-\ud7ff]")
_LATIN = re.compile(r"[A-Za-z]")
_WITHOUT_OBJECT = re.compile(r"me[a-z]{3,}kan")
"""A verb that does something to something: what that is was cut off."""
_PASSIVE = re.compile(r"di[a-z]{4,}")


def is_sound(attribute: Attribute, value: str, wording: Wording, *, whole: bool = False) -> bool:
    """Whether the words can be a value of the attribute at all; of whole sentences no shape is asked."""
    words = [word.casefold() for word in _WORD.findall(value)]
    if not words or _NO_VALUE.search(value) or not _is_balanced(value):
        return False
    if _OWN_SCRIPT.search(value) and _LATIN.search(value):
        # A name and how it is read are two.
        return False
    if not _LETTER.search(value):
        return attribute.kind in _FIGURES_FIT or any(character.isdigit() for character in value)
    if words[0] in wording.checks.opens_no_value or words[-1] in wording.checks.ends_no_value:
        return False
    if _WITHOUT_OBJECT.fullmatch(words[-1]) and stem(words[-1]) != words[-1]:
        return False
    shape = wording.shapes.get(attribute.shape)
    if shape is None or whole:
        return True
    return shape.bears(value, words) and (not shape.names_things or _names_things(words, wording))


def _is_balanced(value: str) -> bool:
    """Whether every bracket and quotation mark has its other half; an apostrophe has none."""
    if value.count(_STRAIGHT) % 2:
        return False
    return all(value.count(left) <= value.count(right) for left, right in _PAIRS) and value.count(")") <= value.count(
        "("
    )


def _names_things(words: list[str], wording: Wording) -> bool:
    """Nouns with their adjectives: no pronoun, no number alone, no word that only says that there are some."""
    if not wording.checks.pointers.isdisjoint(words) or any(map(_is_done, words)):
        return False
    return any(
        word not in wording.numbers and word not in wording.checks.hollow and not word.isdigit() for word in words
    )


def _is_done(word: str) -> bool:
    """A passive verb: what is done to a thing is told of it, and is no part of what it is called."""
    return _PASSIVE.fullmatch(word) is not None and stem(word) != word


def states(sentence: str, wording: Wording) -> bool:
    """Whether a sentence states something: no question, no wish, no case that is only supposed."""
    return sentence.rstrip()[-1:] != "?" and wording.checks.supposed.match(sentence) is None

"""Definitions without a verb of their own: `a dance called X`, and headings such as `X, a dance of Y`."""

from __future__ import annotations

import re

from lumbung.text.extraction.category import Vocabulary, folded_words
from lumbung.text.extraction.definitions import Definition, defined, names_in
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.titles import title_lead
from lumbung.text.extraction.wording import Wording

_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_APPOSED = re.compile(r"\s*(?:[,:–—|]|\.\s[–—-]|\s-)\s+")
"""What parts a name from the words that say what it is."""
_ENTRY = re.compile(r"\s*[.:,–—](?:\s*[–—-])?\s+")
_COMMA = re.compile(r",\s+(?=[a-z])")
_CLAUSE_OVER = re.compile(r"\s?[.,;:()\"”’]|$")
_PROPER = re.compile(r"([A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,4})(?=[”\"’']?\s*(?:[,.;(]|$| yang | ciptaan | atau ))")
_NAMING_HINTS = ("alah ", "nama", "sebut", "kenal", "yaitu", "yakni", "panggil")
_OPENING = 60
_SHOWN_WITHIN = 4
_EXAMPLES = re.compile(r"\s*(?:berupa|seperti)\b")
_LISTED = re.compile(r"[a-z-]+(?: [a-z-]+)?, (?:dan |serta )?[a-z-]+(?: [a-z-]+)?(?:,|\.| dan | serta )")
"""Other members of an enumeration."""
_WITHIN = frozenset({"pada", "dalam", "di", "in", "within", "binnen"})
"""What is inside a thing of the kind is no thing of it: `bagian pada rumah adat X adalah`."""
_KIND_REACH = 9
_LONGEST_NAME_WORDS = 5
_NAME_LENGTHS = range(1, 6)


def read_naming(sentence: Sentence, name: str, wording: Wording, vocabulary: Vocabulary) -> Definition | None:
    """`... alat musik tradisional bernama X`: the kind before the word of naming is that of X."""
    key = vocabulary.bare_key(name)
    if not key or wording.hearsay.search(sentence.text):
        return None
    for cue in wording.naming.finditer(sentence.text):
        written = _name_at(sentence.text, cue.end(), key, vocabulary)
        # `X adalah orkestra tradisional` names no orchestra.
        over = _CLAUSE_OVER.match(sentence.text, cue.end() + len(written))
        if wording.copula.fullmatch(cue[0].strip()) and not over:
            continue
        kind = _kind_before(sentence.text[: cue.start()], wording, vocabulary) if written else None
        if written and kind is not None:
            return defined(sentence, (written,), (kind, cue.start()), wording, vocabulary, since=0)
    return None


def read_introduced(sentence: Sentence, wording: Wording, vocabulary: Vocabulary) -> tuple[Definition, str] | None:
    """`Salah satu senjata X adalah Badik Raja, ...`: what a kind is said to be called, and the words of that kind."""
    if not wording.genus_comes_first or not any(hint in sentence.text for hint in _NAMING_HINTS):
        return None
    article = wording.article.match(sentence.text)
    start = article.end() if article else 0
    opens = vocabulary.generic_length(sentence.text[start : start + _OPENING]) > 0
    owned = None if opens else wording.owner.search(sentence.text)
    if (not opens and owned is None) or wording.hearsay.search(sentence.text):
        return None
    for cue in wording.naming.finditer(sentence.text, owned.end() if owned else start):
        written = _PROPER.match(sentence.text, cue.end())
        if written is None or _EXAMPLES.match(cue[0]):
            continue
        if owned:
            # `Orang Batak memiliki senjata yang bernama X`.
            kind_at = _kind_before(sentence.text[: cue.start()], wording, vocabulary)
            if kind_at is None or kind_at < owned.end():
                continue
            start = kind_at
        found = defined(sentence, (written[1],), (start, cue.start()), wording, vocabulary, since=0)
        kind = wording.relative.split(sentence.text[start : cue.start()], maxsplit=1)[0].strip()
        known = found.categories and not found.is_other and not wording.denial.search(sentence.text[: cue.start()])
        return (found, "" if article else kind) if known else None
    return None


def read_apposed_to(sentence: Sentence, name: str, wording: Wording, vocabulary: Vocabulary) -> Definition | None:
    """`... menggelar X, upacara adat Y yang`: words of kind right after the name we look for say what it is."""
    key = vocabulary.bare_key(name)
    if not key or wording.hearsay.search(sentence.text):
        return None
    if (before := _told_before(sentence, key, wording, vocabulary)) is not None:
        return before
    for comma in _COMMA.finditer(sentence.text):
        words = list(_WORD.finditer(sentence.text, 0, comma.start()))[-_LONGEST_NAME_WORDS:]
        starts = (
            word.start() for word in words if vocabulary.bare_key(sentence.text[word.start() : comma.start()]) == key
        )
        if (start := next(starts, None)) is not None and not _LISTED.match(sentence.text, comma.end()):
            written = sentence.text[start : comma.start()]
            opening = folded_words(sentence.text[comma.end() : comma.end() + _OPENING])[:_SHOWN_WITHIN]
            if not wording.demonstratives.isdisjoint(opening):
                # `Like X, this motif`: the subject of the clause, and no apposition.
                continue
            after = (comma.end(), len(sentence.text))
            found = defined(sentence, (written[:1].upper() + written[1:],), after, wording, vocabulary)
            if found.categories and not found.is_other:
                return found
    return None


def _told_before(sentence: Sentence, key: str, wording: Wording, vocabulary: Vocabulary) -> Definition | None:
    """`A pancake from Solo, serabi is made of`: what opens the sentence says what the name after the comma is."""
    if not wording.article.match(sentence.text):
        return None
    for comma in _COMMA.finditer(sentence.text):
        if written := _name_at(sentence.text, comma.end(), key, vocabulary):
            found = defined(sentence, (written,), (0, comma.start()), wording, vocabulary)
            return found if found.categories and not found.is_other else None
    return None


def _name_at(text: str, start: int, key: str, vocabulary: Vocabulary) -> str:
    """The words at this place that are the name we look for; empty if they are another."""
    words = [found for _, found in zip(_NAME_LENGTHS, _WORD.finditer(text, start), strict=False)]
    for size in range(len(words), 0, -1):
        written = text[words[0].start() : words[size - 1].end()]
        if vocabulary.bare_key(written) == key:
            return written[:1].upper() + written[1:]
    return ""


def _kind_before(text: str, wording: Wording, vocabulary: Vocabulary) -> int | None:
    """Where, near the end of these words, a phrase begins that names a kind of thing."""
    words = list(_WORD.finditer(text))[-_KIND_REACH:]
    for place, word in enumerate(words):
        phrase = text[word.start() :]
        if wording.genus_comes_first:
            found = vocabulary.genus_in(phrase, first=True)
        else:
            found = vocabulary.genus_in(phrase, first=False) if place < len(words) else frozenset()
        if found:
            return None if place and words[place - 1][0].casefold() in _WITHIN else word.start()
    return None


def read_apposed(
    sentence: Sentence, wording: Wording, vocabulary: Vocabulary, *, as_entry: bool = False
) -> Definition | None:
    """`Mengenal X, tarian khas Y` as a heading, or `X. Een trom der Y` at the head of an entry."""
    text = sentence.text
    start = title_lead(text)
    parted = (_ENTRY if as_entry else _APPOSED).search(text, start)
    if parted is None or wording.copula.search(text):
        return None
    name, aliases = names_in(text[start : parted.start()], wording, vocabulary)
    if not name or len(name.split()) > _LONGEST_NAME_WORDS or wording.hearsay.search(text):
        return None
    if wording.other_head.search(name):
        return None
    found = defined(sentence, (name, *aliases), (parted.end(), len(text)), wording, vocabulary)
    known = found.categories and not found.is_other and folded_words(found.genus) != folded_words(name)
    return found if known else None

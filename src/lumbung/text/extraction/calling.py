"""The name in words that stand for a thing: what follows a word of naming, up to a verb that goes on to tell of it."""

from __future__ import annotations

import re

from lumbung.text.extraction.category import Vocabulary, folded_words
from lumbung.text.extraction.wording import Wording

_LONGEST_NAME_WORDS = 6
_AROUND = re.compile(r"^[\s\"'“‘(«]+|[\s\"'”’,:;»]+$")


def name_in(words: str, wording: Wording, vocabulary: Vocabulary) -> str:
    """`Ma'nene` of `Tradisi unik bernama Ma'nene`, `Tari Pendet` of `Tari Pendet Berasal`; other words as they are."""
    return before_verb(after_naming(words, wording, vocabulary), wording)


def after_naming(words: str, wording: Wording, vocabulary: Vocabulary) -> str:
    """What a kind of thing is said to be called; where a name stands before the word of naming, nothing is left out."""
    for cue in wording.checks.called.finditer(words):
        rest = _AROUND.sub("", words[cue.end() :])
        named = 0 < len(rest.split()) <= _LONGEST_NAME_WORDS and folded_words(rest)[:1]
        if _is_besides(words[: cue.start()], wording, vocabulary):
            continue
        if named and named[0] not in wording.never_first and _is_kind(words[: cue.start()], wording, vocabulary):
            return rest[:1].upper() + rest[1:]
    return words


def before_verb(words: str, wording: Wording) -> str:
    """A name is over where a verb or a copula goes on; one that opens with such a word is none, and stays as it is."""
    over = wording.checks.name_over.search(words)
    return _AROUND.sub("", words[: over.start()]) or words if over else words


def _is_besides(words: str, wording: Wording, vocabulary: Vocabulary) -> bool:
    """`Kuih Bantal Buruk, juga dikenali sebagai`: a name with a comma behind it, so that what follows is another."""
    own = folded_words(words)[vocabulary.generic_length(words) :]
    if own and wording.joint.fullmatch(f" {own[-1]} "):
        words, own = words.rstrip()[: -len(own[-1])], own[:-1]
    return words.rstrip().endswith(",") and any(word not in wording.common for word in own)


def _is_kind(words: str, wording: Wording, vocabulary: Vocabulary) -> bool:
    bare = wording.article.sub("", wording.determiner.sub("", words.strip()), count=1)
    last = _AROUND.sub("", bare)
    first = next(iter(folded_words(last)), "")
    return bool(vocabulary.genus_in(last, first=wording.genus_comes_first)) or first in wording.neutral

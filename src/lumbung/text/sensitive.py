"""Whether an item touches what a community holds sacred or guards; only a person may say that it does not."""

from __future__ import annotations

import re

from ahocorasick_rs import AhoCorasick

from lumbung.model.profile import Profile, SensitiveTerm
from lumbung.text.folding import fold, stands_alone
from lumbung.text.stemming import stem

_LETTERS = re.compile("[a-z]*")
_LETTERS_BEFORE = re.compile("[a-z]*$")
_LONGEST_AFFIX = 10
_CLITICS = frozenset({"nya", "lah", "kah", "pun", "ku", "mu"})
_SOFTENED, _SHORTEST_SOFTENED = "kpst", 5
"""First letters that a prefix takes away: *keramat*, *mengeramatkan*."""


class Sensitivity:
    """By the profile's sensitive categories and list; words of any language, in old spelling where listed so."""

    def __init__(self, profile: Profile) -> None:
        self._categories = profile.categories
        self._terms: dict[str, list[SensitiveTerm]] = {}
        for term in profile.sensitive:
            self._terms.setdefault(fold(term.term), []).append(term)
        softened = {word[1:]: word for word in self._terms if len(word) >= _SHORTEST_SOFTENED and word[0] in _SOFTENED}
        self._words = sorted(self._terms.keys() | softened.keys())
        self._meant = {word: softened.get(word, word) for word in self._words}
        self._automaton = AhoCorasick(self._words)

    def reasons(self, name: str, category: str | None, text: str) -> tuple[str, ...]:
        """Why this item is sensitive, each reason once; empty if nothing says so.

        A term of the list that names a category speaks only of items of that category, or whose category is open.
        """
        found: dict[str, None] = {}
        known = self._categories.get(category or "")
        if known and known.sensitive:
            found[f"category {known.code}"] = None
        folded = fold(f"{name} | {text}")
        for index, start, end in self._automaton.find_matches_as_indexes(folded, overlapping=True):
            word = self._words[index]
            if stands_alone(folded, start, end):
                terms = self._terms.get(word, [])
            else:
                terms = self._inflected(folded, start, end, self._meant[word])
            for term in terms:
                if not term.category or category is None or term.category == category:
                    found[f"{term.term}: {term.reason}"] = None
        return tuple(found)

    def _inflected(self, folded: str, start: int, end: int, word: str) -> list[SensitiveTerm]:
        """The terms of a word that stands there with affixes: *kesakralan*, *mengeramatkan*."""
        before = _LETTERS_BEFORE.search(folded, max(0, start - _LONGEST_AFFIX), start)
        after = _LETTERS.match(folded, end)
        whole = f"{before.group() if before else ''}{folded[start:end]}{after.group() if after else ''}"
        is_form = whole.removeprefix(word) in _CLITICS or (whole.isascii() and whole != word and stem(whole) == word)
        return self._terms[word] if is_form else []

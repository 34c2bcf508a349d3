"""Whether an item touches what a community holds sacred or guards; only a person may say that it does not."""

from __future__ import annotations

from ahocorasick_rs import AhoCorasick

from lumbung.model.profile import Profile, SensitiveTerm
from lumbung.text.folding import fold, stands_alone


class Sensitivity:
    """By the profile's sensitive categories and list; words of any language, in old spelling where listed so."""

    def __init__(self, profile: Profile) -> None:
        self._categories = profile.categories
        self._terms: dict[str, list[SensitiveTerm]] = {}
        for term in profile.sensitive:
            self._terms.setdefault(fold(term.term), []).append(term)
        self._words = sorted(self._terms)
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
            if not stands_alone(folded, start, end):
                continue
            for term in self._terms[word]:
                if not term.category or category is None or term.category == category:
                    found[f"{term.term}: {term.reason}"] = None
        return tuple(found)

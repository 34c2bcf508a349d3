"""Words of a profile found in a page, by the language the page is in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from ahocorasick_rs import AhoCorasick, MatchKind

from lumbung.model.profile import LexiconTerm, Profile
from lumbung.text.folding import fold

ANY_LANGUAGE = "mul"
NAME = "name"
"""The role of names that no lexicon lists."""
_READ_CHARS = 40_000
"""What a page is about shows early; the gate must stay cheap on long ones."""
_MIN_LOOSE_TERM = 5
_MIN_LOOSE_CHARACTERS = 2


@dataclass(frozen=True)
class Page:
    """What the filters read: the beginning of the visible text."""

    text: str
    language: str = "und"
    url: str = ""
    undivided: bool = False
    """The script writes no spaces between words, so that words are found anywhere."""
    surroundings: str = ""
    """Everything visible on the page, where buttons and prices stand; empty if only the text is known."""

    @cached_property
    def folded(self) -> str:
        return fold(self.text[:_READ_CHARS])

    @cached_property
    def words(self) -> int:
        return len(self.folded) // 6 if self.undivided else sum(word[0].isalnum() for word in self.folded.split())


@dataclass(frozen=True, slots=True)
class Hit:
    term: LexiconTerm
    start: int
    end: int


@dataclass
class Vocabulary:
    """The profile's terms that one filter looks for."""

    profile: Profile
    wanted: Callable[[LexiconTerm], bool]
    further: tuple[LexiconTerm, ...] = ()
    """Names of any language beside the terms of the lexicon; they count only with a capital."""
    _automata: dict[str, tuple[AhoCorasick, list[list[LexiconTerm]]]] = field(default_factory=dict)

    def hits(self, page: Page) -> list[Hit]:
        """Every wanted term in the page, the longest where several overlap."""
        automaton, terms = self._of(page.language)
        folded = page.folded
        return [
            Hit(term, start, end)
            for index, start, end in automaton.find_matches_as_indexes(folded)
            if _is_word(folded, start, end) or (page.undivided and _is_long(folded[start:end]))
            for term in terms[index]
            if term.role != NAME or page.undivided or page.text[start].isupper()
        ]

    def _of(self, language: str) -> tuple[AhoCorasick, list[list[LexiconTerm]]]:
        if language not in self._automata:
            self._automata[language] = self._build(language)
        return self._automata[language]

    def _build(self, language: str) -> tuple[AhoCorasick, list[list[LexiconTerm]]]:
        """Terms of the page's language and of the profile's own, which lends words to all others."""
        spoken = {term.language for term in self.profile.lexicon}
        read = {language, self.profile.language, ANY_LANGUAGE} if language in spoken else spoken
        by_form: dict[str, list[LexiconTerm]] = {}
        for term in self._terms_of(read):
            by_form.setdefault(fold(term.term), []).append(term)
        forms = sorted(by_form)
        return AhoCorasick(forms, matchkind=MatchKind.LeftmostLongest), [by_form[form] for form in forms]

    def _terms_of(self, languages: set[str]) -> Iterable[LexiconTerm]:
        spoken = (term for term in self.profile.lexicon if term.language in languages and self.wanted(term))
        return chain(spoken, self.further)


def points(hits: Iterable[Hit]) -> float:
    """Weight of the different terms; repetition counts little, because one word repeated proves little."""
    counts: dict[tuple[str, str], tuple[float, int]] = {}
    for hit in hits:
        key = (hit.term.term, hit.term.role)
        weight, count = counts.get(key, (0.0, 0))
        counts[key] = (max(weight, hit.term.weight), count + 1)
    return float(sum(weight * min(count, 4) ** 0.5 for weight, count in counts.values()))


def _is_long(form: str) -> bool:
    """Long enough not to occur by chance inside other words; characters that stand for words are soon enough."""
    return len(form) >= (_MIN_LOOSE_TERM if form.isascii() else _MIN_LOOSE_CHARACTERS)


def _is_word(folded: str, start: int, end: int) -> bool:
    """Word boundaries, where a digit ends a word too: `Rp150.000`."""
    before = start == 0 or not folded[start - 1].isalpha() or not folded[start].isalpha()
    after = end == len(folded) or not folded[end].isalpha() or not folded[end - 1].isalpha()
    return before and after

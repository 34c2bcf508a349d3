"""Words of a profile found in a page, by the language the page is in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain

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
_REPEATED = (0.0, 1.0, 2**0.5, 3**0.5, 2.0)
_LETTERS = re.compile(r"([^\W\d_]+)")
_ASCII_LETTERS = re.compile(r"([a-z]+)")
"""The same for folded text of these letters alone, in a third of the time."""


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
        return len(self.folded) // 6 if self.undivided else len(self.folded.split())

    @cached_property
    def runs(self) -> list[str]:
        """Runs of letters, in order: every vocabulary looks its terms up by the first of theirs."""
        return self._pieces[1::2]

    @cached_property
    def run_starts(self) -> list[int]:
        return list(accumulate(map(len, self._pieces)))[::2]

    @cached_property
    def run_set(self) -> frozenset[str]:
        return frozenset(self.runs)

    @cached_property
    def _pieces(self) -> list[str]:
        """What stands between runs, and runs, by turns."""
        return (_ASCII_LETTERS if self.folded.isascii() else _LETTERS).split(self.folded)


Place = tuple[str, int]
"""A form as it stands folded in the page, and where it begins."""


@dataclass(slots=True)
class _Forms:
    """The forms that begin with one run of letters."""

    alone: bool = False
    """Whether the run itself is a form."""
    by_next: dict[str, list[str]] = field(default_factory=dict)
    """Forms of several runs by the second of them, longest first."""
    others: list[str] = field(default_factory=list)
    """Forms that go on with something else than letters."""


@dataclass(slots=True)
class _Terms:
    """The terms of one language, to be found by their first run of letters."""

    by_form: dict[str, list[LexiconTerm]] = field(default_factory=dict)
    by_run: dict[str, _Forms] = field(default_factory=dict)
    unlettered: list[str] = field(default_factory=list)
    """Forms that begin with no letter: rare, and looked for one by one."""
    names: set[str] = field(default_factory=set)
    """Forms that are nothing but names."""

    @classmethod
    def of(cls, terms: Iterable[LexiconTerm]) -> _Terms:
        made = cls()
        for term in terms:
            form = fold(term.term)
            if form.strip():
                made.by_form.setdefault(form, []).append(term)
        for form in sorted(made.by_form, key=lambda form: (-len(form), form)):
            made._enter(form)
        made.names = {form for form, terms in made.by_form.items() if all(term.role == NAME for term in terms)}
        return made

    def _enter(self, form: str) -> None:
        before, *pieces = _LETTERS.split(form)
        if before or not pieces:
            self.unlettered.append(form)
            return
        forms = self.by_run.setdefault(pieces[0], _Forms())
        if form == pieces[0]:
            forms.alone = True
        elif len(pieces) > 2:
            forms.by_next.setdefault(pieces[2], []).append(form)
        else:
            forms.others.append(form)

    def places(self, page: Page) -> list[Place]:
        """Forms that stand as words in the page, the longest where several begin alike or overlap."""
        found = [] if self.by_run.keys().isdisjoint(page.run_set) else self._lettered(page)
        folded = page.folded
        for form in self.unlettered:
            start = folded.find(form)
            while start >= 0:
                if _ends_word(folded, start + len(form)):
                    found.append((form, start))
                start = folded.find(form, start + len(form))
        return found

    def _lettered(self, page: Page) -> list[Place]:
        runs, folded, by_run, starts = page.runs, page.folded, self.by_run, page.run_starts
        found: list[Place] = []
        free = 0
        for place in [place for place, run in enumerate(runs) if run in by_run]:
            start = starts[place]
            if start < free:
                continue
            run = runs[place]
            forms = by_run[run]
            form = run if forms.alone else ""
            if forms.by_next or forms.others:
                following = runs[place + 1] if place + 1 < len(runs) else ""
                for longer in (*forms.by_next.get(following, ()), *forms.others):
                    if folded.startswith(longer, start) and _ends_word(folded, start + len(longer)):
                        form = longer
                        break
            if form:
                free = start + len(form)
                found.append((form, start))
        return found


@dataclass
class Vocabulary:
    """The profile's terms that one filter looks for."""

    profile: Profile
    wanted: Callable[[LexiconTerm], bool]
    further: tuple[LexiconTerm, ...] = ()
    """Names of any language beside the terms of the lexicon; they count only with a capital."""
    _terms: dict[str, _Terms] = field(default_factory=dict)
    _automata: dict[str, tuple[AhoCorasick, list[str]]] = field(default_factory=dict)

    def places(self, page: Page) -> list[Place]:
        """Where forms of wanted terms stand in the page, the longest where several overlap."""
        terms = self._of(page.language)
        if page.undivided:
            return self._anywhere(page, terms)
        places = terms.places(page)
        if not self.further:
            return places
        text, names = page.text, terms.names
        return [place for place in places if place[0] not in names or text[place[1]].isupper()]

    def terms_of(self, language: str) -> dict[str, list[LexiconTerm]]:
        """The terms of each form, for pages in this language."""
        return self._of(language).by_form

    def _anywhere(self, page: Page, terms: _Terms) -> list[Place]:
        """In scripts without spaces a term may begin at any letter."""
        if page.language not in self._automata:
            forms = sorted(terms.by_form)
            self._automata[page.language] = AhoCorasick(forms, matchkind=MatchKind.LeftmostLongest), forms
        automaton, forms = self._automata[page.language]
        folded = page.folded
        return [
            (forms[index], start)
            for index, start, end in automaton.find_matches_as_indexes(folded)
            if _is_long(forms[index]) or (_begins_word(folded, start) and _ends_word(folded, end))
        ]

    def _of(self, language: str) -> _Terms:
        """Terms of the page's language and of the profile's own, which lends words to all others."""
        if language not in self._terms:
            spoken = {term.language for term in self.profile.lexicon}
            read = {language, self.profile.language, ANY_LANGUAGE} if language in spoken else spoken
            wanted = (term for term in self.profile.lexicon if term.language in read and self.wanted(term))
            self._terms[language] = _Terms.of(chain(wanted, self.further))
        return self._terms[language]


def counted(places: Iterable[Place]) -> dict[str, float]:
    """How much each form counts: repetition adds little, because one word repeated proves little."""
    return {form: _REPEATED[min(times, 4)] for form, times in Counter([form for form, _ in places]).items()}


def points(counts: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(weights.get(form, 0.0) * count for form, count in counts.items())


def _is_long(form: str) -> bool:
    """Long enough not to occur by chance inside other words; characters that stand for words are soon enough."""
    return len(form) >= (_MIN_LOOSE_TERM if form.isascii() else _MIN_LOOSE_CHARACTERS)


def _begins_word(folded: str, start: int) -> bool:
    """A digit ends a word too: `Rp150.000`."""
    return start == 0 or not folded[start - 1].isalpha() or not folded[start].isalpha()


def _ends_word(folded: str, end: int) -> bool:
    return end == len(folded) or not folded[end].isalpha() or not folded[end - 1].isalpha()

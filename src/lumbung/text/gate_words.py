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


@dataclass(frozen=True, slots=True)
class _Forms:
    """The forms that begin with one run of letters."""

    alone: bool
    """Whether the run itself is a form."""
    by_next: Mapping[str, tuple[str, ...]]
    """Forms of several runs by the second of them, longest first."""
    others: tuple[str, ...]
    """Forms that go on with something else than letters."""

    @classmethod
    def of(cls, run: str, forms: Iterable[str]) -> _Forms:
        by_next: dict[str, tuple[str, ...]] = {}
        others: list[str] = []
        alone = False
        for form in _longest_first(forms):
            pieces = _LETTERS.split(form)
            if form == run:
                alone = True
            elif len(pieces) > 3:
                by_next[pieces[3]] = (*by_next.get(pieces[3], ()), form)
            else:
                others.append(form)
        return cls(alone, by_next, tuple(others)) if by_next or others else _ALONE

    def all_of(self, run: str) -> list[str]:
        return [*([run] if self.alone else ()), *chain.from_iterable(self.by_next.values()), *self.others]


_ALONE = _Forms(alone=True, by_next={}, others=())


@dataclass(frozen=True, eq=False, slots=True)
class Meaning:
    """The terms that one form stands for; itself the key for what is worked out from them."""

    terms: tuple[LexiconTerm, ...]
    is_name: bool
    """It stands for nothing but names."""

    @classmethod
    def of(cls, terms: tuple[LexiconTerm, ...]) -> Meaning:
        return cls(terms, all(term.role == NAME for term in terms))


_UNKNOWN = Meaning((), is_name=False)


class _Terms:
    """The terms of one language over those that every language reads, which are kept only once."""

    def __init__(self, terms: Iterable[LexiconTerm], beneath: _Terms | None = None) -> None:
        by_form: dict[str, list[LexiconTerm]] = {}
        for term in terms:
            form = fold(term.term)
            if form.strip():
                by_form.setdefault(form, []).append(term)
        self._beneath = beneath
        known = beneath.meaning if beneath else lambda _: _UNKNOWN
        self._meanings = {form: Meaning.of((*known(form).terms, *own)) for form, own in by_form.items()}
        self._by_run: dict[str, _Forms] = {}
        unlettered = set(beneath.unlettered) if beneath else set()
        by_run: dict[str, set[str]] = {}
        for form in by_form:
            before, *pieces = _LETTERS.split(form)
            if before or not pieces:
                unlettered.add(form)
            else:
                by_run.setdefault(pieces[0], set()).add(form)
        for run, forms in by_run.items():
            lower = beneath.forms(run) if beneath else None
            self._by_run[run] = _Forms.of(run, {*forms, *(lower.all_of(run) if lower else ())})
        self.unlettered: list[str] = _longest_first(unlettered)
        """Forms that begin with no letter: rare, and looked for one by one."""

    def meaning(self, form: str) -> Meaning:
        return self._meanings.get(form) or (self._beneath.meaning(form) if self._beneath else _UNKNOWN)

    def forms(self, run: str) -> _Forms | None:
        return self._by_run.get(run) or (self._beneath.forms(run) if self._beneath else None)

    def all_forms(self) -> set[str]:
        return self._meanings.keys() | (self._beneath.all_forms() if self._beneath else set())

    def places(self, page: Page) -> list[Place]:
        """Forms that stand as words in the page, the longest where several begin alike or overlap."""
        found = self._lettered(page)
        folded = page.folded
        for form in self.unlettered:
            start = folded.find(form)
            while start >= 0:
                if _ends_word(folded, start + len(form)):
                    found.append((form, start))
                start = folded.find(form, start + len(form))
        return found

    def _among(self, runs: frozenset[str]) -> dict[str, _Forms]:
        """The runs that forms begin with."""
        met = self._beneath._among(runs) if self._beneath else {}  # noqa: SLF001 - its own kind
        by_run = self._by_run
        for run in runs & by_run.keys():
            met[run] = by_run[run]
        return met

    def _lettered(self, page: Page) -> list[Place]:
        by_run = self._among(page.run_set)
        if not by_run:
            return []
        runs, folded, starts = page.runs, page.folded, page.run_starts
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
        text, meaning = page.text, terms.meaning
        return [place for place in places if text[place[1]].isupper() or not meaning(place[0]).is_name]

    def meanings(self, page: Page, forms: Iterable[str]) -> list[Meaning]:
        """What forms that were found in the page stand for, in the page's language."""
        return list(map(self._of(page.language).meaning, forms))

    def _anywhere(self, page: Page, terms: _Terms) -> list[Place]:
        """In scripts without spaces a term may begin at any letter."""
        read = self._read(page.language)
        if read not in self._automata:
            forms = sorted(terms.all_forms())
            self._automata[read] = AhoCorasick(forms, matchkind=MatchKind.LeftmostLongest), forms
        automaton, forms = self._automata[read]
        folded = page.folded
        return [
            (forms[index], start)
            for index, start, end in automaton.find_matches_as_indexes(folded)
            if _is_long(forms[index]) or (_begins_word(folded, start) and _ends_word(folded, end))
        ]

    @cached_property
    def _spoken(self) -> frozenset[str]:
        return frozenset(term.language for term in self.profile.lexicon)

    def _read(self, language: str) -> str:
        """Every word is read in a language that the lexicon does not have, whichever it is."""
        return language if language in self._spoken else ""

    def _of(self, language: str) -> _Terms:
        """Terms of the page's language over those of the profile's own, which lends words to all others."""
        read = self._read(language)
        if read not in self._terms:
            lent = {self.profile.language, ANY_LANGUAGE}
            own = [term for term in self.profile.lexicon if self.wanted(term)]
            if ANY_LANGUAGE not in self._terms:
                self._terms[ANY_LANGUAGE] = _Terms(chain((term for term in own if term.language in lent), self.further))
            above = (term for term in own if term.language not in lent and read in {term.language, ""})
            lowest = self._terms[ANY_LANGUAGE]
            self._terms[read] = lowest if read in lent else _Terms(above, lowest)
        return self._terms[read]


def _longest_first(forms: Iterable[str]) -> list[str]:
    return sorted(forms, key=lambda form: (-len(form), form))


def counted(places: Iterable[Place]) -> dict[str, float]:
    """How much each form counts: repetition adds little, because one word repeated proves little."""
    return {form: _REPEATED[min(times, 4)] for form, times in Counter([form for form, _ in places]).items()}


def _is_long(form: str) -> bool:
    """Long enough not to occur by chance inside other words; characters that stand for words are soon enough."""
    return len(form) >= (_MIN_LOOSE_TERM if form.isascii() else _MIN_LOOSE_CHARACTERS)


def _begins_word(folded: str, start: int) -> bool:
    """A digit ends a word too: `Rp150.000`."""
    return start == 0 or not folded[start - 1].isalpha() or not folded[start].isalpha()


def _ends_word(folded: str, end: int) -> bool:
    return end == len(folded) or not folded[end].isalpha() or not folded[end - 1].isalpha()

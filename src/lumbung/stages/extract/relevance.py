"""Which passages of a page can say something of an item of culture: only these are shown to a model.

A passage speaks of culture if it names an item, has the label of an attribute, or uses words of the categories the page
is about; one from which the lexical engine took a fact always does. Silence alone proves nothing (a tale has few such
words): what is left out is silent *and* practical, or stands under a heading that says it is an aside. In a language
whose words the profile hardly knows, and in other scripts, only such headings count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lumbung.model.candidate import Candidate, PageText
from lumbung.model.profile import Profile
from lumbung.stages.extract.asides import Aside, Words, aside_headed, leads_elsewhere, practical_words
from lumbung.stages.extract.focus import Focus
from lumbung.stages.extract.passages import Passage, Section, sections
from lumbung.text.extraction.category import Vocabulary, folded_words, vocabulary_of
from lumbung.text.extraction.titles import clean_title
from lumbung.text.gate_words import ANY_LANGUAGE
from lumbung.text.spelling import modernise

LEAST_TERMS = 300
"""So many words of its categories a profile must know of a language before their absence says anything."""
LEAST_SCORE = 1.0
SCORE_A_CHARACTER = 0.01
ASIDE_SCORE_A_CHARACTER = 0.02
PRACTICAL_ROLES = frozenset({"commerce", "technical"})
LEAST_WEIGHT = 2.0
LEAST_PRACTICAL = 2
PRACTICAL_A_CHARACTER = 1 / 250
LONG = 200
SHORT_WORD = 3
LONGEST_LABEL = 5
LEAST_NAME = 3
LEAST_OF_LINE = 0.25

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shown:
    spans: tuple[Span, ...]
    left_out: Counter[str]
    """Passages by reason: aside (their heading or lead says that they are about something else) or practical."""
    speaking: tuple[Span, ...] = ()
    """Those of the spans that speak of culture by themselves."""

    def text(self, page: PageText) -> str:
        return _text(page, self.spans)

    def speaking_text(self, page: PageText) -> str:
        return _text(page, self.speaking)


def _text(page: PageText, spans: Iterable[Span]) -> str:
    return "\n".join(page.text[start:end].strip("\n") for start, end in spans)


def linked_share(page: PageText, text: str) -> float:
    """How much of a text are lines that begin with a link which is a good part of them."""
    anchors = {anchor for link in page.links if len(anchor := link.anchor.strip()) >= LEAST_NAME}
    lines = [line.strip() for line in text.splitlines()]
    linked = (
        len(line)
        for line in lines
        if any(len(anchor) >= LEAST_OF_LINE * len(line) and line.startswith(anchor) for anchor in anchors)
    )
    return sum(linked) / max(1, sum(map(len, lines)))


class Relevance:
    """What a profile knows that tells the passages of any page apart."""

    def __init__(self, profile: Profile) -> None:
        self.vocabulary = vocabulary_of(profile)
        self.labels: set[Words] = {
            tuple(folded_words(label)) for each in profile.attributes.values() for label in each.surface
        }
        self.terms = Counter(term.language for term in profile.lexicon if term.category in profile.categories)
        self._against: dict[str, set[Words]] = defaultdict(set)
        for term in profile.lexicon:
            if term.role in PRACTICAL_ROLES and term.weight >= LEAST_WEIGHT:
                self._against[term.language].add(tuple(folded_words(term.term)))

    def words_against(self, language: str) -> set[Words]:
        """What the profile's gate holds against a page of that language."""
        return self._against.get(language, set()) | self._against.get(ANY_LANGUAGE, set())

    def shown(self, page: PageText, found: Sequence[Candidate], focus: Focus) -> Shown:
        """Where nothing would remain, everything stays."""
        judge = _Judge(self, page, found, focus)
        left_out: Counter[str] = Counter()
        kept: list[Passage] = []
        aside: tuple[int, Aside] | None = None
        for section in sections(page, leads_elsewhere):
            if aside is not None and section.level <= aside[0]:
                aside = None
            if aside is None and section.heading is not None:
                kind = aside_headed(judge.text(section.heading))
                aside = None if kind is None else (section.level, kind)
            kept += judge.kept(section, left_out, None if aside is None else aside[1])
        if not kept:
            return Shown(((0, len(page.text)),), Counter())
        return Shown(tuple(_joined(kept)), left_out, tuple(_joined(filter(judge.speaks, kept))))


class _Judge:
    def __init__(self, relevance: Relevance, page: PageText, found: Sequence[Candidate], focus: Focus) -> None:
        self._page = page
        self._vocabulary = relevance.vocabulary
        self._labels = relevance.labels
        self._words_against = relevance.words_against(page.language)
        self._knows_language = page.script == "Latn" and relevance.terms[page.language] >= LEAST_TERMS
        self._categories = focus.described or focus.possible
        self._names = _names(page, found, relevance.vocabulary)
        self._speaking: dict[Passage, bool] = {}
        self._taken = [(fact.start, fact.end) for candidate in found for fact in candidate.facts]

    def text(self, passage: Passage) -> str:
        return self._page.text[passage.start : passage.end]

    def kept(self, section: Section, left_out: Counter[str], aside: Aside | None) -> list[Passage]:
        """A heading stays with what stays of its section."""
        reasons = self._of_aside(section.passages, aside) if aside else self._of_section(section)
        left_out.update(reason for reason in reasons if reason)
        kept = [passage for passage, reason in zip(section.passages, reasons, strict=True) if not reason]
        if section.heading is not None and (kept or not (aside or section.passages)):
            kept.insert(0, section.heading)
        return kept

    def _of_aside(self, passages: Sequence[Passage], kind: Aside) -> list[str]:
        """After a list of links a page may go on without another heading."""
        first = next((place for place, each in enumerate(passages) if not each.is_list and _size(each) >= LONG), None)
        if kind == "links" and first is not None:
            return ["aside"] * first + self._of_section(Section(None, 0, list(passages[first:])))
        return ["" if self._speaks_aloud(passage) else "aside" for passage in passages]

    def _of_section(self, section: Section) -> list[str]:
        """Why each passage is left out; empty for those that stay."""
        passages = section.passages
        speaks = [self.speaks(passage) for passage in passages]
        heading = "" if section.heading is None else self.text(section.heading)
        if not self._knows_language or self._is_about_attribute(heading, spoken=any(speaks)):
            return ["aside" if passage.is_apart else "" for passage in passages]
        practical = [not spoken and self._is_practical(each) for each, spoken in zip(passages, speaks, strict=True)]
        whole = section.heading is not None and any(practical) and not any(speaks)
        return [
            "aside" if passage.is_apart else "practical" if whole or practical[place] else ""
            for place, passage in enumerate(passages)
        ]

    def _is_practical(self, passage: Passage) -> bool:
        needed = max(LEAST_PRACTICAL, _size(passage) * PRACTICAL_A_CHARACTER)
        return practical_words(self.text(passage), self._words_against) >= needed

    def _speaks_aloud(self, passage: Passage) -> bool:
        """Enough to stay even in an aside."""
        if passage.is_list or passage.is_apart or _size(passage) < LONG:
            return False
        return self._is_taken(passage) or self._score(passage) >= self._needed(passage, ASIDE_SCORE_A_CHARACTER)

    def speaks(self, passage: Passage) -> bool:
        if passage not in self._speaking:
            told = self._is_taken(passage) or self._is_named(passage) or self._has_label(passage)
            self._speaking[passage] = told or self._score(passage) >= self._needed(passage, SCORE_A_CHARACTER)
        return self._speaking[passage]

    def _is_taken(self, passage: Passage) -> bool:
        return any(start < passage.end and passage.start < end for start, end in self._taken)

    def _is_named(self, passage: Passage) -> bool:
        words = f" {' '.join(folded_words(self.text(passage)))}"
        return any(f" {name}" in words for name in self._names)

    def _has_label(self, passage: Passage) -> bool:
        """A row or a line such as `Bahan: kapas`."""
        leads = (line.partition(":") for line in self.text(passage).splitlines())
        return any(colon and tuple(folded_words(lead)) in self._labels for lead, colon, _ in leads)

    def _score(self, passage: Passage) -> float:
        """Old spelling is read as today's where the words alone say nothing."""
        text = self.text(passage)
        score = self._score_of(text)
        if score >= self._needed(passage, SCORE_A_CHARACTER):
            return score
        return max(score, self._score_of(modernise(text)))

    def _score_of(self, text: str) -> float:
        scores = self._vocabulary.scores(text)
        return sum(scores.get(category, 0.0) for category in self._categories)

    def _needed(self, passage: Passage, a_character: float) -> float:
        return max(LEAST_SCORE, _size(passage) * a_character)

    def _is_about_attribute(self, heading: str, *, spoken: bool) -> bool:
        """`Fungsi dan Makna Tari Piring`; with other words beside the label, only if its section speaks at all."""
        words = folded_words(heading)
        unlabelled = self._unlabelled(words)
        others = [word for word in unlabelled if len(word) > SHORT_WORD and not self._is_word_of_name(word)]
        return len(unlabelled) < len(words) and (spoken or not others)

    def _unlabelled(self, words: Sequence[str]) -> list[str]:
        left: list[str] = []
        place = 0
        while place < len(words):
            sizes = range(LONGEST_LABEL, 0, -1)
            size = next((size for size in sizes if tuple(words[place : place + size]) in self._labels), 0)
            left += [] if size else [words[place]]
            place += size or 1
        return left

    def _is_word_of_name(self, word: str) -> bool:
        return bool(self._vocabulary.generic_length(word)) or any(word in name.split() for name in self._names)


def _size(passage: Passage) -> int:
    return passage.end - passage.start


def _names(page: PageText, found: Iterable[Candidate], vocabulary: Vocabulary) -> frozenset[str]:
    """What items may be called, without the words of their kind."""
    names = [clean_title(page.title), *(name for each in found for name in (each.name, *each.aliases))]
    bare = (" ".join(folded_words(name)[vocabulary.generic_length(name) :]) for name in names)
    return frozenset(name for name in bare if len(name) >= LEAST_NAME)


def _joined(passages: Iterable[Passage]) -> Iterator[Span]:
    """Passages that follow one another are one span."""
    start = end = 0
    for passage in passages:
        if passage.start != end:
            if end > start:
                yield start, end
            start = passage.start
        end = passage.end
    if end > start:
        yield start, end

"""The relevance gate at work: filters in the order that costs least, measured while running, Eq. (4)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from lumbung.text.gate import FilterVerdict, Gate, GateVerdict
from lumbung.text.gate_statistics import FilterRecord, GateStatistics
from lumbung.text.gate_words import Page
from lumbung.text.language import identify
from lumbung.text.outline import SAMPLE_CHARACTERS, Outline

LANGUAGE_CHARACTERS = 400
AGREEMENTS = 4
CHECK_EVERY = 16
MOST_HOSTS = 4_000
ORDER_PAGES = 200
RECORDED_IN_FULL = 1_000
"""Refusals of one filter that are all recorded; after them the share falls as their number grows."""
SURE = 0.6
GUESSED_SECONDS = {"address": 2e-5, "length": 3e-5, "language": 2e-5}
Pattern = tuple[tuple[str, bool], ...]
"""The verdicts of all filters on one page, by name."""
Figure = tuple[str, int, float, int, int]
_EVIDENCE_MAY_COME_LATER = frozenset({"culture", "place", "length"})


@dataclass
class _HostLanguage:
    language: str
    agreed: int = 0
    seen: int = 0


class LanguageMemory:
    """A host's pages are mostly in one language: once several agree, only every few pages are identified."""

    def __init__(self) -> None:
        self._hosts: dict[tuple[str, str], _HostLanguage] = {}

    def of(self, host: str, declared: str, text: str) -> tuple[str, bool]:
        """The language, and whether it was read from this very page."""
        known = self._hosts.get((host, declared))
        if known is not None:
            known.seen += 1
            if known.agreed >= AGREEMENTS and known.seen % CHECK_EVERY:
                return known.language, False
        language = identified(text)
        if known is None or known.language != language:
            if len(self._hosts) >= MOST_HOSTS:
                self._hosts.clear()
            self._hosts[host, declared] = _HostLanguage(language)
        else:
            known.agreed += 1
        return language, True


def identified(text: str) -> str:
    """By the middle of the sample, because pages begin with names and menus."""
    start = max(0, (len(text) - LANGUAGE_CHARACTERS) // 2)
    found = identify(text[start : start + LANGUAGE_CHARACTERS])
    return found.language if found.confidence >= SURE else "und"


class Judge:
    """Runs the gate on outlines; a page is refused only after a second, longer look where that could save it."""

    def __init__(self, gate: Gate, random: Random | None = None) -> None:
        self._gate = gate
        self._random = random or Random()  # noqa: S311 - sampling, not secrecy
        self._names = tuple(each.name for each in gate.filters)
        self.statistics = GateStatistics({name: GUESSED_SECONDS.get(name, 2e-4) for name in self._names})
        self.languages = LanguageMemory()
        self._order: tuple[str, ...] = self._names
        self._pages = 0
        self._refused: dict[str, int] = {}
        self.fresh: dict[str, FilterRecord] = {}
        """Measured since the figures were last written down."""
        self.patterns: dict[Pattern, int] = {}

    def judge(self, outline: Outline, url: str, host: str) -> tuple[GateVerdict, str]:
        """The verdict and the language of the page."""
        sample = outline.text[:SAMPLE_CHARACTERS]
        language, sure = self.languages.of(host, outline.declared_language, sample)
        verdict = self._run(self._gate.page(sample, language, url, outline.surroundings))
        if verdict.passed:
            return verdict, language
        longer = len(outline.text) > len(sample) and verdict.filters[-1].name in _EVIDENCE_MAY_COME_LATER
        assumed = language
        if not sure:
            language = identified(sample)
        if longer or language != assumed:
            verdict = self._run(self._gate.page(outline.text, language, url, outline.surroundings))
        return verdict, language

    def abide_by(self, rows: Mapping[str, Any]) -> None:
        """The governed rows in force, from the next page on."""
        self._gate = self._gate.under(rows)
        self.statistics.random_share = float(rows.get("gate.random_order_share", self.statistics.random_share))

    def follow(self, gate: Gate) -> None:
        """With other words; what was measured of its filters stays."""
        self._gate = gate

    def inclusion(self, filter_name: str) -> float:
        """The probability by which a refusal of this filter is recorded for labelling; counts the refusal."""
        number = self._refused.get(filter_name, 0) + 1
        self._refused[filter_name] = number
        return min(1.0, RECORDED_IN_FULL / number)

    def is_included(self, probability: float) -> bool:
        return probability >= 1.0 or self._random.random() < probability

    def load(self, figures: Iterable[Mapping[str, Any]], patterns: Iterable[Mapping[str, Any]]) -> None:
        """What earlier runs measured."""
        for row in figures:
            if row["filter"] in self._names:
                self.statistics.records[row["filter"]] = FilterRecord(
                    row["runs"], row["seconds"], row["trials"], row["passes"]
                )
        for row in patterns:
            for _ in range(min(200, row["pages"])):
                self.statistics.observe_page(dict(row["verdicts"]))
        self._order = self.statistics.best_order()

    def take_measured(self) -> tuple[list[Figure], dict[Pattern, int]]:
        """What was measured since the last time: filter, runs, seconds, trials, passes; and verdicts of the sample."""
        fresh, patterns = self.fresh, self.patterns
        self.fresh, self.patterns = {}, {}
        return [(name, each.runs, each.seconds, each.trials, each.passes) for name, each in fresh.items()], patterns

    def take_back(self, figures: Iterable[Figure], patterns: Mapping[Pattern, int]) -> None:
        """It could not be written down: the next time, then."""
        for name, runs, seconds, trials, passes in figures:
            record = self.fresh.setdefault(name, FilterRecord())
            record.runs, record.seconds = record.runs + runs, record.seconds + seconds
            record.trials, record.passes = record.trials + trials, record.passes + passes
        for pattern, number in patterns.items():
            self.patterns[pattern] = self.patterns.get(pattern, 0) + number

    @property
    def order(self) -> tuple[str, ...]:
        return self._order

    def _run(self, page: Page) -> GateVerdict:
        self._pages += 1
        if self._pages % ORDER_PAGES == 0:
            self._order = self.statistics.best_order()
        if self._random.random() < self.statistics.random_share:
            return self._run_all(page)
        verdicts = []
        started = time.perf_counter()
        for verdict in self._gate.run(page, self._order):
            ended = time.perf_counter()
            self._observe(verdict, ended - started)
            started = ended
            verdicts.append(verdict)
        return _together(verdicts)

    def _run_all(self, page: Page) -> GateVerdict:
        """Every filter, in random order: the sample from which pass rates are learned."""
        order = list(self._names)
        self._random.shuffle(order)
        verdicts = []
        for place, name in enumerate(order):
            started = time.perf_counter()
            verdict = next(iter(self._gate.run(page, [name])))
            self._observe(verdict, time.perf_counter() - started, first=place == 0)
            verdicts.append(verdict)
        found = {verdict.name: verdict.passed for verdict in verdicts}
        self.statistics.observe_page(found)
        pattern = tuple(sorted(found.items()))
        self.patterns[pattern] = self.patterns.get(pattern, 0) + 1
        return _together(verdicts)

    def _observe(self, verdict: FilterVerdict, seconds: float, *, first: bool = False) -> None:
        self.statistics.observe(verdict.name, seconds, passed=verdict.passed, first=first)
        record = self.fresh.setdefault(verdict.name, FilterRecord())
        record.runs += 1
        record.seconds += seconds
        record.trials += first
        record.passes += first and verdict.passed


def _together(verdicts: list[FilterVerdict]) -> GateVerdict:
    refusing = [verdict for verdict in verdicts if not verdict.passed]
    ordered = [verdict for verdict in verdicts if verdict.passed] + refusing
    return GateVerdict(not refusing, min(verdict.score for verdict in verdicts), tuple(ordered))

"""The relevance gate of stage 1: exchangeable cheap filters, all of which a page must pass."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lumbung.model.profile import Profile
from lumbung.text.gate_filters import PASS_SCORE, Filter, FilterVerdict, constant, filters_of, local_languages
from lumbung.text.gate_words import Page
from lumbung.text.language import identify
from lumbung.text.script import script_of, transliterate
from lumbung.text.spelling import modernise

__all__ = ["Filter", "FilterVerdict", "Gate", "GateVerdict"]

GATE_CONSTANTS = ("gate.threshold", "gate.min_characters", "gate.min_words")
_SURE = 0.6
_READ_ALOUD = frozenset({"Java", "Bali", "Sund", "Bugi", "Maka", "Batk"})
_UNDIVIDED = _READ_ALOUD | {"Jpan", "Hira", "Kana", "Hani", "Hans", "Hant", "Thai"}
_OLD_LETTERS = ("oe", "tj", "dj")
"""Without `nj` and `sj`: today's spelling has them too, and no old text has only these."""
_OLD_WORD = re.compile(r"\bjang\b")
_LEAST_OLD_SIGNS = 2
_SAMPLE_CHARS = 4_000
_READ_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class GateVerdict:
    passed: bool
    score: float
    """That of the weakest filter: what the page has least of decides."""
    filters: tuple[FilterVerdict, ...]


class Gate:
    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self.threshold = constant(profile, "gate.threshold", PASS_SCORE)
        self._local_languages = local_languages(profile)
        self.filters: tuple[Filter, ...] = filters_of(profile)
        self._by_name = {filter_.name: filter_ for filter_ in self.filters}

    def under(self, rows: Mapping[str, object]) -> Gate:
        """This gate, or another where the governed rows say other constants than it was made with."""
        own = self._profile.constants
        changed = {name: rows[name] for name in GATE_CONSTANTS if name in rows and rows[name] != own.get(name)}
        return Gate(replace(self._profile, constants={**own, **changed})) if changed else self

    def judge(self, text: str, language: str | None = None, url: str = "", surroundings: str = "") -> GateVerdict:
        """Every filter's verdict; `language` spares the identification if it is known."""
        page = self.page(text, language, url, surroundings)
        verdicts = tuple(filter_.judge(page, self.threshold) for filter_ in self.filters)
        return _together(verdicts)

    def run(self, page: Page, order: Sequence[str]) -> Iterator[FilterVerdict]:
        """The verdicts in the order asked for, ending with the first refusal: what a crawl pays for."""
        for name in order:
            verdict = self._by_name[name].judge_cheaply(page, self.threshold)
            yield verdict
            if not verdict.passed:
                return

    def page(self, text: str, language: str | None = None, url: str = "", surroundings: str = "") -> Page:
        """What the filters read: aksara in Latin letters, and old spelling in today's."""
        sample = text[:_SAMPLE_CHARS]
        script = "Latn" if sample.isascii() else script_of(sample)
        if language is None:
            identified = identify(sample)
            language = identified.language if identified.confidence >= _SURE else "und"
        if script in _READ_ALOUD:
            text = transliterate(text)
        elif language in self._local_languages and _is_in_old_spelling(text):
            text = modernise(text[:_READ_CHARS])
        return Page(text, language, url, script in _UNDIVIDED, surroundings)


def _is_in_old_spelling(text: str) -> bool:
    lowered = text[:_SAMPLE_CHARS].lower()
    signs = sum(map(lowered.count, _OLD_LETTERS))
    if signs < _LEAST_OLD_SIGNS and "jang" in lowered:
        signs += len(_OLD_WORD.findall(lowered))
    return signs >= _LEAST_OLD_SIGNS


def _together(verdicts: tuple[FilterVerdict, ...]) -> GateVerdict:
    return GateVerdict(
        all(verdict.passed for verdict in verdicts), min(verdict.score for verdict in verdicts), verdicts
    )

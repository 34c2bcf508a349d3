"""The relevance gate of stage 1: exchangeable cheap filters, all of which a page must pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lumbung.model.profile import Profile
from lumbung.text.gate_filters import PASS_SCORE, Filter, FilterVerdict, constant, filters_of
from lumbung.text.gate_words import Page
from lumbung.text.language import identify
from lumbung.text.script import script_of, transliterate

__all__ = ["Filter", "FilterVerdict", "Gate", "GateVerdict"]

_SURE = 0.6
_UNDIVIDED_SCRIPTS = frozenset({"Java", "Bali", "Sund", "Bugi", "Maka", "Batk"})
_SAMPLE_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class GateVerdict:
    passed: bool
    score: float
    """That of the weakest filter: what the page has least of decides."""
    filters: tuple[FilterVerdict, ...]


class Gate:
    def __init__(self, profile: Profile) -> None:
        self._threshold = constant(profile, "gate.threshold", PASS_SCORE)
        self.filters: tuple[Filter, ...] = filters_of(profile)
        self._by_name = {filter_.name: filter_ for filter_ in self.filters}

    def judge(self, text: str, language: str | None = None, url: str = "", surroundings: str = "") -> GateVerdict:
        """Every filter's verdict; `language` spares the identification if it is known."""
        page = self.page(text, language, url, surroundings)
        verdicts = tuple(filter_.judge(page, self._threshold) for filter_ in self.filters)
        return _together(verdicts)

    def run(self, page: Page, order: Sequence[str]) -> Iterator[FilterVerdict]:
        """The verdicts in the order asked for, ending with the first refusal: what a crawl pays for."""
        for name in order:
            verdict = self._by_name[name].judge(page, self._threshold)
            yield verdict
            if not verdict.passed:
                return

    def page(self, text: str, language: str | None = None, url: str = "", surroundings: str = "") -> Page:
        """What the filters read; writing without spaces is put into Latin letters first."""
        undivided = script_of(text[:_SAMPLE_CHARS]) in _UNDIVIDED_SCRIPTS
        if language is None:
            identified = identify(text[:_SAMPLE_CHARS])
            language = identified.language if identified.confidence >= _SURE else "und"
        return Page(transliterate(text) if undivided else text, language, url, undivided, surroundings)


def _together(verdicts: tuple[FilterVerdict, ...]) -> GateVerdict:
    return GateVerdict(
        all(verdict.passed for verdict in verdicts), min(verdict.score for verdict in verdicts), verdicts
    )

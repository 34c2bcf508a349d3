"""The relevance gate."""

from __future__ import annotations

from dataclasses import dataclass

from lumbung.model.profile import Profile


@dataclass(frozen=True, slots=True)
class FilterVerdict:
    name: str
    passed: bool
    score: float


@dataclass(frozen=True, slots=True)
class GateVerdict:
    passed: bool
    score: float
    filters: tuple[FilterVerdict, ...]


class Gate:
    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def judge(self, text: str, language: str | None = None, url: str = "") -> GateVerdict:
        long = len(text) > 120
        return GateVerdict(long, float(long), (FilterVerdict("length", long, float(long)),))

"""Figures as pictures: bars with their words and numbers, so that neither length nor shade carries the meaning alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BAR_HEIGHT = 22
ROW_HEIGHT = 34
LABEL_WIDTH = 130
LONGEST_BAR = 200
NUMBER_WIDTH = 90


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    told: str
    """The number as it is written behind the bar."""
    y: int
    length: float


@dataclass(frozen=True, slots=True)
class Bars:
    bars: tuple[Bar, ...]
    width: int = LABEL_WIDTH + LONGEST_BAR + NUMBER_WIDTH
    left: int = LABEL_WIDTH
    thick: int = BAR_HEIGHT

    @property
    def height(self) -> int:
        return ROW_HEIGHT * len(self.bars)


def bars_of(rows: Sequence[tuple[str, float, str]]) -> Bars:
    """From label, number and the number as it is told; the longest bar is the largest number's."""
    most = max((number for _, number, _ in rows), default=0) or 1
    return Bars(
        tuple(
            Bar(label, told, place * ROW_HEIGHT, round(LONGEST_BAR * max(0.0, number) / most, 1))
            for place, (label, number, told) in enumerate(rows)
        )
    )

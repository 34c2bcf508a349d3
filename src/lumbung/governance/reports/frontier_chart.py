"""The frontier over generations as a small SVG: the middle run and the span of nine in ten, with and without tranches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

import numpy as np

from lumbung.governance.reports.simulated_runs import Paths

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 480, 320, 60, 62, 12
"""Narrow, so that its words can be read on a phone; its colours stand out on light paper and on dark."""


@dataclass(frozen=True, slots=True)
class ChartWords:
    title: str = "Frontier size by generation"
    legend: str = "median and 90 % of runs; dashed: without re-seeding; red: threshold"
    axis: str = "generation"
    captioned: bool = False
    """Whether the legend stands beneath the picture, where long words have room to wrap."""


ENGLISH = ChartWords()


def last_generation(paths: Paths) -> int:
    """The last in which any run has a page left; 1 at least, so that there is a span to draw."""
    alive = np.flatnonzero(paths.sizes.max(axis=0) > 0)
    return max(1, int(alive[-1])) if alive.size else 1


def spans(paths: Paths) -> list[tuple[int, float, float, float]]:
    """The same as numbers: a generation, its middle run, and the ends of the span of nine in ten."""
    low, middle, high = (np.quantile(paths.sizes, share, axis=0) for share in (0.05, 0.5, 0.95))
    return [(g, float(middle[g]), float(low[g]), float(high[g])) for g in range(last_generation(paths) + 1)]


def _points(xs: list[float], ys: list[float]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))


def frontier_chart(paths: Paths, alone: Paths, threshold: int, words: ChartWords = ENGLISH) -> str:
    """Sizes are drawn on a logarithmic scale of 1 + size, so that an empty frontier has a place."""
    last = last_generation(paths)
    top = math.log10(1 + max(threshold, float(np.quantile(paths.sizes, 0.99)), 10.0)) * 1.05
    width, height = WIDTH - LEFT - 16, HEIGHT - TOP - BOTTOM
    xs = [LEFT + width * g / last for g in range(last + 1)]

    def y(size: float) -> float:
        return TOP + height * (1 - min(1.0, math.log10(1 + size) / top))

    def line(found: Paths, share: float) -> list[float]:
        return [y(float(each)) for each in np.quantile(found.sizes[:, : last + 1], share, axis=0)]

    span = _points(xs + xs[::-1], line(paths, 0.95) + line(paths, 0.05)[::-1])
    ticks = [tick for tick in (0, 10, 100, 1000, 10_000, 100_000, 10**6, 10**7) if math.log10(1 + tick) <= top]
    legend = "" if words.captioned else escape(words.legend)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-size="16">',
        f"<title>{escape(words.title)}</title><desc>{escape(words.legend)}</desc>",
        '<g font-family="sans-serif" fill="currentColor">',
        *(
            f'<path d="M{LEFT} {y(tick):.1f}H{LEFT + width}" stroke="currentColor" opacity=".2"/>'
            f'<text x="{LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick}</text>'
            for tick in ticks
        ),
        f'<polygon points="{span}" fill="#3b82b6" opacity=".3"/>',
        f'<polyline points="{_points(xs, line(alone, 0.5))}" fill="none" stroke="#b5651d" stroke-width="2" stroke-dasharray="5 4"/>',
        f'<polyline points="{_points(xs, line(paths, 0.5))}" fill="none" stroke="#3b82b6" stroke-width="3"/>',
        f'<path d="M{LEFT} {y(threshold):.1f}H{LEFT + width}" stroke="#d03a4a" stroke-width="2" stroke-dasharray="2 3"/>',
        *(
            f'<text x="{xs[g]:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{g}</text>'
            for g in sorted({0, last // 2, last})
        ),
        f'<text x="{LEFT + width / 2:.0f}" y="{HEIGHT - 24}" text-anchor="middle">{escape(words.axis)}</text>',
        f'<text x="{WIDTH / 2:.0f}" y="{HEIGHT - 5}" text-anchor="middle" font-size="12">{legend}</text></g></svg>',
    ]
    return "".join(parts) + "\n"

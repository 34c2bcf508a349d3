"""The frontier over generations as a small SVG: the middle run and the span of nine in ten, with and without tranches."""

from __future__ import annotations

import math

import numpy as np

from lumbung.cli.simulated_runs import Paths

LEGEND = "median and 90 % of runs; dashed: without re-seeding; red: threshold"
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 360, 56, 40, 16


def _points(xs: list[float], ys: list[float]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))


def frontier_chart(paths: Paths, alone: Paths, threshold: int) -> str:
    """Sizes are drawn on a logarithmic scale of 1 + size, so that an empty frontier has a place."""
    last = max(1, int(np.flatnonzero(paths.sizes.max(axis=0) > 0)[-1]))
    top = math.log10(1 + max(threshold, float(np.quantile(paths.sizes, 0.99)), 10.0)) * 1.05
    width, height = WIDTH - LEFT - 16, HEIGHT - TOP - BOTTOM
    xs = [LEFT + width * g / last for g in range(last + 1)]

    def y(size: float) -> float:
        return TOP + height * (1 - min(1.0, math.log10(1 + size) / top))

    def line(found: Paths, share: float) -> list[float]:
        return [y(float(each)) for each in np.quantile(found.sizes[:, : last + 1], share, axis=0)]

    span = _points(xs + xs[::-1], line(paths, 0.95) + line(paths, 0.05)[::-1])
    ticks = [tick for tick in (0, 10, 100, 1000, 10_000, 100_000, 10**6, 10**7) if math.log10(1 + tick) <= top]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-size="12">',
        "<title>Frontier size by generation</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/><g font-family="sans-serif">',
        *(
            f'<path d="M{LEFT} {y(tick):.1f}H{LEFT + width}" stroke="#ddd"/>'
            f'<text x="{LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick}</text>'
            for tick in ticks
        ),
        f'<polygon points="{span}" fill="#1f5f8b" opacity=".18"/>',
        f'<polyline points="{_points(xs, line(alone, 0.5))}" fill="none" stroke="#8a4b08" stroke-dasharray="5 4"/>',
        f'<polyline points="{_points(xs, line(paths, 0.5))}" fill="none" stroke="#1f5f8b" stroke-width="2"/>',
        f'<path d="M{LEFT} {y(threshold):.1f}H{LEFT + width}" stroke="#b00020" stroke-dasharray="2 3"/>',
        *(
            f'<text x="{xs[g]:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{g}</text>'
            for g in sorted({0, last // 2, last})
        ),
        f'<text x="{LEFT + width / 2:.0f}" y="{HEIGHT - 6}" text-anchor="middle">generation</text>',
        f'<text x="{LEFT + width}" y="{TOP + 10}" text-anchor="end">{LEGEND}</text></g></svg>',
    ]
    return "".join(parts) + "\n"

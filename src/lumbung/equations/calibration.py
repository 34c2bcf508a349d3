"""Eq. (24): how far confidences can be believed, and how they are set right."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lumbung.errors import ContractError

_CLIP = 1e-6
FOLDS = 5
MINIMUM_LABELS = 100
MINIMUM_EACH = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar of the reliability diagram."""

    low: float
    high: float
    weight: float
    confidence: float
    accuracy: float


def _checked(confidences: Sequence[float], correct: Sequence[bool], weights: Sequence[float] | None) -> list[float]:
    if len(confidences) != len(correct) or (weights is not None and len(weights) != len(correct)):
        raise ContractError("Every confidence needs one outcome, and one weight if any are given.")
    if any(not 0 <= each <= 1 for each in confidences):
        raise ContractError("A confidence lies between 0 and 1.")
    return list(weights) if weights is not None else [1.0] * len(correct)


def reliability(
    confidences: Sequence[float], correct: Sequence[bool], bins: int = 10, weights: Sequence[float] | None = None
) -> list[Bin]:
    """The occupied bins of equal width, (0, .1], (.1, .2] ...; 0 itself belongs to the first.

    Equal confidences always share a bin, so ties cannot be split by the order of the input.
    """
    each_weight = _checked(confidences, correct, weights)
    sums = [[0.0, 0.0, 0.0] for _ in range(bins)]
    for confidence, right, weight in zip(confidences, correct, each_weight, strict=True):
        place = min(bins - 1, max(0, math.ceil(confidence * bins - 1e-12) - 1))
        sums[place][0] += weight
        sums[place][1] += weight * confidence
        sums[place][2] += weight * right
    return [
        Bin(place / bins, (place + 1) / bins, weight, conf / weight, acc / weight)
        for place, (weight, conf, acc) in enumerate(sums)
        if weight > 0
    ]


def expected_calibration_error(
    confidences: Sequence[float], correct: Sequence[bool], bins: int = 10, weights: Sequence[float] | None = None
) -> float:
    """Eq. (24): the mean gap between accuracy and confidence over the occupied bins; 0 for no labels at all."""
    diagram = reliability(confidences, correct, bins, weights)
    total = math.fsum(each.weight for each in diagram)
    return math.fsum(each.weight * abs(each.accuracy - each.confidence) for each in diagram) / total if total else 0.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """A monotone map of confidences; plain numbers, so that it can be stored as a row."""

    kind: Literal["identity", "isotonic", "platt"] = "identity"
    knots: tuple[tuple[float, float], ...] = ()
    slope: float = 1.0
    offset: float = 0.0

    def apply(self, confidence: float) -> float:
        if self.kind == "platt":
            return _logistic(self.slope * _log_odds(confidence) + self.offset)
        if self.kind == "isotonic" and self.knots:
            return _interpolated(self.knots, confidence)
        return confidence


@dataclass(frozen=True, slots=True)
class CalibrationChain:
    """The maps in force, each learned on what the ones before it gave."""

    maps: tuple[Calibration, ...] = ()

    @classmethod
    def from_rows(cls, rows: Sequence[Mapping[str, Any]]) -> CalibrationChain:
        return cls(
            tuple(
                Calibration(
                    row["kind"], tuple((x, y) for x, y in row["knots"]), float(row["slope"]), float(row["offset"])
                )
                for row in rows
            )
        )

    def as_rows(self) -> list[dict[str, Any]]:
        return [
            {
                "kind": each.kind,
                "knots": [list(knot) for knot in each.knots],
                "slope": each.slope,
                "offset": each.offset,
            }
            for each in self.maps
        ]

    def apply(self, confidence: float) -> float:
        for each in self.maps:
            confidence = each.apply(confidence)
        return confidence

    def reaching(self, target: float) -> float:
        """The least confidence that becomes at least the target; more than 1 when none does.

        The maps never fall, so a threshold on what they give is a threshold on what they are given.
        """
        if not self.maps or target <= 0.0:
            return target
        if self.apply(1.0) < target:
            return math.nextafter(1.0, 2.0)
        low, high = 0.0, 1.0
        for _ in range(64):
            middle = (low + high) / 2
            low, high = (low, middle) if self.apply(middle) >= target else (middle, high)
        return high


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def _log_odds(p: float) -> float:
    clipped = min(1 - _CLIP, max(_CLIP, p))
    return math.log(clipped / (1 - clipped))


def _interpolated(knots: tuple[tuple[float, float], ...], x: float) -> float:
    after = bisect_right(knots, (x, math.inf))
    if after == 0:
        return knots[0][1]
    if after == len(knots):
        return knots[-1][1]
    (x0, y0), (x1, y1) = knots[after - 1], knots[after]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def isotonic(confidences: Sequence[float], correct: Sequence[bool]) -> Calibration:
    """Pool adjacent violators; ties are pooled first, so they get one value.

    Each block is drawn in by half an observation, because 5 of 5 right does not make the sixth certain.
    """
    _checked(confidences, correct, None)
    grouped: dict[float, list[float]] = {}
    for confidence, right in zip(confidences, correct, strict=True):
        cell = grouped.setdefault(confidence, [0.0, 0.0])
        cell[0] += 1
        cell[1] += right
    blocks: list[list[float]] = []
    for confidence in sorted(grouped):
        count, rights = grouped[confidence]
        blocks.append([count, rights, confidence * count])
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][0] >= blocks[-1][1] * blocks[-2][0]:
            count, rights, moment = blocks.pop()
            blocks[-1] = [blocks[-1][0] + count, blocks[-1][1] + rights, blocks[-1][2] + moment]
    knots = tuple((moment / count, (rights + 0.5) / (count + 1)) for count, rights, moment in blocks)
    rising, best = [], 0.0
    for x, y in knots:
        best = max(best, y)
        rising.append((x, best))
    return Calibration("isotonic", tuple(rising))


def platt(confidences: Sequence[float], correct: Sequence[bool]) -> Calibration:
    """A logistic curve on the log-odds, by Newton's method on Platt's smoothed targets, slope kept above 0."""
    _checked(confidences, correct, None)
    rights = sum(correct)
    wrongs = len(correct) - rights
    high, low = (rights + 1) / (rights + 2), 1 / (wrongs + 2)
    points = [(_log_odds(x), high if y else low) for x, y in zip(confidences, correct, strict=True)]
    slope, offset = 1.0, 0.0
    for _ in range(100):
        g0 = g1 = h00 = h01 = 0.0
        h11 = 1e-9
        for x, target in points:
            p = _logistic(slope * x + offset)
            w = max(p * (1 - p), 1e-12)
            g0 += p - target
            g1 += (p - target) * x
            h00, h01, h11 = h00 + w, h01 + w * x, h11 + w * x * x
        g1 += 1e-3 * (slope - 1)
        h11 += 1e-3
        determinant = h00 * h11 - h01 * h01
        if determinant <= 0:
            break
        step0 = (h11 * g0 - h01 * g1) / determinant
        step1 = (h00 * g1 - h01 * g0) / determinant
        offset, slope = offset - max(-5.0, min(5.0, step0)), max(0.0, slope - max(-2.0, min(2.0, step1)))
        if abs(step0) + abs(step1) < 1e-10:
            break
    return Calibration("platt", (), slope, offset)


def log_loss(confidences: Sequence[float], correct: Sequence[bool]) -> float:
    losses = []
    for confidence, right in zip(confidences, correct, strict=True):
        clipped = min(1 - _CLIP, max(_CLIP, confidence))
        losses.append(-math.log(clipped if right else 1 - clipped))
    return math.fsum(losses) / len(losses) if losses else 0.0


def best_calibration(confidences: Sequence[float], correct: Sequence[bool]) -> Calibration:
    """Isotonic, Platt or nothing, whichever has the least log loss on labels it has not seen.

    Folds are dealt out by rank of confidence, so each sees the whole range; too few labels leave things as they are.
    """
    _checked(confidences, correct, None)
    rights = sum(correct)
    if len(correct) < MINIMUM_LABELS or min(rights, len(correct) - rights) < MINIMUM_EACH:
        return Calibration()
    ranked = sorted(range(len(correct)), key=lambda i: (confidences[i], i))
    losses = {"identity": 0.0, "isotonic": 0.0, "platt": 0.0}
    for fold in range(FOLDS):
        held = [i for rank, i in enumerate(ranked) if rank % FOLDS == fold]
        rest = [i for rank, i in enumerate(ranked) if rank % FOLDS != fold]
        xs, ys = [confidences[i] for i in rest], [correct[i] for i in rest]
        for made in (Calibration(), isotonic(xs, ys), platt(xs, ys)):
            losses[made.kind] += log_loss([made.apply(confidences[i]) for i in held], [correct[i] for i in held])
    winner = min(losses, key=lambda kind: (losses[kind], kind != "identity"))
    if winner == "isotonic":
        return isotonic(confidences, correct)
    return platt(confidences, correct) if winner == "platt" else Calibration()

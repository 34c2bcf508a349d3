"""What the labels of a category say, as numbers alone: the evidence for lowering it, valid whenever one looks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lumbung.equations.audit import Estimate, Sampled, deciding_size, weighted_error
from lumbung.equations.calibration import expected_calibration_error
from lumbung.equations.intervals import Interval
from lumbung.equations.sequences import ConfidenceSequence, DropDetector
from lumbung.governance.constants import DEFAULTS, number

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Limits:
    p_min: float
    ece_limit: float
    confidence: float
    label_silence_seconds: float
    false_alarm_rate: float
    """Of each label, while the precision is what it should be."""
    good_share: float = DEFAULTS["audit.good_share"]
    """A category with this share of the error that is allowed is as it should be: it must not fall by chance."""
    deciding_risk: float = DEFAULTS["audit.deciding_risk"]
    sequence_alpha: float = DEFAULTS["audit.sequence_alpha"]
    labels_for_ece: float = DEFAULTS["audit.labels_for_ece"]

    @classmethod
    def from_rows(cls, rows: Mapping[str, Any]) -> Limits:
        return cls(
            float(rows["audit.p_min"]),
            float(rows["audit.ece_limit"]),
            float(rows["audit.confidence"]),
            float(rows["audit.label_silence_seconds"]),
            number(rows, "audit.false_alarm_rate"),
            number(rows, "audit.good_share"),
            number(rows, "audit.deciding_risk"),
            number(rows, "audit.sequence_alpha"),
            number(rows, "audit.labels_for_ece"),
        )

    @property
    def limit(self) -> float:
        return 1 - self.p_min

    @property
    def detectors(self) -> tuple[DropDetector, ...]:
        """Tuned to an error at its limit and to twice that; they share the rate of false alarms."""
        good, rate = self.good_share * self.limit, self.false_alarm_rate / 2
        return tuple(DropDetector(good, expected, rate) for expected in (self.limit, min(1.0, 2 * self.limit)))

    @property
    def deciding_labels(self) -> int:
        """After so many a good category's lower bound lies above p_min."""
        return deciding_size(self.good_share * self.limit, self.limit, self.confidence, self.deciding_risk)


@dataclass(frozen=True, slots=True)
class Quality:
    error: Estimate
    bounds: Interval
    """The confidence sequence of the error: true at all times together."""
    detectors: tuple[DropDetector, ...]
    deciding: Estimate | None
    """The error of the labels that decide on the mode; none while they are too few to tell."""
    ece: float
    labelled: int
    sensitive_wrong: int
    unread: int


def wrong(row: Row) -> bool | None:
    """What is unclear or open is no label."""
    return {"correct": False, "incorrect": True}.get(row["verdict"] or "")


def sampled(rows: Sequence[Row]) -> list[Sampled]:
    return [Sampled(row["inclusion"], wrong(row), row["stratum"]) for row in rows]


def weights_of(rows: Sequence[Row]) -> list[float]:
    """Importance weights with mean one over the sample; the population is estimated from the same probabilities."""
    population = math.fsum(1 / row["inclusion"] for row in rows)
    share = len(rows) / population if population else 1.0
    return [share / row["inclusion"] for row in rows]


def quality_of(rows: Sequence[Row], limits: Limits, answered: int = 0) -> Quality:
    """From the samples of a category in the order in which they were labelled.

    Sensitive errors that were labelled before the line `answered` of the log have had their answer.
    """
    detectors = limits.detectors
    weights = weights_of(rows)
    largest = max([1.0, *weights])
    sequence = ConfidenceSequence(limits.sequence_alpha, largest)
    confidences, right, kept = [], [], []
    for row, weight in zip(rows, weights, strict=True):
        is_wrong = wrong(row)
        if is_wrong is None:
            continue
        detectors = tuple(each.after(is_wrong, weight) for each in detectors)
        sequence.update(weight * is_wrong)
        if row["confidence"] is not None:
            confidences.append(row["confidence"])
            right.append(not is_wrong)
            kept.append(weight)
    error = weighted_error(sampled(rows), limits.confidence)
    return Quality(
        error=error,
        bounds=sequence.interval,
        detectors=detectors,
        deciding=deciding(rows, error, detectors, limits),
        ece=expected_calibration_error(confidences, right, weights=kept) if confidences else 0.0,
        labelled=error.labelled,
        sensitive_wrong=sum(is_sensitive_error(row) and not (answered and row["line"] <= answered) for row in rows),
        unread=sum(row["verdict"] is None for row in rows),
    )


def deciding(
    rows: Sequence[Row], error: Estimate, detectors: Sequence[DropDetector], limits: Limits
) -> Estimate | None:
    """The labels since a drop began, where one is seen; otherwise all, once they can tell good from bad."""
    since = max((each.labels for each in detectors if each.alarm), default=0)
    if since:
        return weighted_error(latest(rows, since), limits.confidence)
    return error if error.labelled >= limits.deciding_labels * error.design_effect else None


def latest(rows: Sequence[Row], labels: int) -> list[Sampled]:
    """All samples, of which only so many of the latest count as read; the others speak for the size of their strata."""
    found: list[Sampled] = []
    for each in reversed(sampled(rows)):
        if each.wrong is not None and labels <= 0:
            found.append(replace(each, wrong=None))
            continue
        labels -= each.wrong is not None
        found.append(each)
    return found[::-1]


def is_sensitive_error(row: Row) -> bool:
    """A sensitive item found wrong, or an item found to be sensitive that nobody had marked."""
    return wrong(row) is True and (row["sensitive"] or row["error_kind"] == "sensitive")


def causes(quality: Quality, limits: Limits) -> list[str]:
    """Why the category may not stay where it is; empty when nothing speaks against it."""
    found = []
    if quality.deciding and quality.deciding.interval.high > limits.limit:
        low = 1 - quality.deciding.interval.high
        found.append(f"the lower bound of the audited precision, {low:.3f}, is under {limits.p_min:g}")
    elif quality.labelled and quality.bounds.low > limits.limit:
        found.append(f"the audited precision lies below {limits.p_min:g}, whatever the chance of the sample")
    if quality.labelled >= limits.labels_for_ece and quality.ece > limits.ece_limit:
        found.append(f"the calibration error {quality.ece:.3f} is above {limits.ece_limit:g}")
    if quality.sensitive_wrong:
        found.append("a sensitive item was found wrong")
    return found

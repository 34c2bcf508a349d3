"""What the labels of a category say, as numbers alone: the evidence for lowering it, valid whenever one looks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lumbung.equations.audit import Estimate, Sampled, weighted_error
from lumbung.equations.calibration import expected_calibration_error
from lumbung.equations.intervals import Interval
from lumbung.equations.sequences import ConfidenceSequence, DropDetector
from lumbung.governance.audit.sampling import DEFAULTS

Row = Mapping[str, Any]
SEQUENCE_ALPHA = 0.01
LABELS_FOR_ECE = 200


@dataclass(frozen=True, slots=True)
class Limits:
    p_min: float
    ece_limit: float
    confidence: float
    label_silence_seconds: float
    false_alarm_rate: float
    """Of each label, while the precision is what it should be."""

    @classmethod
    def from_rows(cls, rows: Mapping[str, Any]) -> Limits:
        return cls(
            float(rows["audit.p_min"]),
            float(rows["audit.ece_limit"]),
            float(rows["audit.confidence"]),
            float(rows["audit.label_silence_seconds"]),
            float(rows.get("audit.false_alarm_rate", DEFAULTS["audit.false_alarm_rate"])),
        )

    @property
    def detector(self) -> DropDetector:
        """Tuned to a doubling of the error that is allowed."""
        limit = 1 - self.p_min
        return DropDetector(limit, min(1.0, 2 * limit), self.false_alarm_rate)


@dataclass(frozen=True, slots=True)
class Quality:
    error: Estimate
    bounds: Interval
    """The confidence sequence of the error: true at all times together."""
    detector: DropDetector
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


def quality_of(rows: Sequence[Row], limits: Limits) -> Quality:
    """From the samples of a category in the order in which they were labelled."""
    detector = limits.detector
    weights = weights_of(rows)
    largest = max([1.0, *weights])
    sequence = ConfidenceSequence(SEQUENCE_ALPHA, largest)
    confidences, right, kept = [], [], []
    for row, weight in zip(rows, weights, strict=True):
        is_wrong = wrong(row)
        if is_wrong is None:
            continue
        detector = detector.after(is_wrong, weight)
        sequence.update(weight * is_wrong)
        if row["confidence"] is not None:
            confidences.append(row["confidence"])
            right.append(not is_wrong)
            kept.append(weight)
    labelled = sum(wrong(row) is not None for row in rows)
    return Quality(
        error=weighted_error(sampled(rows), limits.confidence),
        bounds=sequence.interval,
        detector=detector,
        ece=expected_calibration_error(confidences, right, weights=kept) if confidences else 0.0,
        labelled=labelled,
        sensitive_wrong=sum(is_sensitive_error(row) for row in rows),
        unread=sum(row["verdict"] is None for row in rows),
    )


def is_sensitive_error(row: Row) -> bool:
    """A sensitive item found wrong, or an item found to be sensitive that nobody had marked."""
    return wrong(row) is True and (row["sensitive"] or row["error_kind"] == "sensitive")


def causes(quality: Quality, limits: Limits) -> list[str]:
    """Why the category may not stay where it is; empty when nothing speaks against it."""
    found = []
    limit = 1 - limits.p_min
    if quality.detector.alarm:
        found.append(f"the labels show a drop of the audited precision below {limits.p_min:g}")
    elif quality.labelled and quality.bounds.low > limit:
        found.append(f"the audited precision lies below {limits.p_min:g}, whatever the chance of the sample")
    if quality.labelled >= LABELS_FOR_ECE and quality.ece > limits.ece_limit:
        found.append(f"the calibration error {quality.ece:.3f} is above {limits.ece_limit:g}")
    if quality.sensitive_wrong:
        found.append("a sensitive item was found wrong")
    return found

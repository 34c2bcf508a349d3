"""What the labels teach about confidences, as a proposal: people decide, labels change nothing by themselves."""

from __future__ import annotations

from dataclasses import dataclass

from lumbung.equations.calibration import Calibration, best_calibration, expected_calibration_error
from lumbung.governance.audit.quality import wrong
from lumbung.governance.constants import number
from lumbung.store import audits, governed
from lumbung.store.database import Transaction


@dataclass(frozen=True, slots=True)
class CalibrationProposal:
    calibration: Calibration
    labels: int
    ece_now: float
    ece_then: float


async def calibration_proposal(tx: Transaction, above: float = -1.0) -> CalibrationProposal | None:
    """The map that wins out of sample; None while labels are too few, or where nothing beats leaving things alone.

    Nor is one sought while the calibration error is not above the given one.

    Only samples drawn since the last map came into force: older ones show confidences that it has changed.
    """
    since = await audits.calibrated_at(tx)
    rows = [
        row
        for row in await audits.samples(tx)
        if wrong(row) is not None and row["confidence"] is not None and (since is None or row["sampled_at"] > since)
    ]
    if len(rows) < number(await governed.values_now(tx), "audit.labels_for_calibration"):
        return None
    confidences = [row["confidence"] for row in rows]
    right = [not wrong(row) for row in rows]
    ece_now = expected_calibration_error(confidences, right)
    if ece_now <= above:
        return None
    best = best_calibration(confidences, right)
    if best.kind == "identity":
        return None
    mapped = [best.apply(each) for each in confidences]
    return CalibrationProposal(best, len(rows), ece_now, expected_calibration_error(mapped, right))

"""What the labels teach, as proposals: people decide whether a constant changes, labels never do so by themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lumbung.equations.calibration import Calibration, best_calibration, expected_calibration_error
from lumbung.governance.audit.quality import wrong
from lumbung.store import audits, governed
from lumbung.store.database import Transaction

LABELS_FOR_CALIBRATION = 200
LABELS_A_RATIO_IS_WORTH = 20.0
"""The present ratio stands for so many labels: few labels move it little."""
LARGEST_RATIO = 1000.0
TypeOf = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class CalibrationProposal:
    calibration: Calibration
    labels: int
    ece_now: float
    ece_then: float


@dataclass(frozen=True, slots=True)
class RatioProposal:
    name: str
    """The governed row, for `set_constant`; raising it takes four eyes."""
    present: float
    suggested: float
    labels: int


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
    if len(rows) < LABELS_FOR_CALIBRATION:
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


def ratio_proposals(
    labelled: Sequence[tuple[Sequence[str], bool]], values: Mapping[str, Any], type_of: TypeOf
) -> list[RatioProposal]:
    """Likelihood ratios by source type, from facts that rest on sources of one type alone.

    A fact with sources of several types does not tell which of them erred, and is left out.
    """
    counted: dict[str, list[bool]] = defaultdict(list)
    for urls, right in labelled:
        types = {type_of(url) for url in urls}
        if len(types) == 1:
            counted[types.pop()].append(right)
    found = []
    for kind, outcomes in sorted(counted.items()):
        present = float(values.get(f"fusion.ratio.{kind}", 0.0))
        if present <= 1.0:
            continue
        believed = present / (1 + present)
        rights = sum(outcomes) + LABELS_A_RATIO_IS_WORTH * believed
        errors = len(outcomes) - sum(outcomes) + LABELS_A_RATIO_IS_WORTH * (1 - believed)
        suggested = max(1.0, min(LARGEST_RATIO, rights / errors))
        found.append(RatioProposal(f"fusion.ratio.{kind}", present, round(suggested, 3), len(outcomes)))
    return found


async def credibility_proposals(tx: Transaction, type_of: TypeOf) -> list[RatioProposal]:
    labelled = []
    for row in await audits.samples(tx):
        if wrong(row) is None or not row["attribute"]:
            continue
        sample = await audits.get(tx, row["id"])
        urls = [source["url"] for source in (sample or {"shown": {}})["shown"].get("sources", [])]
        labelled.append((urls, not wrong(row)))
    return ratio_proposals(labelled, await governed.values_now(tx), type_of)

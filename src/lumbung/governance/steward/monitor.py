"""Trust that falls lowers the mode by itself: precision, calibration, silence, sensitive errors, the human corpus."""

from __future__ import annotations

from lumbung.governance.reports.quality import category_quality, causes_to_lower, told
from lumbung.store import audits, governed
from lumbung.store.database import Transaction
from lumbung.telemetry import log


async def watch(tx: Transaction) -> list[str]:
    """The categories that were lowered; always to shadow, because a cause that stands would act again one step down."""
    rows = await governed.values_now(tx)
    raised = [
        name.removeprefix("mode.") for name, mode in rows.items() if name.startswith("mode.") and mode != "shadow"
    ]
    lowered = []
    for category in sorted(raised):
        found = await causes_to_lower(tx, category)
        if found and await lower(tx, category, found):
            lowered.append(category)
    return lowered


async def lower(tx: Transaction, category: str, found: list[str]) -> bool:
    quality = await category_quality(tx, category)
    evidence = {
        "causes": found,
        "audit": told(quality.error),
        "ece": round(quality.ece, 6),
        "deciding": told(quality.deciding) if quality.deciding else None,
        "log_evidence": [round(each.log_evidence, 6) for each in quality.detectors],
    }
    line = await governed.demote(tx, category, "shadow", "; ".join(found), evidence)
    if line is None:
        return False
    await audits.add_notice(tx, "demotion", category, evidence, f"demotion:{line}")
    log.warning("mode.lowered", category=category, causes=found)
    return True

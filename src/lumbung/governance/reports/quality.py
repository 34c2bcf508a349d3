"""Precision, calibration and agreement by category, as they stand now."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from lumbung.equations.audit import Estimate, krippendorff_alpha, sample_size, weighted_error, wilson
from lumbung.equations.calibration import reliability
from lumbung.governance.audit.quality import Limits, Quality, causes, quality_of, sampled, wrong
from lumbung.governance.scope_rows import RATIFICATION
from lumbung.store import audits, features, governed
from lumbung.store.database import Row, Transaction

CORPUS_CHANGED = "human-corpus-changed"
"""The key of the notice that the steward's look at the human corpus leaves open until somebody explains it."""


def phase_of(values: Mapping[str, Any], category: str) -> str:
    return "shadow" if values.get(f"mode.{category}", "shadow") == "shadow" else "publish"


async def category_quality(tx: Transaction, category: str, values: Mapping[str, Any] | None = None) -> Quality:
    """Since the category's mode last changed, because what was before was decided under other eyes.

    In shadow a guardian answers for sensitive errors by ratifying anew; a raised category falls by them first.
    """
    values = values or await governed.values_now(tx)
    line, phase = await audits.line_of(tx, f"mode.{category}"), phase_of(values, category)
    rows = await audits.samples(tx, stage=phase, category=category, after=line)
    answered = await audits.line_of(tx, RATIFICATION) if phase == "shadow" else 0
    return quality_of(rows, Limits.from_rows(values), answered)


async def causes_to_lower(tx: Transaction, category: str) -> list[str]:
    """Everything that would lower the category now."""
    values = await governed.values_now(tx)
    limits = Limits.from_rows(values)
    quality = await category_quality(tx, category, values)
    found = causes(quality, limits)
    if values.get(f"mode.{category}") != "shadow" and await labels_stopped(tx, category, quality, limits):
        found.append("labels have stopped coming")
    if await audits.notice_is_open(tx, CORPUS_CHANGED):
        found.append("the human corpus changed and no action explains it")
    return found


async def labels_stopped(tx: Transaction, category: str, quality: Quality, limits: Limits) -> bool:
    """Samples wait, and nobody has read any for longer than is allowed."""
    return quality.unread > 0 and await audits.silence_seconds(tx, category) > limits.label_silence_seconds


async def label_authors(tx: Transaction, category: str) -> set[int]:
    return await audits.label_authors(tx, category, await audits.line_of(tx, f"mode.{category}"))


def told(estimate: Estimate) -> dict[str, Any]:
    """An estimate of the error as precision, for pages and sign-offs."""
    interval = estimate.interval
    known = not math.isnan(interval.value)
    return {
        "labels": estimate.labelled,
        "precision": round(1 - interval.value, 6) if known else None,
        "low": round(1 - interval.high, 6),
        "high": round(1 - interval.low, 6),
        "effective_labels": round(estimate.effective_n, 2),
        "design_effect": round(estimate.design_effect, 4),
    }


async def figures_for(tx: Transaction, category: str, risk: str) -> dict[str, Any]:
    """The figures that a sign-off rests on; kept with it."""
    values = await governed.values_now(tx)
    quality = await category_quality(tx, category, values)
    common = {"p_min": values["audit.p_min"], "audit": told(quality.error)}
    if risk == "culture":
        return common | {"sensitive_wrong": quality.sensitive_wrong, "unread": quality.unread}
    if risk == "corpus":
        digests = await audits.digests(tx, 1)
        return common | {
            "ece": round(quality.ece, 6),
            "agreement": await agreement(tx),
            "human_corpus_unexplained": await audits.notice_is_open(tx, CORPUS_CHANGED),
            "human_corpus": digests[0]["digest"] if digests else None,
        }
    kinds = [row["error_kind"] for row in await audits.samples(tx, category=category) if row["error_kind"]]
    return common | {"licence_errors": kinds.count("licence"), "copies": kinds.count("copy")}


async def agreement(tx: Transaction) -> float | None:
    """Krippendorff's alpha over what was read twice; None before anything was."""
    by_sample: dict[str, list[str | None]] = defaultdict(list)
    for row in await audits.readings(tx):
        by_sample[str(row["sample"])].append(row["verdict"])
    alpha = krippendorff_alpha(by_sample)
    return None if math.isnan(alpha) else round(alpha, 6)


async def estimates(tx: Transaction, stage: str | None = None) -> dict[str, dict[str, Any]]:
    """Precision by category and overall (`*`), with inverse-probability weights and effective-n Wilson intervals."""
    level = float((await governed.values_now(tx))["audit.confidence"])
    rows = await audits.samples(tx, stage=stage)
    by_category: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_category[row["category"]].append(row)
    found = {name: told(weighted_error(sampled(part), level)) for name, part in sorted(by_category.items())}
    return found | {"*": told(weighted_error(sampled(rows), level))}


async def reliability_diagram(tx: Transaction, category: str | None = None) -> list[dict[str, float]]:
    """The bars of Eq. (24): confidence against what the labels say."""
    rows = [
        row
        for row in await audits.samples(tx, category=category)
        if wrong(row) is not None and row["confidence"] is not None
    ]
    weights = [1 / row["inclusion"] for row in rows]
    bars = reliability([row["confidence"] for row in rows], [not wrong(row) for row in rows], weights=weights)
    return [{name: float(getattr(bar, name)) for name in bar.__slots__} for bar in bars]


async def recall_by_stage(tx: Transaction) -> dict[str, dict[str, Any]]:
    """Of what a stage should have let through, how much it did: from sampled refusals and skips that were read."""
    passed = await audits.stage_passed(tx)
    rows = await audits.samples(tx, kinds=("rejection", "skip"))
    by_stage: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_stage[row["stage"]].append(row)
    found: dict[str, dict[str, Any]] = {}
    for stage, part in sorted(by_stage.items()):
        estimate = weighted_error(sampled(part))
        refused = math.fsum(1 / row["inclusion"] for row in part)
        let_through = passed.get(stage, 0.0)
        bounds = [recall(let_through, refused, rate) for rate in _rates(estimate)]
        found[stage] = {
            "labels": estimate.labelled,
            "recall": bounds[0],
            "low": bounds[1],
            "high": bounds[2],
            "reasons": wrongly_refused(part),
        }
    return found


async def blocking_loss(tx: Transaction) -> dict[str, Any]:
    """Of the sampled candidates, the share for which related blocks hid what name and facts call the same; Wilson's interval."""
    checked, missed = await features.checks(tx)
    interval = wilson(missed, checked, float((await governed.values_now(tx))["audit.confidence"]))
    share = None if math.isnan(interval.value) else round(interval.value, 6)
    return {"checked": checked, "missed": missed, "share": share, "low": interval.low, "high": interval.high}


def wrongly_refused(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """By the reason of the refusal: how often it was wrong, so that the filter at fault can be found."""
    by_reason: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_reason[row["stratum"].partition("|")[2]].append(row)
    found = {}
    for reason, part in sorted(by_reason.items()):
        estimate = weighted_error(sampled(part))
        share, high, low = (None if math.isnan(rate) else round(rate, 6) for rate in _rates(estimate))
        refused = round(math.fsum(1 / row["inclusion"] for row in part), 2)
        found[reason] = {"labels": estimate.labelled, "refused": refused, "wrongly": share, "low": low, "high": high}
    return found


def _rates(estimate: Estimate) -> Sequence[float]:
    interval = estimate.interval
    return (interval.value, interval.high, interval.low)


def recall(passed: float, refused: float, wrongly: float) -> float | None:
    if math.isnan(wrongly) or passed + refused * wrongly <= 0:
        return None
    return round(passed / (passed + refused * wrongly), 6)


async def plan_labels(tx: Transaction, margin: float) -> dict[str, Any]:
    """How many labels a margin takes, by Eq. (23) with the design effect measured so far."""
    values: Mapping[str, Any] = await governed.values_now(tx)
    overall = (await estimates(tx))["*"]
    effect = max(1.0, overall["design_effect"])
    error = max(1 - float(values["audit.p_min"]), 1 - (overall["precision"] or 0.0) if overall["labels"] else 0.0)
    needed = sample_size(min(0.5, error), margin, float(values["audit.confidence"]), effect)
    return {"margin": margin, "design_effect": effect, "labels": needed, "have": overall["labels"]}

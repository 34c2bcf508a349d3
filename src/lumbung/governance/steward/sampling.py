"""Every publication, refusal and skip gets its chance to be read by a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lumbung.equations.calibration import CalibrationChain
from lumbung.governance.audit.sampling import (
    PHASES,
    gold_copy,
    sample_of_refusal,
    sample_of_skip,
    samples_of_entry,
)
from lumbung.governance.constants import number
from lumbung.store import audits, entries, governed
from lumbung.store.database import Transaction

BATCH = 200


async def draw(tx: Transaction, batch: int = BATCH) -> int:
    """How many decisions had their chance; 0 when none waits."""
    rules = await governed.values_now(tx)
    salt = await audits.salt(tx)
    await _gold(tx, rules)
    return (
        await _publications(tx, rules, salt, batch)
        + await _refusals(tx, rules, salt, batch)
        + await _skips(tx, rules, salt, batch)
    )


async def _publications(tx: Transaction, rules: Mapping[str, Any], salt: str, batch: int) -> int:
    waiting = await audits.unconsidered(tx, batch)
    audited = {row["entry"]: row for row in waiting if row["status"] in PHASES}
    calibration = CalibrationChain.from_rows(rules.get("fusion.calibration") or ())
    if audited:
        found = [entry async for entry in entries.export(tx, None, sorted(audited))]
        for entry in found:
            if entry["owner"] != "machine" or entry["status"] not in PHASES:
                continue
            released = entry["status"] == "published" and rules.get(f"mode.{entry['category']}") == "trickle"
            probability = calibration.apply(float(audited[entry["identity"]]["probability"] or 0.0))
            for sample in samples_of_entry(entry, probability, rules, salt, released):
                await audits.add(tx, sample)
    await audits.consider(tx, [row["id"] for row in waiting])
    return len(waiting)


async def _gold(tx: Transaction, rules: Mapping[str, Any]) -> None:
    """Among what waits, so large a share has a known answer; nobody can tell which."""
    share = number(rules, "audit.gold_share")
    for row in await audits.settled(tx, await audits.gold_wanted(tx, share)):
        await audits.add(tx, gold_copy(row, row["verdict"]))


async def _refusals(tx: Transaction, rules: Mapping[str, Any], salt: str, batch: int) -> int:
    waiting = await audits.unconsidered_refusals(tx, batch)
    for row in waiting:
        sample = sample_of_refusal(row, rules, salt)
        if sample is not None:
            await audits.add(tx, sample)
    await audits.consider_refusals(tx, [row["id"] for row in waiting], float(rules["audit.rate_rejected"]))
    return len(waiting)


async def _skips(tx: Transaction, rules: Mapping[str, Any], salt: str, batch: int) -> int:
    waiting = await audits.unconsidered_skips(tx, batch)
    for row in waiting:
        sample = sample_of_skip(row, rules, salt)
        if sample is not None:
            await audits.add(tx, sample)
    await audits.consider_skips(tx, [row["id"] for row in waiting], float(rules["audit.rate_rejected"]))
    return len(waiting)

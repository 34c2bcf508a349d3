"""What needs a person becomes a notice: review or removals waiting, breakers, money, dead letters, calibration, an empty frontier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lumbung.governance.audit.learning import calibration_proposal
from lumbung.governance.constants import number
from lumbung.store import audits, breakers, governed, ledger, reviews, waiting
from lumbung.store.database import Transaction


async def remind(tx: Transaction) -> list[str]:
    """One open notice of a matter; it closes by itself when its cause is gone."""
    counts = await reviews.counts(tx)
    rules = await governed.values_now(tx)
    loop = await audits.loop_closure(tx)
    silence = float(rules["audit.label_silence_seconds"])
    wanted: dict[tuple[str, str], Mapping[str, Any] | None] = {
        ("review-waiting", ""): counts if await review_waits(tx, counts, rules) else None,
        ("takedown-due", ""): await takedowns_due(tx, number(rules, "notices.takedown_seconds")),
        ("budget-overrun", ""): await overruns(tx),
        ("request-waiting", ""): counts if counts["requests"] else None,
        ("labels-late", ""): counts if (loop["oldest_unread_seconds"] or 0.0) > silence / 2 else None,
        ("dead-letters", ""): counts if counts["dead_letters"] else None,
        ("frontier-low", ""): counts if counts["crawled"] and is_low(counts, rules) else None,
        ("calibration-off", ""): await off_calibration(tx, float(rules["audit.ece_limit"])),
    }
    wanted |= await open_breakers(tx)
    wanted |= await full_windows(tx, number(rules, "notices.near_the_cap"))
    for (kind, subject), detail in wanted.items():
        key = f"{kind}:{subject}" if subject else kind
        if detail is not None:
            await audits.add_notice(tx, kind, subject, detail, key)
        else:
            await audits.close_notice_key(tx, key, None)
    return [kind for (kind, _), detail in wanted.items() if detail is not None]


async def review_waits(tx: Transaction, counts: Mapping[str, Any], rules: Mapping[str, Any]) -> bool:
    """Many at once, or any for long, by default a day."""
    if not counts["review"]:
        return False
    if counts["review"] >= number(rules, "notices.many_waiting"):
        return True
    return await waiting.oldest_review_seconds(tx) >= number(rules, "notices.long_waiting_seconds")


async def takedowns_due(tx: Transaction, seconds: float) -> Mapping[str, Any] | None:
    """A removal is to be decided within fourteen days; by default somebody is told again four days before.

    By the notices of the requests, because who asked, and why, is not for the machine to read.
    """
    due = await waiting.old_notices(tx, "takedown", seconds)
    return {"takedowns": due} if due else None


async def overruns(tx: Transaction) -> Mapping[str, Any] | None:
    """Calls that cost more than was reserved for them, until somebody has acknowledged each."""
    found = await ledger.alarms(tx)
    if not found:
        return None
    return {"alarms": len(found), "stages": ", ".join(sorted({row["subject"] for row in found}))}


def is_low(counts: Mapping[str, Any], rules: Mapping[str, Any]) -> bool:
    return int(counts["frontier"]) < int(rules["frontier.phi_min"])


async def off_calibration(tx: Transaction, limit: float) -> Mapping[str, Any] | None:
    """Confidences are further off than they may be, and the labels suffice for a map that mends it."""
    proposal = await calibration_proposal(tx, above=limit)
    if proposal is None:
        return None
    return {"ece": round(proposal.ece_now, 3), "limit": limit, "labels": proposal.labels}


async def open_breakers(tx: Transaction) -> dict[tuple[str, str], Mapping[str, Any] | None]:
    return {
        ("breaker-open", f"{row['capability']} {row['provider']}"): (
            {"reason": row["reason"], "failures": row["failures"]} if row["state"] != "closed" else None
        )
        for row in await breakers.all_breakers(tx)
    }


async def full_windows(tx: Transaction, share: float) -> dict[tuple[str, str], Mapping[str, Any] | None]:
    found: dict[tuple[str, str], Mapping[str, Any] | None] = {}
    for row in await ledger.windows(tx):
        near = row["cap_micros"] > 0 and row["spent_micros"] >= share * row["cap_micros"]
        detail = {"spent_micros": row["spent_micros"], "cap_micros": row["cap_micros"]}
        found["budget-near-cap", f"{row['name']} {row['stage']}"] = detail if near else None
    return found

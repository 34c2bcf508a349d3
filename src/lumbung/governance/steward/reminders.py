"""What needs a person becomes a notice: review waiting, breakers, alarms, dead letters, a frontier about to run dry."""

from __future__ import annotations

from lumbung.store import audits, governed, reviews
from lumbung.store.database import Transaction

MANY_WAITING = 20


async def remind(tx: Transaction) -> list[str]:
    """One open notice of a kind; it closes by itself when its cause is gone."""
    counts = await reviews.counts(tx)
    rules = await governed.values_now(tx)
    loop = await audits.loop_closure(tx)
    silence = float(rules["audit.label_silence_seconds"])
    wanted = {
        "review-waiting": counts["review"] >= MANY_WAITING,
        "request-waiting": counts["requests"] > 0,
        "labels-late": (loop["oldest_unread_seconds"] or 0.0) > silence / 2,
        "dead-letters": counts["dead_letters"] > 0,
        "frontier-low": 0 < counts["frontier"] < int(rules["frontier.phi_min"]),
    }
    for kind, is_so in wanted.items():
        if is_so:
            await audits.add_notice(tx, kind, "", counts, kind)
        else:
            await audits.close_notice_key(tx, kind, None)
    return [kind for kind, is_so in wanted.items() if is_so]

"""A word was added to the sensitive list: what is held already and bears it is sensitive from now on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lumbung.model.job import NewJob
from lumbung.model.profile import Profile, SensitiveTerm
from lumbung.store import reviews
from lumbung.store.database import Transaction
from lumbung.text.sensitive import Sensitivity


def sensitivity_of(terms: Iterable[SensitiveTerm]) -> Sensitivity:
    """These words alone, without the rest of a profile."""
    return Sensitivity(Profile("", "", "", "", "", {}, {}, {}, (), (), tuple(terms), ""))


async def carry_out(tx: Transaction, payload: Mapping[str, Any]) -> Iterable[NewJob]:
    """Only ever marks: that an item is not sensitive is a person's word."""
    found = sensitivity_of(SensitiveTerm(**term) for term in payload["terms"])
    follow_on = []
    for row in await reviews.live_candidates(tx):
        reasons = found.reasons(row["name"], row["category"], row["quotes"])
        for reason in reasons:
            await reviews.mark_sensitive(tx, [row["digest"]], reason)
        if reasons:
            key = f"sensitive:{payload['epoch']}:{row['digest']}"
            follow_on.append(NewJob("decide", key, {"node": row["digest"]}))
    return follow_on

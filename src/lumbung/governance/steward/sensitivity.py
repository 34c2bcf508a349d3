"""The sensitive list changed: what is held already and bears a new word is sensitive from now on; what waits is no longer
for a word alone that two guardians took off the list."""

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
    """The list marks, and takes back its own marks alone: that an item is not sensitive is otherwise a person's word."""
    found = sensitivity_of(SensitiveTerm(**term) for term in payload["terms"])
    lost = [f"{term['term']}: {term['reason']}" for term in payload.get("lost", ())]
    touched = await reviews.unmark_waiting(tx, lost) if lost else set()
    for row in await reviews.live_candidates(tx) if payload["terms"] else ():
        for reason in found.reasons(row["name"], row["category"], row["quotes"]):
            await reviews.mark_sensitive(tx, [row["digest"]], reason)
            touched.add(row["digest"])
    epoch = payload["epoch"]
    return [NewJob("decide", f"sensitive:{epoch}:{digest}", {"node": digest}) for digest in sorted(touched)]

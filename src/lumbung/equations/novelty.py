"""Eq. (16): the novelty decision tree."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    SKIP = "skip"
    ENRICH = "enrich"
    SUPPLEMENT = "supplement"
    NET_NEW = "net-new"


def decide(matched_human: bool, matched_machine: bool, kappa: float, tau: float) -> Outcome:
    """Eq. (16), with kappa taken against the union of all that is held or in flight for the item.

    When a human and a machine entry both match, the machine entry takes what neither holds: an enrichment,
    so that the human record stays untouched and no second entry appears beside it.
    """
    if not (matched_human or matched_machine):
        return Outcome.NET_NEW
    if kappa >= tau:
        return Outcome.SKIP
    return Outcome.ENRICH if matched_machine else Outcome.SUPPLEMENT

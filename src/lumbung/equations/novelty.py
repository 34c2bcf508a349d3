"""Eq. (16): the novelty decision tree."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    SKIP = "skip"
    ENRICH = "enrich"
    SUPPLEMENT = "supplement"
    NET_NEW = "net-new"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The grey zone within one value: by the share of it that may be what is held, it is new below, and held above."""

    grey_from: float = 0.4
    held_from: float = 0.6

    def place(self, share: float) -> str:
        """new, grey or held."""
        if share < self.grey_from:
            return "new"
        return "held" if share >= self.held_from else "grey"


BOUNDS = Bounds()
"""For a profile that sets none."""


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


def decide_between(matched_human: bool, matched_machine: bool, least: float, most: float, tau: float) -> Outcome:
    """Eq. (16) where kappa is known only to lie between two values: what both of them give, else review."""
    low, high = (decide(matched_human, matched_machine, kappa, tau) for kappa in (least, most))
    return low if low is high else Outcome.REVIEW

"""Eqs. (15) and (16) for one candidate of an item: what it brings that nobody holds, and what the log calls that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lumbung.equations.containment import containment
from lumbung.equations.novelty import decide
from lumbung.model.item import HumanRecord, ItemContent, LiveCandidate, LiveClaim
from lumbung.model.profile import Attribute, ValueKind
from lumbung.text.coverage import Said, covered, said_within


@dataclass(frozen=True, slots=True)
class Novelty:
    kappa: float
    outcome: str
    """skip, enrich, supplement or net-new, by Eq. (16)."""
    verdict: str
    """The outcome; review where a person has to look, refused where people removed or rejected the item."""
    new: tuple[LiveClaim, ...]


def says_nothing_new(claim: LiveClaim, held: Sequence[Said], attributes: Mapping[str, Attribute]) -> bool:
    known = attributes.get(claim.attribute)
    said = Said(claim.value_key, claim.value)
    return covered(said, held, known.kind if known else ValueKind.TEXT, known.label if known else "")


def human_holds(human: HumanRecord, claim: LiveClaim, attributes: Mapping[str, Attribute]) -> bool:
    """As an index fact, or when every word and number of the value that says something stands, stemmed, in the text."""
    own = [Said(key) for attribute, key in human.facts if attribute == claim.attribute]
    return says_nothing_new(claim, own, attributes) or said_within(claim.value, human.words)


def kappa_of_people(
    candidate: LiveCandidate, humans: Sequence[HumanRecord], attributes: Mapping[str, Attribute]
) -> float:
    """Eq. (15) of a candidate against the human records alone."""
    held = sum(any(human_holds(human, claim, attributes) for human in humans) for claim in candidate.claims)
    return containment(held, len(candidate.claims))


def novelty_of(
    candidate: LiveCandidate,
    others: Sequence[LiveCandidate],
    humans: Sequence[HumanRecord],
    attributes: Mapping[str, Attribute],
    content: ItemContent,
    tau: float,
) -> Novelty:
    """Against the union of all that is held or in flight for the item."""
    held: dict[str, list[Said]] = defaultdict(list)
    for each in others:
        for claim in each.claims:
            held[claim.attribute].append(Said(claim.value_key, claim.value))
    new = tuple(
        claim
        for claim in candidate.claims
        if not says_nothing_new(claim, held[claim.attribute], attributes)
        and not any(human_holds(human, claim, attributes) for human in humans)
    )
    kappa = containment(len(candidate.claims) - len(new), len(candidate.claims))
    outcome = decide(bool(humans), bool(others), kappa, tau).value
    verdict = content.verdict if content.verdict in {"review", "refused"} else outcome
    return Novelty(kappa, outcome, verdict, new)

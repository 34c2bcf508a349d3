"""Eqs. (15) and (16) for one candidate of an item: what it brings that nobody holds, and what the log calls that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from lumbung.equations.containment import containment
from lumbung.equations.novelty import decide
from lumbung.model.item import HumanRecord, ItemContent, LiveCandidate, LiveClaim
from lumbung.model.profile import Profile, ValueKind
from lumbung.text.coverage import Said, covered, said_within
from lumbung.text.values import with_synonyms

PLACE_KINDS = ("kerajaan", "kesultanan", "kabupaten", "kota", "provinsi", "kecamatan", "desa", "kampung", "pulau")
"""What a place is says nothing beside its name: *Kerajaan Negara Dipa*."""


@dataclass(frozen=True, slots=True)
class Novelty:
    kappa: float
    outcome: str
    """skip, enrich, supplement or net-new, by Eq. (16)."""
    verdict: str
    """The outcome; review where a person has to look, refused where people removed or rejected the item."""
    new: tuple[LiveClaim, ...]


def told_anyway(candidate: LiveCandidate, attribute: str, profile: Profile) -> str:
    """What needs no telling in a value: the attribute's label, kinds of things, the item's own, its name and its regions."""
    known, category = profile.attributes.get(attribute), profile.categories.get(candidate.category)
    regions = [profile.regions[code] for code in candidate.regions if code in profile.regions]
    enclosing = [profile.regions[each.province] for each in regions if each.province in profile.regions]
    places = dict.fromkeys(each.name for each in (*regions, *enclosing))
    kinds = (*(category.generic_words if category else ()), *(each.label for each in profile.categories.values()))
    levels = PLACE_KINDS if known and known.kind is ValueKind.PLACE else ()
    return " ".join((known.label if known else "", *kinds, candidate.name, *places, *levels))


def says_nothing_new(candidate: LiveCandidate, claim: LiveClaim, held: Sequence[Said], profile: Profile) -> bool:
    known = profile.attributes.get(claim.attribute)
    said = Said(claim.value_key, claim.value)
    told = told_anyway(candidate, claim.attribute, profile)
    return covered(said, held, known.kind if known else ValueKind.TEXT, told)


def human_holds(human: HumanRecord, candidate: LiveCandidate, claim: LiveClaim, profile: Profile) -> bool:
    """As an index fact, or when every word and number of the value that says something stands, stemmed, in the text."""
    own = [Said(key) for attribute, key in human.facts if attribute == claim.attribute]
    if says_nothing_new(candidate, claim, own, profile):
        return True
    told = told_anyway(candidate, claim.attribute, profile)
    return said_within(with_synonyms(claim.value, profile.synonyms), human.words, told)


def held_by_people(
    claims: Sequence[tuple[LiveCandidate, LiveClaim]], humans: Sequence[HumanRecord], profile: Profile
) -> bool:
    """Whether a human record holds the value of these claims, as any of those who make them means it."""
    return any(human_holds(human, candidate, claim, profile) for human in humans for candidate, claim in claims)


def kappa_of_people(candidate: LiveCandidate, humans: Sequence[HumanRecord], profile: Profile) -> float:
    """Eq. (15) of a candidate against the human records alone."""
    held = sum(any(human_holds(human, candidate, claim, profile) for human in humans) for claim in candidate.claims)
    return containment(held, len(candidate.claims))


def novelty_of(
    candidate: LiveCandidate,
    others: Sequence[LiveCandidate],
    humans: Sequence[HumanRecord],
    profile: Profile,
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
        if not says_nothing_new(candidate, claim, held[claim.attribute], profile)
        and not any(human_holds(human, candidate, claim, profile) for human in humans)
    )
    kappa = containment(len(candidate.claims) - len(new), len(candidate.claims))
    outcome = decide(bool(humans), bool(others), kappa, tau).value
    verdict = content.verdict if content.verdict in {"review", "refused"} else outcome
    return Novelty(kappa, outcome, verdict, new)

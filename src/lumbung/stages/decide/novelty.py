"""Eqs. (15) and (16) for one candidate of an item: what it brings that nobody holds, and what the log calls that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from lumbung.equations.containment import containment
from lumbung.equations.novelty import BOUNDS, Bounds, Outcome, decide_between
from lumbung.model.item import HumanRecord, ItemContent, LiveCandidate, LiveClaim
from lumbung.model.profile import Profile, ValueKind
from lumbung.text.coverage import Said, covered, said_within
from lumbung.text.restating import accounted, accounted_within
from lumbung.text.values import with_synonyms

PLACE_KINDS = ("kerajaan", "kesultanan", "kabupaten", "kota", "provinsi", "kecamatan", "desa", "kampung", "pulau")
"""What a place is says nothing beside its name: *Kerajaan Negara Dipa*."""


@dataclass(frozen=True, slots=True)
class Grey:
    """A claim that may say what is held already, in other words."""

    claim: LiveClaim
    held: tuple[LiveClaim, ...]
    """Claims of others which it may repeat; none where it is a human text that may say it."""


@dataclass(frozen=True, slots=True)
class Novelty:
    kappa: float
    """At least this much is held."""
    outcome: str
    """skip, enrich, supplement or net-new, by Eq. (16); review where that hangs on claims that may say what is held."""
    verdict: str
    """The outcome; review where a person has to look, refused where people removed or rejected the item."""
    new: tuple[LiveClaim, ...]
    grey: tuple[Grey, ...]


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


def held_or_new(
    candidate: LiveCandidate,
    claim: LiveClaim,
    held: Sequence[LiveClaim],
    open_: Sequence[LiveClaim],
    humans: Sequence[HumanRecord],
    profile: Profile,
    bounds: Bounds,
) -> str:
    """held, grey or new. A human record is looked into for words: what it nearly says is never taken as said.

    Only what is `open_` of what is held, being judged by nobody yet, may say the same in other words.
    """
    if says_nothing_new(candidate, claim, [Said(each.value_key, each.value) for each in held], profile):
        return "held"
    if any(human_holds(human, candidate, claim, profile) for human in humans):
        return "held"
    known, told = profile.attributes.get(claim.attribute), told_anyway(candidate, claim.attribute, profile)
    kind, said = known.kind if known else ValueKind.TEXT, Said(claim.value_key, claim.value)
    values = [Said(each.value_key, each.value) for each in open_]
    found = bounds.place(accounted(said, values, kind, told, profile.synonyms))
    within = (accounted_within(said, human.words, kind, told, profile.synonyms) for human in humans)
    return "grey" if found == "new" and any(bounds.place(share) != "new" for share in within) else found


def novelty_of(
    candidate: LiveCandidate,
    others: Sequence[LiveCandidate],
    humans: Sequence[HumanRecord],
    profile: Profile,
    content: ItemContent,
    tau: float,
    bounds: Bounds = BOUNDS,
    said: Mapping[LiveClaim, str] = MappingProxyType({}),
) -> Novelty:
    """Against the union of all that is held or in flight for the item.

    `said` is what people found of claims of the item, or an agent of the candidate's own in the grey zone: held or new.
    """
    by_attribute: dict[str, dict[str, LiveClaim]] = defaultdict(dict)
    for each in others:
        for claim in each.claims:
            by_attribute[claim.attribute].setdefault(claim.value_key, claim)
    new, grey = list[LiveClaim](), list[Grey]()
    for claim in candidate.claims:
        held = tuple(by_attribute[claim.attribute].values())
        open_ = tuple(each for each in held if each not in said)
        found = held_or_new(candidate, claim, held, open_, humans, profile, bounds)
        found = said.get(claim, found) if found == "grey" else found
        if found == "new":
            new.append(claim)
        elif found == "grey":
            grey.append(Grey(claim, open_))
    total = len(candidate.claims)
    least, most = containment(total - len(new) - len(grey), total), containment(total - len(new), total)
    outcome = decide_between(bool(humans), bool(others), least, most, tau)
    verdict = content.verdict if content.verdict in {"review", "refused"} else outcome.value
    return Novelty(least, outcome.value, verdict, tuple(new), tuple(grey) if outcome is Outcome.REVIEW else ())

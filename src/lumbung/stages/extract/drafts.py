"""Candidates on their way into the store: digests that depend on content alone, keys for names and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256

from pydantic_core import to_json

from lumbung.model.candidate import Candidate, ExtractedFact
from lumbung.model.profile import Profile
from lumbung.store.candidates import NewCandidate, NewClaim
from lumbung.text.markup.invisible import ILLEGIBLE
from lumbung.text.names import name_key
from lumbung.text.sensitive import Sensitivity
from lumbung.text.values import fact_key

NAME_LIMIT = 300
VALUE_LIMIT = 5000


def draft(
    candidate: Candidate,
    segment: int,
    document: int,
    source: tuple[str, str],
    cleaner: str,
    extractor: str,
    profile: Profile,
    sensitivity: Sensitivity,
) -> NewCandidate | None:
    """None when nothing of it can be kept; `source` is the page's URL and payload digest."""
    name = candidate.name.strip()[:NAME_LIMIT]
    key = name_key(name) if name else ""
    if not key or ILLEGIBLE in name:
        return None
    claims = [claim_of(fact, profile) for fact in candidate.facts if is_legible(fact)]
    aliases = [alias for alias in candidate.aliases if alias.strip() and ILLEGIBLE not in alias]
    quotes = " ".join(claim.quote for claim in claims)
    return NewCandidate(
        digest=digest_of(candidate, segment, source, extractor),
        document=document,
        cleaner=cleaner,
        segment=segment,
        extractor=extractor,
        name=name,
        name_key=key,
        aliases=aliases,
        alias_keys=sorted({name_key(alias) for alias in aliases} - {""}),
        category=candidate.category,
        regions=list(candidate.regions),
        media=[asdict(media) for media in candidate.media],
        state="parked" if candidate.parked or candidate.category is None else "live",
        state_reason=candidate.parked or ("category-open" if candidate.category is None else None),
        sensitive=list(sensitivity.reasons(name, candidate.category, quotes)),
        claims=tuple(unique(claims)),
    )


def is_legible(fact: ExtractedFact) -> bool:
    """Every letter of the value was read with certainty."""
    return bool(fact.value.strip() and fact.quote) and ILLEGIBLE not in fact.value


def claim_of(fact: ExtractedFact, profile: Profile) -> NewClaim:
    value = fact.value.strip()[:VALUE_LIMIT]
    return NewClaim(
        attribute=fact.attribute,
        value=value,
        value_key=fact_key(profile, fact.attribute, value),
        quote=fact.quote,
        start=fact.start,
        end=fact.end,
        language=fact.language,
        confidence=fact.confidence,
        polarity=fact.polarity,
    )


def unique(claims: Sequence[NewClaim]) -> list[NewClaim]:
    return list({(claim.attribute, claim.value_key, claim.start, claim.end): claim for claim in claims}.values())


def digest_of(candidate: Candidate, segment: int, source: tuple[str, str], extractor: str) -> str:
    """The same page read by the same extractor gives the same digest, whoever comes first."""
    said = asdict(candidate)
    for fact in said["facts"]:
        if fact["polarity"] > 0:  # as it was written before anything could be denied
            del fact["polarity"]
    return sha256(to_json([*source, extractor, segment, said])).hexdigest()

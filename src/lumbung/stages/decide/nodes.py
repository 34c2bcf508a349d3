"""Rows of the store as the nodes that stage 4 decides about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lumbung.model.item import HumanRecord, LiveCandidate, LiveClaim, engine_of
from lumbung.model.profile import Profile
from lumbung.text.comparison import Comparable
from lumbung.text.coverage import said_words
from lumbung.text.relating import heads_of
from lumbung.text.values import with_synonyms

Row = dict[str, Any]


def live_candidate(row: Row) -> LiveCandidate:
    return LiveCandidate(
        digest=row["digest"],
        name=row["name"],
        name_key=row["name_key"],
        aliases=tuple(sorted(row["aliases"])),
        category=row["category"],
        regions=tuple(sorted(row["regions"])),
        media=tuple(row["media"]),
        scope=row["scope"],
        sensitive=tuple(sorted(row["sensitive"])),
        document=row["document"],
        url=row["url"],
        domain=row["domain"],
        sketch=tuple(row["sketch"] or ()),
        witness=row["witness"],
        published=row["published"],
        claims=tuple(LiveClaim(*claim) for claim in row["claims"]),
        denials=tuple(LiveClaim(*claim) for claim in row["denials"]),
        landmarks=tuple(row["landmarks"] or ()),
        publisher=row["publisher"],
        origins=tuple(row["origins"]),
        engine=engine_of(row["extractor"]),
    )


def human_record(row: Row, synonyms: Mapping[str, str]) -> HumanRecord:
    return HumanRecord(
        identity=row["identity"],
        title=row["title"],
        aliases=tuple(sorted(row["aliases"])),
        category=row["category"],
        regions=tuple(sorted(row["regions"])),
        status=row["status"],
        facts=frozenset((attribute, key) for attribute, key in row["facts"]),
        words=said_words(with_synonyms(f"{row['title']} {row['body']}", synonyms)),
    )


class Comparables:
    """Nodes as the comparison sees them, with what the profile says about their category and regions."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._heads = heads_of(profile)

    def of_candidate(self, candidate: LiveCandidate) -> Comparable:
        facts = tuple((claim.attribute, claim.value_key) for claim in candidate.claims)
        return self._comparable(candidate.name, candidate.aliases, candidate.category, candidate.regions, facts)

    def of_human(self, human: HumanRecord, category: str) -> Comparable:
        """A human record without a category is compared with all."""
        own = human.category or category
        return self._comparable(human.title, human.aliases, own, human.regions, tuple(sorted(human.facts)))

    def _comparable(
        self,
        name: str,
        aliases: tuple[str, ...],
        category: str,
        regions: tuple[str, ...],
        facts: tuple[tuple[str, str], ...],
    ) -> Comparable:
        known = self._profile.categories.get(category)
        named = [self._profile.regions[code] for code in regions if code in self._profile.regions]
        return Comparable(
            name=name,
            aliases=aliases,
            category=category,
            regions=regions,
            facts=facts,
            generic_words=known.generic_words if known else (),
            heads=self._heads.get(category, ()),
            region_words=tuple(word for region in named for word in (region.name, *region.aliases)),
            confusable=known.confusable if known else (),
        )


RegionRelation = Callable[[str, str], bool]

"""What stage 4 decides about: candidates and human records as nodes, and the item a group of them makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

HUMAN_PREFIX = "h:"


def human_node(identity: str) -> str:
    return HUMAN_PREFIX + identity


def is_human(node: str) -> bool:
    return node.startswith(HUMAN_PREFIX)


def engine_of(extractor: str) -> str:
    """The family of an extractor, whatever its version: lexical, llm, or ocr for letters read from pictures."""
    return extractor.partition("-")[0].partition("/")[0]


def pair(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a < b else (b, a)


@dataclass(frozen=True, slots=True)
class LiveClaim:
    id: int
    attribute: str
    value: str
    value_key: str
    polarity: int
    confidence: float


@dataclass(frozen=True, slots=True)
class LiveCandidate:
    digest: str
    name: str
    name_key: str
    aliases: tuple[str, ...]
    category: str
    regions: tuple[str, ...]
    media: tuple[dict[str, Any], ...]
    scope: str | None
    sensitive: tuple[str, ...]
    document: int
    url: str
    domain: str
    sketch: tuple[int, ...]
    witness: bool
    published: str | None
    claims: tuple[LiveClaim, ...]
    """What the page states."""
    denials: tuple[LiveClaim, ...] = ()
    """What it says is not so: these lower odds, and are facts and witnesses of nothing."""
    landmarks: tuple[int, ...] = ()
    """Of the page: names and numbers in their order, by which translations are known."""
    publisher: str = ""
    origins: tuple[str, ...] = ()
    """Domains that the page declares to be where it comes from."""
    engine: str = ""
    """What read the page: the family of its extractor."""


@dataclass(frozen=True, slots=True)
class HumanRecord:
    """A human entry as matching sees it: its names and index facts; its text is only looked into, never shown."""

    identity: str
    title: str
    aliases: tuple[str, ...]
    category: str | None
    regions: tuple[str, ...]
    status: str
    facts: frozenset[tuple[str, str]]
    words: frozenset[str]
    """Stems and measures of its title and text."""


@dataclass(frozen=True, slots=True)
class PairVerdict:
    score: float
    verdict: str
    """same, variant, different, unsure or unrelated."""


@dataclass(frozen=True, slots=True)
class ItemFact:
    attribute: str
    value: str
    value_key: str
    log_odds: float
    probability: float
    independent: int
    state: str
    """published or waiting."""
    flagged: bool
    reason: str
    rank: int
    claims: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ItemContent:
    """What the library should hold for an item; a pure function of its live claims and the versions in force."""

    verdict: str
    """publish, review, refused (a tombstone binds) or nothing (all is held by people)."""
    reasons: tuple[str, ...]
    category: str
    title: str
    name_key: str
    aliases: tuple[str, ...]
    regions: tuple[str, ...]
    primary_region: str
    supplement_of: str | None
    sensitive: bool
    probability: float
    independent: int
    facts: tuple[ItemFact, ...] = ()
    media: tuple[dict[str, Any], ...] = field(default=())

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> ItemContent:
        """The content as it was kept: lists become tuples again, so that digests stay comparable."""
        values = dict(stored)
        values["facts"] = tuple(ItemFact(**(fact | {"claims": tuple(fact["claims"])})) for fact in stored["facts"])
        for name in ("reasons", "aliases", "regions", "media"):
            values[name] = tuple(stored[name])
        return cls(**values)

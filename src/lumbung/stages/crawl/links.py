"""Which links of a page enter the frontier, and how they are ranked: Eq. (5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from ahocorasick_rs import AhoCorasick

from lumbung.equations.priority import priority
from lumbung.model.candidate import Link, PageKind
from lumbung.model.profile import Profile
from lumbung.stages.crawl.sightings import LEAST_GAIN, TOPIC_SHARE, Sighting, Sightings, wording
from lumbung.store.frontier import FrontierUrl, Lease
from lumbung.text.denylist import DENIED, Denylist
from lumbung.text.gate import GateVerdict
from lumbung.text.outline import Outline
from lumbung.text.traps import trap_reason
from lumbung.text.url import host_of, registrable_domain

FEATURES = (
    "bias", "link_context", "url_tokens", "page_kind", "page_topic", "depth", "host_yield", "language", "denylist",
)  # fmt: skip
WEIGHT_PREFIX = "crawl.priority."
SOURCE_PRIORITY = 50.0
"""Link sources come before what they would lead to, and after seeds."""
HIGHEST_EXPLORED = 5.0
UNKNOWN_TOPIC = 0.5
KEPT_ANCHORS = 8_192
UNGOVERNED = {"page_topic": 1.0}
"""Weights in installations whose governed rows are older than the feature."""
NOT_DENIED = 0.0
"""Of every link that is ranked at all: what the curators deny does not enter, whatever its weight would be."""
OWN_PAGES = "the library itself"
CONTENTS_CHARACTERS = 2_000
"""A shorter page of an encyclopaedia, without references, is a page of contents."""
REFERENCE_SECTIONS = (
    "referen", "pranala", "external", "sumber", "daftar pustaka", "bibliogr", "rujukan", "bron", "literatu",
    "verwijzing", "catatan kaki", "pautan luar",
)  # fmt: skip
_KIND_VALUES = {PageKind.INDEX: 1.0, PageKind.ENCYCLOPAEDIA: 1.0, PageKind.ITEM: 0.5, PageKind.NOISE: 0.0}


@dataclass(frozen=True)
class Ranking:
    """Weights in force, how often a link is taken at random, and what is never taken."""

    weights: Mapping[str, float]
    exploration: float = 0.0
    denied: Denylist = field(default_factory=Denylist)


CULTURAL_ROLES = frozenset({"head", "genus", "marker"})
_NOT_A_WORD = re.compile(r"[\W_]+")


class LinkRanker:
    """Scores links by the words around them and in their URL, the page they stand on, its depth and the host."""

    def __init__(self, profile: Profile) -> None:
        terms = sorted({whole_words(term.term) for term in profile.lexicon if term.role in CULTURAL_ROLES})
        self._terms = AhoCorasick(terms) if terms else None
        self.share_of_anchor = lru_cache(maxsize=KEPT_ANCHORS)(self._share)

    def features(self, link: Link, kind: PageKind, language: str, depth: int, topic: float) -> dict[str, float]:
        """`topic` is how far the page on which the link stands speaks of the topic itself.

        What the host gave is the same for all its addresses: it counts where hosts are compared.
        """
        return {
            "bias": 1.0,
            "link_context": self._share(f"{link.anchor} {link.context}"),
            "url_tokens": self._share(link.url),
            "page_kind": _KIND_VALUES[kind],
            "page_topic": TOPIC_SHARE * topic,
            "depth": float(depth),
            "host_yield": 0.0,
            "language": 1.0 if language != "und" else 0.0,
            "denylist": NOT_DENIED,
        }

    def _share(self, text: str) -> float:
        """0 for no word of culture, near 1 for several."""
        if self._terms is None:
            return 0.0
        found = len(self._terms.find_matches_as_indexes(whole_words(text), overlapping=True))
        return found / (found + 2)


def whole_words(text: str) -> str:
    """Words between single spaces, so that a term is found as a word and never inside one."""
    return f" {_NOT_A_WORD.sub(' ', text.casefold()).strip()} "


def weights_from(rows: Mapping[str, Any]) -> dict[str, float]:
    return {name: float(rows.get(WEIGHT_PREFIX + name, UNGOVERNED.get(name, 0.0))) for name in FEATURES}


def topic_of(gate: GateVerdict | None) -> float:
    """Pages on a topic point to others on it: 1 for one that passed the gate, little for one that did not."""
    if gate is None:
        return UNKNOWN_TOPIC
    return 1.0 if gate.passed else 0.5 * gate.score


def explored_priority(url: str, share: float) -> float | None:
    """A small share of links is taken whatever the model thinks of them, the same ones on every machine; None for others.

    They stand anywhere in the ranking rather than first: far more links are found than are ever asked for, and a share
    of all of them would be most of the crawl.
    """
    drawn = int.from_bytes(blake2b(url.encode(), digest_size=4).digest(), "big") / 2**32
    return HIGHEST_EXPLORED * drawn / share if drawn < share else None


@dataclass
class FoundLinks:
    urls: list[FrontierUrl] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    """How many links were not taken, by reason."""
    cited: dict[str, int] = field(default_factory=dict)
    """Links to hosts of other domains."""
    raised: list[FrontierUrl] = field(default_factory=list)
    """What waits already, and stands higher by what the page says of it."""

    def leave(self, reason: str, number: int = 1) -> None:
        self.left_out[reason] = self.left_out.get(reason, 0) + number


def followed(outline: Outline) -> tuple[Iterable[Link], bool]:
    """The links to follow, and whether those inside the site are among them.

    Of an encyclopaedia's article only references and external links; a page of contents leads to its articles.
    """
    if outline.kind is not PageKind.ENCYCLOPAEDIA:
        return outline.links, True
    references = [link for link in outline.links if any(word in link.section.casefold() for word in REFERENCE_SECTIONS)]
    if not references and outline.characters < CONTENTS_CHARACTERS:
        return outline.links, True
    return references, False


@dataclass(frozen=True, slots=True)
class PageOfLinks:
    """What all links of a page have in common, and what ranks them."""

    outline: Outline
    lease: Lease
    language: str
    topic: float
    ranker: LinkRanker
    ranking: Ranking
    sightings: Sightings

    def first(self, link: Link, host: str, domain: str) -> FrontierUrl:
        features = self.ranker.features(link, self.outline.kind, self.language, self.lease.depth + 1, self.topic)
        explored = explored_priority(link.url, self.ranking.exploration)
        value = priority(self.ranking.weights, features) if explored is None else explored
        words, topic = features["link_context"], features["page_topic"]
        sighting = Sighting(host, domain, features, value, wording(link.anchor), explored is not None, words, topic)
        self.sightings.add(link.url, sighting)
        return self._row(link.url, sighting)

    def again(self, url: str, anchor: str, sighting: Sighting, least_gain: float = LEAST_GAIN) -> FrontierUrl | None:
        """The address at its new place; None where it does not rise by so much."""
        said = wording(anchor)
        if sighting.is_explored or sighting.wordings & said:
            return None
        sighting.wordings |= said
        # A page that nobody judged vouches for nothing further.
        sighting.hear(self.ranker.share_of_anchor(anchor), 0.0 if self.topic == UNKNOWN_TOPIC else self.topic)
        if sighting.rise(self.ranking.weights) < least_gain:
            return None
        sighting.settle(self.ranking.weights)
        return self._row(url, sighting)

    def once_more(self, link: Link, sighting: Sighting) -> FrontierUrl:
        """Found a moment ago, and perhaps not yet written down."""
        return self.again(link.url, link.anchor, sighting, 0.0) or self._row(link.url, sighting)

    def _row(self, url: str, sighting: Sighting) -> FrontierUrl:
        return FrontierUrl(
            url=url,
            host=sighting.host,
            domain=sighting.domain,
            priority=sighting.priority,
            depth=self.lease.depth + 1,
            features=tuple([sighting.features[name] for name in FEATURES]),
            tranche=self.lease.tranche,
            parent=self.lease.id or None,
        )


def frontier_urls(page: PageOfLinks, refused_hosts: frozenset[str]) -> FoundLinks:
    """The page's links as frontier rows, and what it adds to what is known of others."""
    found = FoundLinks(left_out=dict(page.outline.refused_links))
    own_domain = registrable_domain(page.lease.host)
    links, inside = followed(page.outline)
    for link in links:
        sighting = page.sightings.of(link.url)
        host = sighting.host if sighting else host_in(link.url)
        domain = sighting.domain if sighting else registrable_domain(host)
        barred = domain == own_domain and not inside
        reason = _reason_to_leave(link.url, host, barred, refused_hosts, page.ranking.denied, is_new=sighting is None)
        if reason is not None:
            found.leave(reason)
            continue
        if domain != own_domain:
            found.cited[host] = found.cited.get(host, 0) + 1
        found.urls.append(page.once_more(link, sighting) if sighting else page.first(link, host, domain))
    for identity, anchor in page.outline.known:
        sighting = page.sightings.of(identity)
        raised = page.again(identity, anchor, sighting) if sighting else None
        if raised is not None:
            found.raised.append(raised)
    return found


def _reason_to_leave(
    url: str, host: str, barred: bool, refused_hosts: frozenset[str], denied: Denylist, *, is_new: bool
) -> str | None:
    if host in refused_hosts:
        return OWN_PAGES
    if barred:
        return "inside the encyclopaedia"
    if denied.denies(url, host):
        return DENIED
    trap = trap_reason(url) if is_new else None
    return None if trap is None else f"trap: {trap}"


def host_in(identity: str) -> str:
    """The host of a normalised URL, without another parse."""
    place = identity[identity.index("//") + 2 :].partition("/")[0]
    return place if place.endswith("]") else place.partition("]")[0] + "]" if "[" in place else place.partition(":")[0]


def source_urls(references: Iterable[str], lease: Lease, depth: int, most: int = 200) -> list[FrontierUrl]:
    """Sitemaps, feeds and further pages of lists, as URLs of the frontier like any other, but no page's offspring."""
    found = []
    for url in list(dict.fromkeys(references))[:most]:
        host = host_of(url)
        found.append(FrontierUrl(url, host, registrable_domain(host), SOURCE_PRIORITY, depth, (), lease.tranche))
    return found

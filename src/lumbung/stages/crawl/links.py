"""Which links of a page enter the frontier, and how they are ranked: Eq. (5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ahocorasick_rs import AhoCorasick

from lumbung.equations.priority import priority
from lumbung.errors import RefusedError
from lumbung.model.candidate import Link, PageKind, PageText
from lumbung.model.profile import Profile
from lumbung.store.frontier import FrontierUrl
from lumbung.text.traps import trap_reason
from lumbung.text.url import host_of, normalize, registrable_domain

FEATURES = ("bias", "link_context", "url_tokens", "page_kind", "depth", "host_yield", "language", "denylist")
WEIGHT_PREFIX = "crawl.priority."
REFERENCE_SECTIONS = ("referen", "pranala", "external", "sumber", "daftar pustaka", "bibliogr", "rujukan", "bron", "literatu", "verwijzing", "catatan kaki")


class LinkRanker:
    """Scores links by the words around them and in their URL, the page they stand on and its depth."""

    def __init__(self, profile: Profile) -> None:
        terms = sorted({term.term.casefold() for term in profile.lexicon if term.role not in {"commerce", "news", "foreign"}})
        self._terms = AhoCorasick(terms) if terms else None

    def features(self, link: Link, page: PageText, depth: int) -> dict[str, float]:
        return {
            "bias": 1.0,
            "link_context": self._share(f"{link.anchor} {link.context}"),
            "url_tokens": self._share(link.url.replace("-", " ").replace("_", " ").replace("/", " ")),
            "page_kind": 1.0 if page.kind in {PageKind.INDEX, PageKind.ENCYCLOPAEDIA} else 0.5 if page.kind is PageKind.ITEM else 0.0,
            "depth": float(depth),
            "host_yield": 0.0,
            "language": 1.0 if page.language != "und" else 0.0,
            "denylist": 0.0,
        }

    def _share(self, text: str) -> float:
        """0 for no word of culture, near 1 for several."""
        if self._terms is None:
            return 0.0
        found = len(self._terms.find_matches_as_indexes(text.casefold(), overlapping=False))
        return found / (found + 2)


def weights_from(rows: Mapping[str, Any]) -> dict[str, float]:
    return {name: float(rows.get(WEIGHT_PREFIX + name, 0.0)) for name in FEATURES}


def followed(page: PageText) -> Iterable[Link]:
    """Of an encyclopaedia only references and external links; of a page that says nofollow, none."""
    if page.directives & {"nofollow", "none"}:
        return []
    if page.kind is PageKind.ENCYCLOPAEDIA:
        return [link for link in page.links if any(word in link.section.casefold() for word in REFERENCE_SECTIONS)]
    return page.links


def frontier_urls(
    page: PageText, base: str, depth: int, ranker: LinkRanker, weights: Mapping[str, float], refused_hosts: frozenset[str]
) -> tuple[list[FrontierUrl], dict[str, int]]:
    """The page's links as frontier rows, and how many were left out for which reason."""
    own_domain = registrable_domain(host_of(base))
    kept: dict[str, FrontierUrl] = {}
    left: dict[str, int] = {}
    for link in followed(page):
        try:
            url = normalize(link.url, base)
        except RefusedError as error:
            left[error.reason] = left.get(error.reason, 0) + 1
            continue
        host = host_of(url)
        reason = trap_reason(url)
        if reason is not None or host in refused_hosts or url in kept:
            told = "already listed" if url in kept else str(reason) if reason else "the library itself"
            left[told] = left.get(told, 0) + 1
            continue
        if page.kind is PageKind.ENCYCLOPAEDIA and registrable_domain(host) == own_domain:
            left["inside the encyclopaedia"] = left.get("inside the encyclopaedia", 0) + 1
            continue
        features = ranker.features(link, page, depth)
        kept[url] = FrontierUrl(
            url=url,
            host=host,
            domain=registrable_domain(host),
            priority=priority(weights, features),
            depth=depth,
            features=tuple(features[name] for name in FEATURES),
        )
    return list(kept.values()), left

from __future__ import annotations

from dataclasses import replace

import pytest

from lumbung.model.candidate import Link, PageKind
from lumbung.profiles.loader import load_profile
from lumbung.stages.crawl.links import (
    HIGHEST_EXPLORED,
    LinkRanker,
    PageOfLinks,
    Ranking,
    explored_priority,
    frontier_urls,
    host_in,
)
from lumbung.stages.crawl.sightings import Sightings
from lumbung.stages.crawl.traps import KnownUrls, pattern_of
from lumbung.store.frontier import Lease
from lumbung.text.denylist import Denylist
from lumbung.text.outline import EMPTY

RANKER = LinkRanker(load_profile("pdbi"))
WEIGHTS = {"link_context": 2.0, "url_tokens": 1.0, "depth": -0.3}
LEASE = Lease.archived("http://a.example/", "a.example")


def found(*links: Link, kind: PageKind = PageKind.ITEM, characters: int = 9_000, ranking: Ranking | None = None):
    outline = replace(EMPTY, kind=kind, links=links, characters=characters)
    page = PageOfLinks(outline, LEASE, "ind", 0.5, RANKER, ranking or Ranking(WEIGHTS), Sightings())
    return frontier_urls(page, frozenset({"lib.example"}))


def test_links_with_words_of_culture_come_first():
    good, poor = found(
        Link("http://b.example/tari", "Tari tradisional", "gamelan dan wayang"), Link("http://b.example/x", "masuk", "")
    ).urls
    assert good.priority > poor.priority
    assert (good.depth, good.host) == (1, "b.example")


def test_of_an_article_of_an_encyclopaedia_only_references_outside_are_followed():
    links = [
        Link("http://a.example/wiki/Lain", "Lain", "", "Sejarah"),
        Link("http://a.example/wiki/Catatan", "Catatan", "", "Referensi"),
        Link("http://museum.example/x", "Museum", "", "Pranala luar"),
    ]
    result = found(*links, kind=PageKind.ENCYCLOPAEDIA)
    assert [each.url for each in result.urls] == ["http://museum.example/x"]
    assert result.left_out == {"inside the encyclopaedia": 1}


def test_a_page_of_contents_of_an_encyclopaedia_leads_to_its_articles():
    result = found(Link("http://a.example/wiki/Angklung", "Angklung", ""), kind=PageKind.ENCYCLOPAEDIA, characters=500)
    assert [each.url for each in result.urls] == ["http://a.example/wiki/Angklung"]


def test_what_the_curators_deny_is_left():
    ranking = Ranking(WEIGHTS, denied=Denylist(["toko.example", "b.example/tag/"]))
    links = [
        Link(f"http://{place}", "Tari", "") for place in ("a.toko.example/x", "b.example/tag/tari", "b.example/tari")
    ]
    result = found(*links, ranking=ranking)
    assert [each.url for each in result.urls] == ["http://b.example/tari"]
    assert result.left_out == {"denied": 2}


def test_traps_and_the_library_are_left_with_their_reasons():
    result = found(Link("http://b.example/agenda/2026/01", "", ""), Link("http://lib.example/x", "", ""))
    assert result.urls == []
    assert result.left_out == {"trap: calendar": 1, "the library itself": 1}


def test_other_domains_are_counted_as_cited():
    result = found(Link("http://x.b.example/1", "", ""), Link("http://www.a.example/2", "", ""))
    assert result.cited == {"x.b.example": 1, "www.a.example": 1} or result.cited == {"x.b.example": 1}


def test_a_small_share_is_explored_whatever_the_model_thinks():
    urls = [f"http://b.example/{number}" for number in range(4_000)]
    drawn = [value for url in urls if (value := explored_priority(url, 0.05)) is not None]
    assert 120 < len(drawn) < 280
    assert 0.4 < sum(value > HIGHEST_EXPLORED / 2 for value in drawn) / len(drawn) < 0.6
    ranking = Ranking({"bias": -5.0}, exploration=1.0)
    assert 0.0 <= found(Link("http://b.example/x", "", ""), ranking=ranking).urls[0].priority <= HIGHEST_EXPLORED


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://a.example/x", "a.example"),
        ("https://a.example:81/x:y", "a.example"),
        ("http://[::1]:80/", "[::1]"),
        ("http://[::1]/", "[::1]"),
    ],
)
def test_the_host_of_an_identity_is_read_off(url, host):
    assert host_in(url) == host


def test_only_patterns_with_a_blank_are_on_trial():
    assert pattern_of("http://a.example/tari") is None
    assert pattern_of("http://a.example/arsip/2024/x") == "a.example/arsip/{n}/x"
    assert pattern_of("http://a.example/cari?q=1") == "a.example/cari?q"


def test_known_urls_are_bounded_and_forget_the_oldest():
    known = KnownUrls(most=2)
    known.add(["a", "b"])
    assert known.holds("a")
    known.add(["c"])
    assert [known.holds(url) for url in "abc"] == [True, False, True]

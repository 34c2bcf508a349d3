"""What further pages say of an address moves it, as far as they say anything new."""

from __future__ import annotations

from dataclasses import replace

from lumbung.model.candidate import Link, PageKind
from lumbung.profiles.loader import load_profile
from lumbung.stages.crawl.links import LinkRanker, PageOfLinks, Ranking, frontier_urls
from lumbung.stages.crawl.sightings import Sighting, Sightings, together
from lumbung.store.frontier import Lease
from lumbung.text.outline import EMPTY

RANKER = LinkRanker(load_profile("pdbi"))
RANKING = Ranking({"link_context": 3.0, "page_topic": 1.0})
URL = "http://b.example/x"


def read(sightings, links=(), known=(), topic=0.0, ranking=RANKING):
    outline = replace(EMPTY, kind=PageKind.ITEM, links=tuple(links), known=tuple(known))
    lease = Lease.archived("http://a.example/", "a.example")
    return frontier_urls(PageOfLinks(outline, lease, "ind", topic, RANKER, ranking, sightings), frozenset())


def first(sightings, anchor="baca", **options):
    [found] = read(sightings, [Link(URL, anchor, "")], **options).urls
    return found


def test_an_address_that_waits_rises_by_what_another_page_calls_it():
    sightings = Sightings()
    before = first(sightings)
    [raised] = read(sightings, known=[(URL, "tari tradisional")], topic=1.0).raised
    assert raised.url == URL
    assert (raised.host, raised.domain) == ("b.example", "b.example")
    assert raised.priority > before.priority
    assert raised.features != before.features


def test_the_same_words_again_prove_nothing():
    sightings = Sightings()
    first(sightings, "tari tradisional", topic=0.0)
    assert read(sightings, known=[(URL, "tari tradisional")], topic=1.0).raised == []
    assert read(sightings, known=[(URL, "gamelan, wayang dan batik")]).raised != []
    assert read(sightings, known=[(URL, "gamelan, wayang dan batik")]).raised == []


def test_a_small_rise_is_not_written_but_counts_towards_the_next():
    sightings = Sightings()
    weak = Ranking({"link_context": 2.0})
    first(sightings, "tari dan gamelan", ranking=weak)
    rises = [
        bool(read(sightings, known=[(URL, anchor)], ranking=weak).raised) for anchor in ("wayang", "batik", "angklung")
    ]
    assert True in rises
    assert not all(rises)


def test_what_is_explored_stays_where_it_is():
    sightings = Sightings()
    first(sightings, ranking=Ranking(RANKING.weights, exploration=1.0))
    assert read(sightings, known=[(URL, "tari tradisional")], topic=1.0).raised == []


def test_what_waits_no_longer_is_not_weighed():
    sightings = Sightings()
    first(sightings)
    sightings.forget(URL)
    assert read(sightings, known=[(URL, "tari tradisional")], topic=1.0).raised == []


def test_an_address_that_is_found_twice_before_it_is_written_is_sent_with_both_words():
    sightings = Sightings()
    once, again = first(sightings), first(sightings, "tari tradisional", topic=1.0)
    assert again.priority > once.priority


def test_links_of_an_encyclopaedia_that_another_page_found_are_still_not_followed():
    sightings = Sightings()
    inside, outside = "http://a.example/wiki/Lain", "http://museum.example/x"
    read(sightings, [Link(inside, "Lain", "")])
    links = (Link(inside, "Lain", "", "Sejarah"), Link(outside, "Museum", "", "Referensi"))
    outline = replace(EMPTY, kind=PageKind.ENCYCLOPAEDIA, links=links, characters=9_000)
    lease = Lease.archived("http://a.example/wiki/Angklung", "a.example")
    page = PageOfLinks(outline, lease, "ind", 0.5, RANKER, RANKING, sightings)
    assert [each.url for each in frontier_urls(page, frozenset()).urls] == [outside]


def test_the_oldest_are_forgotten_first():
    sightings = Sightings(most=2)
    for name in "abc":
        sightings.add(name, Sighting("h", "h", {}, 0.0, 0, is_explored=False, words=0.0, topic=0.0))
    assert [sightings.of(name) is not None for name in "abc"] == [False, True, True]


def test_two_witnesses_are_surer_than_one_and_never_more_than_sure():
    assert 0.5 < together(0.5, 0.3) < 1.0
    assert together(1.0, 0.4) == 1.0
    assert together(0.0, 0.4) == 0.4

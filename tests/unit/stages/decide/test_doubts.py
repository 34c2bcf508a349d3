"""What puts an item before a person, and what another page cannot bring about."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.stages.decide.test_rivals import RULES, saying

from lumbung.model.item import PairVerdict
from lumbung.stages.decide.component import Component
from lumbung.stages.decide.handler import doubts_of, scope_doubts
from lumbung.stages.decide.partition import partition

OFFICIAL = "1.example"


def ratio_of(url):
    return RULES.ratios["official" if OFFICIAL in url else "unknown"]


def doubted(*candidates):
    """The nodes of the groups that wait, when each pair of these may be the same."""
    component = Component({each.digest: each for each in candidates})
    nodes = frozenset(component.candidates)
    unsure = {(a, b): PairVerdict(0.7, "unsure") for a in nodes for b in nodes if a < b}
    parts = partition(nodes, unsure)
    return {node for group, why in doubts_of(parts, parts.groups, component, ratio_of).items() if why for node in group}


def test_a_page_that_leaves_the_scope_open_does_not_take_an_item_back():
    clear, open_question = saying(1, "tahun", "1945"), replace(saying(2, "tahun", "1945"), scope="unsure")
    assert scope_doubts([clear, open_question]) == set()
    assert scope_doubts([open_question]) == {"scope of Tari Contoh is unsure"}


def test_of_two_that_may_be_one_the_less_credible_waits_however_much_it_says():
    official, talkative = saying(1, "tahun", "1945"), saying(2, "tahun", "1945", "1946", "1947")
    assert doubted(official, talkative) == {"c2"}


def test_of_two_as_credible_the_one_that_says_less_waits():
    assert doubted(saying(2, "tahun", "1945"), saying(3, "tahun", "1945", "1946")) == {"c2"}


def test_pages_that_witness_nothing_put_nothing_aside():
    copy = replace(saying(1, "tahun", "1945", "1946"), witness=False)
    assert doubted(copy, saying(2, "tahun", "1945")) == {"c1"}

"""What a page says is not so lowers the odds of it, and is never its witness."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.stages.decide.test_rivals import PROFILE, RULES, saying

from lumbung.model.item import LiveClaim
from lumbung.stages.decide.content import ItemEvidence, content_of
from lumbung.stages.decide.novelty import novelty_of
from lumbung.text.values import fact_key


def denying(number, attribute, value, candidate=None):
    denial = LiveClaim(10 * number + 9, attribute, value, fact_key(PROFILE, attribute, value), -1, 0.9)
    return replace(candidate or saying(number, attribute), denials=(denial,))


def content(*candidates, **more):
    evidence = ItemEvidence(candidates, (), (), PROFILE, {"ID-JT": "ID-JT"}, **more)
    return content_of(evidence, RULES, lambda _: RULES.ratios["official"])


def facts(*candidates, **more):
    return {fact.value: fact for fact in content(*candidates, **more).facts}


def test_a_denial_divides_the_odds_and_is_no_witness():
    alone = facts(saying(1, "fungsi", "hiburan"))["hiburan"]
    denied = facts(saying(1, "fungsi", "hiburan"), denying(2, "fungsi", "hiburan"))["hiburan"]
    assert (alone.state, denied.state) == ("published", "waiting")
    assert denied.log_odds == pytest.approx(0.0)
    assert (denied.independent, denied.claims) == (1, alone.claims)


def test_a_denial_alone_is_no_fact_and_leaves_other_values_alone():
    assert facts(denying(1, "fungsi", "hiburan")) == {}
    both = facts(saying(1, "fungsi", "upacara"), denying(2, "fungsi", "hiburan"))
    assert both["upacara"].log_odds == facts(saying(1, "fungsi", "upacara"))["upacara"].log_odds


def test_who_denies_the_whole_denies_the_part_and_not_the_other_way_round():
    finer = facts(saying(1, "tahun", "17 Agustus 1945"), denying(2, "tahun", "1945"))["17 Agustus 1945"]
    coarser = facts(saying(1, "tahun", "1945"), denying(2, "tahun", "17 Agustus 1945"))["1945"]
    assert finer.state == "waiting"
    assert coarser.state == "published"


def test_a_page_that_says_and_denies_it_is_not_heard():
    torn = facts(denying(1, "fungsi", "hiburan", saying(1, "fungsi", "hiburan")))["hiburan"]
    assert (torn.independent, torn.log_odds) == (0, pytest.approx(0.0))


def test_copies_of_one_denial_weigh_once():
    copies = [replace(denying(n, "fungsi", "hiburan"), domain="satu.example") for n in (2, 3, 4)]
    once = facts(saying(1, "fungsi", "hiburan"), copies[0])["hiburan"].log_odds
    assert facts(saying(1, "fungsi", "hiburan"), *copies)["hiburan"].log_odds == pytest.approx(once)


def test_a_denial_is_nothing_new_and_says_the_item_is_there():
    denial = denying(2, "fungsi", "hiburan")
    found = novelty_of(denial, [saying(1, "fungsi", "hiburan")], (), PROFILE, content(denial), RULES.tau)
    assert (found.outcome, found.new) == ("skip", ())
    assert content(saying(1, "fungsi", "hiburan"), denial).independent == 2


def test_a_quote_that_was_read_again_as_the_contrary_counts_against_the_fact():
    pages = [saying(n, "fungsi", "hiburan") for n in (1, 2, 3)]
    read = facts(*pages)["hiburan"]
    again = facts(*pages, denying=frozenset({30}))["hiburan"]
    assert (read.independent, again.independent) == (3, 2)
    assert again.log_odds == pytest.approx(read.log_odds / 3)
    assert again.claims == (10, 20)

"""Which values of a single-valued attribute compete, and which merely say more or less of the same."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lumbung.model.item import LiveCandidate, LiveClaim
from lumbung.profiles.loader import load_profile
from lumbung.stages.decide.content import ItemEvidence, commonest_value, content_of
from lumbung.stages.decide.rules import Rules
from lumbung.text.values import fact_key

PROFILE = load_profile("pdbi")
RULES = Rules.from_rows(PROFILE.constants, {})


def saying(number, attribute, *values):
    claims = [
        LiveClaim(10 * number + place, attribute, value, fact_key(PROFILE, attribute, value), 1, 0.9)
        for place, value in enumerate(values)
    ]
    return LiveCandidate(
        digest=f"c{number}",
        name="Tari Contoh",
        name_key="contoh",
        aliases=(),
        category="tarian",
        regions=("ID-JT",),
        media=(),
        scope="in",
        sensitive=(),
        document=number,
        url=f"https://{number}.example/",
        domain=f"{number}.example",
        sketch=(),
        witness=True,
        published=None,
        claims=tuple(claims),
    )


def facts(*candidates):
    evidence = ItemEvidence(candidates, (), (), PROFILE, {"ID-JT": "ID-JT"})
    return {fact.value: fact for fact in content_of(evidence, RULES, lambda _: RULES.ratios["official"]).facts}


@pytest.mark.parametrize(
    ("attribute", "coarse", "fine"),
    [("tahun", "1945", "17 Agustus 1945"), ("jumlah-pemain", "10-15 orang", "12 orang")],
)
def test_a_coarser_value_does_not_weigh_against_a_finer_one(attribute, coarse, fine):
    alone = facts(saying(1, attribute, coarse))[coarse].log_odds
    both = facts(saying(1, attribute, coarse), saying(2, attribute, fine))
    assert {fact.log_odds for fact in both.values()} == {alone}
    assert {fact.state for fact in both.values()} == {"published"}


def test_values_that_cannot_both_be_right_weigh_against_one_another_and_stay_visible():
    rivals = facts(saying(1, "tahun", "1945"), saying(2, "tahun", "1950"), saying(3, "tahun", "tahun 1945"))
    assert rivals["1945"].log_odds > 0 > rivals["1950"].log_odds
    assert (rivals["1945"].rank, rivals["1950"].rank) == (1, 2)


def test_a_page_that_says_it_coarsely_and_finely_is_heard_and_one_that_contradicts_itself_is_not():
    assert facts(saying(1, "tahun", "1945", "17 Agustus 1945"))["1945"].independent == 1
    assert facts(saying(1, "tahun", "1945", "1950"))["1945"].independent == 0


def test_a_cluster_that_states_two_rivals_of_a_value_weighs_against_it_once():
    once = facts(saying(1, "tahun", "1950"), saying(2, "tahun", "1945"))["1950"].log_odds
    twice = facts(saying(1, "tahun", "1950"), saying(2, "tahun", "1945", "17 Agustus 1945"))["1950"].log_odds
    assert once == twice


def test_of_equal_spellings_of_one_value_that_of_today_is_shown():
    def shown(*values):
        return commonest_value([(None, SimpleNamespace(value=each)) for each in values])

    assert shown("tandoek", "tanduk") == shown("tanduk", "tandoek") == "tanduk"
    assert shown("tandoek", "tandoek", "tanduk") == "tandoek"
    assert shown("Soekarno", "Soekarno") == "Soekarno"

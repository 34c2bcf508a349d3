"""Words by which entries are found, and names that are spelled nearly as somebody typed."""

from __future__ import annotations

import pytest

from lumbung.text.search import beginnings, most_like, query_terms

TITLES = ["Angklung", "Keris", "Rumah Gadang", "Tari Jaipong", "Tari Piring", "Wayang Golek", "Wayang Kulit"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("jaipongn", "Tari Jaipong"), ("Tari Jaipnog", "Tari Jaipong"), ("anklung", "Angklung"), ("keirs", "Keris"),
     ("rumah gdang", "Rumah Gadang"), ("wajang koeliet", "Wayang Kulit")],
)  # fmt: skip
def test_a_name_is_found_by_what_a_slip_of_the_finger_made_of_it(typed, meant):
    assert TITLES[most_like(typed, TITLES, 5)[0]] == meant


@pytest.mark.parametrize("typed", ["zzqq", "sepeda motor", "a", "", "?!"])
def test_what_is_like_nothing_offers_nothing(typed):
    assert most_like(typed, TITLES, 5) == []


def test_the_nearest_comes_first_and_no_more_than_are_wanted():
    assert [TITLES[place] for place in most_like("wayang kulitt", TITLES, 2)][0] == "Wayang Kulit"
    assert len(most_like("tari piring", ["Tari Piring"] * 9, 3)) == 3


def test_short_words_have_no_beginning_that_could_be_trusted():
    assert beginnings(query_terms("tari jaipnog di atas"), 3) == ["tar", "jai", "ata"]
    assert beginnings(query_terms("reog"), 2) == ["re"]
    assert beginnings(["uma"], 3) == []

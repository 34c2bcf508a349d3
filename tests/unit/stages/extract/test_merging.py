"""Pieces of one page that speak of one item become one candidate."""

from __future__ import annotations

from lumbung.model.candidate import ExtractedFact, MediaReference
from lumbung.stages.extract.merging import GroundedItem, merged


def item(name, aliases=(), category="tarian", facts=(), pictures=(), regions=()):
    made = tuple(
        ExtractedFact(attribute, value, value, start, start + len(value), "ind", 0.9)
        for attribute, value, start in facts
    )
    return GroundedItem(name, tuple(aliases), category, tuple(regions), made, tuple(pictures))


def test_one_name_in_two_pieces_is_one_candidate_with_every_fact_once():
    (candidate,) = merged(
        [
            item("Tari Piring", facts=[("fungsi", "panen", 5)], regions=["ID-SB"]),
            item("tari piring", facts=[("fungsi", "panen", 5), ("iringan", "talempong", 50)]),
        ],
        [],
    )
    assert candidate.name == "Tari Piring"
    assert [fact.value for fact in candidate.facts] == ["panen", "talempong"]
    assert candidate.regions == ("ID-SB",)
    assert candidate.parked is None


def test_an_alias_brings_two_names_together_even_late():
    found = merged(
        [item("Tari Piring"), item("Tari Piriang"), item("Tari Piring", aliases=["Tari Piriang"]), item("Tari Payung")],
        [],
    )
    assert [each.name for each in found] == ["Tari Piring", "Tari Payung"]
    assert found[0].aliases == ("Tari Piriang",)


def test_pieces_that_disagree_on_the_category_leave_it_open():
    (candidate,) = merged([item("Debus", category="tarian"), item("Debus", category="seni-pertunjukan")], [])
    assert (candidate.category, candidate.parked) == (None, "category-open")


def test_pictures_are_chosen_by_number_from_the_pages_own_and_no_other():
    media = [MediaReference("https://a.example/1.jpg"), MediaReference("https://a.example/2.jpg")]
    (candidate,) = merged([item("Tari Piring", pictures=[2, 7, 0, -1])], media)
    assert candidate.media == (media[1],)

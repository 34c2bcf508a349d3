"""Readers see what changed, of what they were shown before; nothing of what waited or was kept from them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumbung.library.history import LONGEST_SHOWN, changes_at, differences
from lumbung.profiles.loader import load_profile

PROFILE = load_profile("pdbi")
FIRST = {
    "title": "Tari Piring",
    "body": "Tari dari Solok. Dibawakan tujuh penari.",
    "category": "tarian",
    "regions": ["ID-SB"],
    "aliases": [],
    "files": [],
}


def told(contents):
    found = changes_at(contents, PROFILE)
    return (
        None if found is None else {each.field: [(piece.kind, piece.text) for piece in each.pieces] for each in found}
    )


def test_a_change_of_words_is_told_within_the_words_around_it():
    second = FIRST | {
        "body": "Tari dari Solok. Dibawakan delapan penari.",
        "aliases": ["Piriang"],
        "category": "ritual",
    }
    assert told([FIRST, second]) == {
        "aliases": [("added", "Piriang")],
        "category": [("removed", "Tarian"), ("added", "Ritual")],
        "text": [
            ("same", "Tari dari Solok. Dibawakan "),
            ("removed", "tujuh "),
            ("added", "delapan "),
            ("same", "penari."),
        ],
    }


def test_the_first_revision_adds_everything_and_one_that_only_restores_changes_nothing():
    assert set(told([FIRST])) == {"title", "category", "regions", "text"}
    assert told([FIRST, FIRST | {"status": "tombstone"}, FIRST | {"status": "published"}]) == {}


@pytest.mark.parametrize("status", ["review", "held", "shadow", "withdrawn", "tombstone"])
def test_what_was_never_published_is_not_told_afterwards(status):
    secret = FIRST | {"status": status, "body": "Rahasia yang ditolak penjaga."}
    public = FIRST | {"status": "published", "body": "Tari dari Solok."}
    assert told([FIRST, secret]) is None
    assert "Rahasia" not in str(told([FIRST, secret, public]))
    assert "Rahasia" not in str(told([secret, public]))


def test_a_release_tells_what_was_held_until_then():
    held = FIRST | {
        "status": "held",
        "facts": [
            {"attribute": "fungsi", "value": "hiburan", "state": "published"},
            {"attribute": "makna", "value": "belum pasti", "state": "waiting"},
        ],
    }
    found = told([held, {"status": "published"}])
    assert found["facts"] == [("added", f"{PROFILE.attributes['fungsi'].label}: hiburan")]
    assert found["title"] == [("added", "Tari Piring")]


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_what_stayed_and_went_is_the_old_text_and_what_stayed_and_came_the_new(old, new):
    before, after = " ".join(old), " ".join(new)
    pieces = differences(before, after)
    assert "".join(piece.text for piece in pieces if piece.kind != "added") == before
    assert "".join(piece.text for piece in pieces if piece.kind != "removed") == after


def test_texts_that_are_hard_to_compare_take_no_time_and_no_room():
    one, other = ("a b " * 200_000), ("b a " * 200_000) + "c"
    begun = time.process_time()
    pieces = differences(one, other)
    assert time.process_time() - begun < 5
    assert sum(len(piece.text) for piece in pieces) < 3 * LONGEST_SHOWN

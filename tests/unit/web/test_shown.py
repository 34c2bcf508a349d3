"""What a card shows of an entry."""

from __future__ import annotations

import pytest

from lumbung.profiles.loader import load_profile
from lumbung.web.shown import LONGEST_QUOTE, beginning_in

SENTENCES = load_profile("pdbi").sentences
OPENING = "Tari Lilin adalah tarian dari Sumatera Barat."
DOUBTED = SENTENCES.low_confidence.format(sentence="Pelakunya adalah gadis.")
SUPPLEMENT = SENTENCES.supplement.format(title="Tari Lilin")
WHOLE = f"{OPENING}\n\n{SUPPLEMENT}\n\n{DOUBTED}\n\nPropertinya adalah piring.\n\n{SENTENCES.disclosure}"


def shown(body, owner="machine"):
    return beginning_in({"beginning": body[:LONGEST_QUOTE], "owner": owner}, SENTENCES)


def test_a_card_of_a_machine_entry_tells_of_the_thing_and_not_of_the_text():
    assert shown(WHOLE) == f"{OPENING} Propertinya adalah piring."


@pytest.mark.parametrize("kept", range(len(OPENING) + 2, len(WHOLE)))
def test_wherever_the_text_is_cut_nothing_of_its_remarks_is_left(kept):
    told = beginning_in({"beginning": WHOLE[:kept], "owner": "machine"}, SENTENCES)
    assert not any(word in told for word in ("Keyakinan", "disusun otomatis", "melengkapi tulisan"))
    assert told.startswith(OPENING)


def test_what_people_wrote_is_shown_as_they_wrote_it():
    assert shown(DOUBTED, "human") == DOUBTED


def test_a_text_that_was_cut_ends_with_a_whole_word():
    assert shown("kata " * 100).endswith("kata …")
    assert len(shown("kata " * 100)) <= LONGEST_QUOTE + 2


def test_no_word_is_left_of_a_paragraph_that_was_cut_in_its_first_one():
    told = "a" * (LONGEST_QUOTE - 6) + "."
    assert shown(f"{told}\n\nWarnanya merah.") == told
    assert shown("a" * LONGEST_QUOTE) == "a" * LONGEST_QUOTE


def test_a_text_of_remarks_alone_is_shown_rather_than_nothing():
    assert shown(SENTENCES.disclosure) == SENTENCES.disclosure

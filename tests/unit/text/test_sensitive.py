from __future__ import annotations

import pytest

from lumbung.profiles.loader import load_profile
from lumbung.text.sensitive import Sensitivity

SENSITIVITY = Sensitivity(load_profile("pdbi"))


def test_an_item_of_a_sensitive_category_is_sensitive_whatever_its_words():
    assert SENSITIVITY.reasons("Syukuran", "ritual", "") == ("category ritual",)


def test_a_listed_word_makes_an_item_of_any_category_sensitive():
    assert SENSITIVITY.reasons("Bedhaya Ketawang", "tarian", "")
    assert SENSITIVITY.reasons("Topeng", "ornamen", "Topeng ini disakralkan warga.")
    assert SENSITIVITY.reasons("Klewang", "senjata-dan-alat-perang", "used in headhunting")
    assert SENSITIVITY.reasons("Kris", "senjata-dan-alat-perang", "een heilige POESAKA")


def test_a_word_listed_for_one_category_binds_there_and_where_the_category_is_open():
    assert SENSITIVITY.reasons("Rejang", "tarian", "")
    assert SENSITIVITY.reasons("Rejang", None, "")
    assert not SENSITIVITY.reasons("Rejang", "makanan-minuman", "")


def test_everyday_items_are_not_sensitive():
    assert SENSITIVITY.reasons("Rendang", "makanan-minuman", "Masakan daging dengan santan dan cabai.") == ()
    assert SENSITIVITY.reasons("Congklak", "permainan-tradisional", "Permainan dengan biji.") == ()


def test_a_word_inside_another_does_not_count():
    assert SENSITIVITY.reasons("Tabung", "alat-musik", "tabungan, transportasi") == ()


def test_each_reason_is_given_once():
    assert len(SENSITIVITY.reasons("Tari", "tarian", "sakral " * 20)) == 1


@pytest.mark.parametrize(
    ("text", "touched"),
    [
        ("kesakralan tempat itu", True),
        ("warga mengeramatkan batu itu", True),
        ("keris yang dipusakakan", True),
        ("manteranya tidak diucapkan", True),
        ("kotak itu ditabukan", True),
        ("menabuh gamelan di tabung bambu", False),
        ("sarana transportasi", False),
        ("pusakawan", False),
    ],
)
def test_a_word_of_the_list_is_known_with_its_affixes(text: str, touched: bool) -> None:
    assert bool(SENSITIVITY.reasons("Watu", "ornamen", text)) is touched

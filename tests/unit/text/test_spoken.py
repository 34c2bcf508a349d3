"""Dialects and older spellings write one sound in several ways; two words of the dictionary stay two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumbung.text.names import fold_word
from lumbung.text.spoken import roughly_alike, spoken, spoken_alike


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("uwuh", "uwoh"),
        ("kampong", "kampung"),
        ("tarek", "tarik"),
        ("itiak", "itik"),
        ("balimbiang", "belimbing"),
        ("kerambit", "karambit"),
        ("malamang", "melamang"),
        ("keruang", "karuang"),
        ("moang", "muang"),
        ("asmarandana", "asmaradana"),
        ("bandawasa", "bondowoso"),
        ("singa", "singo"),
        ("silek", "silat"),
        ("padeh", "pedas"),
        ("barandam", "berendam"),
        ("katupek", "ketupat"),
        ("galombang", "gelombang"),
        ("pegel", "pegal"),
        ("meuseukat", "meusekat"),
    ],
)
def test_one_word_in_two_dialects(one: str, other: str) -> None:
    assert spoken_alike(fold_word(one), fold_word(other))
    assert spoken_alike(fold_word(other), fold_word(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("batok", "batuk"),
        ("kalong", "kalung"),
        ("moko", "maka"),
        ("piring", "perang"),
        ("gong", "gung"),
        ("soto", "sate"),
    ],
)
def test_two_words(one: str, other: str) -> None:
    assert not spoken_alike(fold_word(one), fold_word(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("dohong", "duhung"),
        ("tasek", "tase"),
        ("tauge", "toge"),
        ("anging", "angin"),
        ("bamadihin", "madihin"),
    ],
)
def test_one_word_as_two_hands_write_it(one: str, other: str) -> None:
    assert roughly_alike(fold_word(one), fold_word(other))
    assert not spoken_alike(fold_word(one), fold_word(other))


@pytest.mark.parametrize(("one", "other"), [("gendang", "gandeng"), ("mandau", "bandau"), ("kelapa", "kepala")])
def test_two_words_however_roughly_read(one: str, other: str) -> None:
    assert not roughly_alike(fold_word(one), fold_word(other))


@given(st.text(max_size=20))
def test_any_text_has_a_form_and_is_alike_itself(word: str) -> None:
    assert spoken_alike(word, word)
    assert all(spoken(word)) or not word

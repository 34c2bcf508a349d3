from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.folding import fold, stands_alone


@settings(max_examples=200, derandomize=True)
@given(st.text())
def test_no_letter_moves(text):
    assert len(fold(text)) == len(text)


def test_accents_case_and_hyphens_do_not_matter():
    assert fold("Diëng–Plateau") == fold("dieng plateau")
    assert fold("Sa’dan") == "sa'dan"


def test_a_word_stands_alone_between_marks_but_not_inside_another():
    assert stands_alone("(bali)", 1, 5)
    assert not stands_alone("baliho", 0, 4)
    assert not stands_alone("kembali", 3, 7)

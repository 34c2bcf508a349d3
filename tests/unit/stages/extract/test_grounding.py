"""Quotes are found where they stand, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.stages.extract.grounding import Ground

TEXT = "Tari Piring adalah tarian “tradisional”\nMinangkabau, Sumatera Barat.  Penari membawa piring di kedua telapak tangan — tanpa terjatuh."


def quoted(quote, text=TEXT, **bounds):
    aligned = Ground(text, **bounds).align(quote)
    return None if aligned is None else text[aligned.start : aligned.end]


def test_an_exact_quote_stands_at_its_exact_place():
    aligned = Ground(TEXT).align("Penari membawa piring")
    assert (aligned.start, aligned.score) == (TEXT.index("Penari"), 100)
    assert quoted("Penari membawa piring") == "Penari membawa piring"


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ('tarian "tradisional" Minangkabau', "tarian “tradisional”\nMinangkabau"),
        ("SUMATERA BARAT. penari", "Sumatera Barat.  Penari"),
        ("kedua telapak tangan - tanpa terjatuh", "kedua telapak tangan — tanpa terjatuh"),
        ("“Penari membawa piring…", "Penari membawa piring"),
    ],
)
def test_spaces_case_and_signs_do_not_matter_but_the_page_is_stored(said, stands):
    assert quoted(said) == stands


def test_a_slip_of_a_long_quote_is_forgiven_and_the_pages_own_words_are_kept():
    aligned = Ground(TEXT).align("Penari membawa piring di kedua telapk tangannya")
    assert 90 <= aligned.score < 100
    assert TEXT[aligned.start : aligned.end].startswith("Penari membawa piring di kedua telapak tangan")


@pytest.mark.parametrize(
    "invented",
    ["Tari Lilin", "Tari ini berasal dari Aceh dan dipentaskan di laut", "x", "", "...", "piring emas", "a" * 2000],
)
def test_what_the_page_does_not_say_is_not_found(invented):
    assert quoted(invented) is None


def test_a_quote_is_looked_for_only_in_its_stretch():
    assert quoted("Penari membawa piring", end=30) is None


def test_a_name_stands_as_words_of_its_own():
    ground = Ground("Tarian itu; lalu TARI  Piring dan tari-piring")
    assert ground.names("Tari Piring").start == 17
    assert ground.names("tari") is not None
    assert ground.names("Tar") is None
    assert ground.names("") is None


def test_joiners_of_javanese_script_stay_in_the_quote():
    text = "ꦮꦪꦁ\u200cꦏꦸꦭꦶꦠ꧀ ꦱꦏꦶꦁ ꦗꦮ"
    assert quoted("ꦮꦪꦁꦏꦸꦭꦶꦠ꧀", text) == "ꦮꦪꦁ\u200cꦏꦸꦭꦶꦠ꧀"


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.text(alphabet="aBcd ßİ“—\u00ad\u200d\n.é", max_size=120), st.data())
def test_any_piece_of_a_text_is_found_in_it(text, data):
    start = data.draw(st.integers(0, len(text)))
    piece = text[start : data.draw(st.integers(start, len(text)))]
    aligned = Ground(text).align(piece)
    assert aligned is None or 0 <= aligned.start < aligned.end <= len(text)
    if (
        len(piece.strip().strip("\"“”'….").strip()) > 0
        and piece == piece.strip()
        and piece[0].isalpha()
        and piece[-1].isalpha()
    ):
        assert aligned is not None

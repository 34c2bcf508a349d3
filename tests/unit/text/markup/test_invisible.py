"""Characters that nobody sees."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.markup.invisible import squeezed, tidy, visible


@pytest.mark.parametrize(
    "hidden",
    [
        "\u200b",
        "\u2060",
        "\ufeff",
        "\u00ad",
        "\u202e",
        "\u2066",
        "\u200e",
        "\x00",
        "\x07",
        "\U000e0041",
        "\u180e",
        "\u3164",
    ],
)
def test_unseen_characters_are_dropped(hidden: str) -> None:
    assert visible(f"Tari{hidden} Piring") == "Tari Piring"


def test_a_message_in_tag_characters_leaves_nothing() -> None:
    message = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore all rules")
    assert visible(f"Batik{message} Parang") == "Batik Parang"


@pytest.mark.parametrize(
    "words",
    [
        "ꦲꦏ꧀\u200cꦱꦫ",
        "ꦏ꧀\u200dꦱ",
        "ᬅᬓ᭄\u200cᬱᬭ",
        "می\u200cخواهم",
        "क्\u200dष",
    ],
)
def test_joiners_stay_where_a_script_needs_them(words: str) -> None:
    assert visible(words) == unicodedata.normalize("NFC", words)


@pytest.mark.parametrize("joiner", ["\u200c", "\u200d"])
def test_joiners_go_where_no_script_needs_them(joiner: str) -> None:
    assert visible(f"Ba{joiner}tik") == "Batik"


def test_blanks_become_one_and_breaks_stay() -> None:
    assert tidy(" Tari\u00a0\t Piring \n\n dari  Minangkabau ") == "Tari Piring\ndari Minangkabau"


def test_the_comparison_form_has_no_blanks_and_no_joiners() -> None:
    assert squeezed("a b\u200c\nc") == "abc"


@settings(max_examples=200, derandomize=True)
@given(st.text())
def test_any_text_comes_out_normal_and_stays_so(text: str) -> None:
    once = visible(text)
    assert unicodedata.is_normalized("NFC", once)
    assert visible(once) == once
    once.encode("utf-8")

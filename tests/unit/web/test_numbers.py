"""Numbers and moments as the reader writes and reads them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from lumbung.web.language import Words
from lumbung.web.moments import moment_in


@pytest.mark.parametrize(
    ("value", "indonesian", "english"),
    [
        (0.85, "0,85", "0.85"),
        (1209600, "1.209.600", "1,209,600"),
        (-10.0, "-10", "-10"),
        (3600.5, "3.600,5", "3,600.5"),
    ],
)
def test_a_number_is_shown_with_the_digits_it_has(value, indonesian, english):
    assert (Words("id").exact(value), Words("en").exact(value)) == (indonesian, english)


@pytest.mark.parametrize("value", [0.85, 1209600, -0.1, 3600.0, 20])
@pytest.mark.parametrize("language", ["id", "en"])
def test_what_a_field_shows_is_read_back_as_the_same_number(value, language):
    words = Words(language)
    assert words.number_from(words.typed(value)) == value


def test_a_comma_is_a_decimal_sign_in_indonesian_and_a_point_in_both():
    assert Words("id").number_from("0,95") == Words("id").number_from("0.95") == Words("en").number_from("0.95") == 0.95


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "0,95"), ("en", "1,000"), ("id", "1.000"), ("id", "1.000,5"), ("id", "nan"), ("en", "inf"), ("en", "1_0"), ("id", ""), ("id", "٣")],
)  # fmt: skip
def test_what_could_be_two_numbers_or_none_is_refused(language, text):
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        Words(language).number_from(text)
    assert str(refused.value) == text


def test_a_moment_is_shown_in_the_zone_of_the_profile_which_is_named():
    assert moment_in("Asia/Jakarta", datetime(2026, 11, 17, 20, 5, tzinfo=UTC)) == "2026-11-18 03:05 WIB"
    assert moment_in("Asia/Dili", datetime(2026, 11, 17, 20, 5, tzinfo=UTC)) == "2026-11-18 05:05 +09"

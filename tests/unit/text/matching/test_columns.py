from __future__ import annotations

import numpy as np
import pytest

from lumbung.text.matching.columns import ColumnKind, column, kind_of
from lumbung.text.matching.compared import WORDS, compare_column


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["19560409", "19080419"], ColumnKind.DATE),
        (["17/8/1945", "1/1/1950", ""], ColumnKind.DATE),
        (["4 Juli 1921", "12 Mei 1817"], ColumnKind.DATE),
        (["1804974", "6089216", "A-17"], ColumnKind.CODE),
        (["1650", "1822"], ColumnKind.CODE),
        (["1,5 m", "20 cm", "3 meter"], ColumnKind.NUMBER),
        (["1.25", "3.50", "2.75"], ColumnKind.NUMBER),
        (["bambu, rotan", "kulit, kayu", "besi"], ColumnKind.SET),
        (["nsw", "vic"] * 100, ColumnKind.CLASS),
        (["wallaby place", "pridham street", "gundulu place"], ColumnKind.TEXT),
        (["tarian yang dibawakan oleh sembilan penari perempuan pada malam purnama"] * 3, ColumnKind.PROSE),
        (["", ""], ColumnKind.TEXT),
    ],
)
def test_the_kind_of_a_column_is_read_off_its_values(values: list[str], kind: ColumnKind) -> None:
    assert kind_of(values) is kind


def test_spellings_of_one_value_have_one_number_and_a_missing_value_none() -> None:
    made = column("asal", ["Djawa Tengah", "jawa  tengah", "", "Bali"], ColumnKind.TEXT)
    assert made.codes.tolist() == [0, 0, -1, 1]


def test_a_region_that_nobody_knows_is_near_to_itself_with_words_more() -> None:
    made = column("kota", ["new york", "new york city", "newark", "13.02", "13.11"], ColumnKind.REGION)
    left, right = np.array([0, 0, 1, 3], dtype=np.int32), np.array([1, 2, 2, 4], dtype=np.int32)
    words = [WORDS[ColumnKind.REGION][level] for level in compare_column(made, left, right)]
    assert words == ["related", "different", "different", "different"]

from __future__ import annotations

import pytest

from lumbung.profiles.loader import load_profile
from lumbung.text.matching.regions import RegionReader
from lumbung.text.region import Gazetteer


@pytest.fixture(scope="module")
def reader() -> RegionReader:
    return RegionReader(Gazetteer(load_profile("pdbi")))


@pytest.mark.parametrize(
    ("a", "b"), [("jateng", "jawa tengah"), ("ntt", "nusa tenggara timur"), ("id-jt", "prov. jawa tengah")]
)
def test_one_region_has_one_key_however_it_is_written(reader: RegionReader, a: str, b: str) -> None:
    assert reader.key(a) == reader.key(b)


@pytest.mark.parametrize(
    ("a", "b"), [("kudus", "jawa tengah"), ("agam", "sumatera barat"), ("bone", "sulsel"), ("minang", "sumbar")]
)
def test_a_name_that_could_be_a_common_word_is_a_place_in_a_column_of_regions(
    reader: RegionReader, a: str, b: str
) -> None:
    assert reader.related(a, b)


def test_other_regions_and_unknown_words_are_not_related(reader: RegionReader) -> None:
    assert not reader.related("kudus", "bali")
    assert not reader.related("entah", "bali")
    assert reader.key("entah berantah") == "entah berantah"

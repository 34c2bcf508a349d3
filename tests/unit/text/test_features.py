from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.features import DIMENSIONS, content_vector, cosine


def vector(name: str, *aliases: str, bag: tuple[tuple[str, str], ...] = (), category: str = "tarian") -> list[float]:
    return content_vector(name, aliases, (), bag, category)


def test_the_vector_is_the_same_on_every_machine() -> None:
    made = vector("Tari Saman")
    assert len(made) == DIMENSIONS
    occupied = {index: round(x, 6) for index, x in enumerate(made) if x}
    assert list(occupied.items())[:3] == [(10, -0.185695), (20, 0.185695), (21, -0.185695)]


@settings(max_examples=60, derandomize=True)
@given(st.text(max_size=40), st.lists(st.text(max_size=10), max_size=2))
def test_any_name_gives_a_unit_vector_or_the_zero_vector(name: str, aliases: list[str]) -> None:
    length = math.sqrt(sum(x * x for x in content_vector(name, aliases, ["ID-AC"], [("a", "b")], None)))
    assert length == pytest.approx(1.0)


def test_spellings_of_one_name_have_one_vector() -> None:
    assert vector("Wajang Koelit") == vector("wayang kulit")


def test_a_name_is_found_under_its_alias_sooner_than_under_a_sisters_name() -> None:
    wanted = vector("Tari Dindin Badindin")
    assert cosine(wanted, vector("Tari Indang", "Tari Dindin Badindin")) > 0.6
    assert cosine(wanted, vector("Tari Payung")) < 0.4


def test_the_order_of_aliases_and_attributes_does_not_matter() -> None:
    one = vector("a", "b", "c", bag=(("x", "1"), ("y", "2")))
    assert one == vector("a", "c", "b", bag=(("y", "2"), ("x", "1")))


def test_attributes_are_read_within_their_category() -> None:
    bag = (("bahan", "kayu"),)
    same = cosine(vector("X", bag=bag), vector("X", bag=bag))
    assert cosine(vector("X", bag=bag), vector("X", bag=bag, category="alat-musik")) < same


def test_a_long_bag_of_attributes_does_not_drown_the_name() -> None:
    bag = tuple(("bahan", f"bahan{i}") for i in range(200))
    assert cosine(vector("Rendang", bag=bag), vector("Gudeg", bag=bag)) < 0.4

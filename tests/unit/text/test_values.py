from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.model.profile import ValueKind
from lumbung.profiles.loader import load_profile
from lumbung.text.dating import read_date
from lumbung.text.quantity import read_quantity
from lumbung.text.values import contradicts, fact_key, same_value, value_key

TEXT, SET, NUMBER, DATE, PLACE, PERSON = ValueKind


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("1.500,5 m", "1500.5 m"),
        ("1,500.5 m", "1500.5 m"),
        ("150 cm", "1.5 m"),
        ("±20 sentimeter", "0.2 m"),
        ("dua belas orang", "12 orang"),
        ("seratus dua puluh lima", "125"),
        ("tiga ribu lima ratus rupiah", "3500 idr"),
        ("10–15 penari", "10..15 orang"),
        ("antara 7 sampai 9 hari", "604800..777600 s"),
        ("0,5 kg", "0.5 kg"),
        ("seribu dua ratus", "1200"),
        ("2 juta", "2000000"),
        ("Rp 25.000", "25000 idr"),
    ],
)
def test_numbers_are_read_as_pages_write_them(text: str, key: str) -> None:
    quantity = read_quantity(text)
    assert quantity is not None
    assert quantity.key == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("17 Agustus 1945", "1945-08-17"),
        ("August 17, 1945", "1945-08-17"),
        ("17/8/1945", "1945-08-17"),
        ("1945-08-17", "1945-08-17"),
        ("2 Djuli 1921", "1921-07-02"),
        ("Desember 1953", "1953-12"),
        ("tahun 1778", "1778"),
        ("1950-an", "1950s"),
        ("abad ke-17", "c17"),
        ("abad XVII", "c17"),
        ("17th century", "c17"),
        ("17de eeuw", "c17"),
        ("1292 Saka", "saka:1292"),
    ],
)
def test_dates_keep_their_precision(text: str, key: str) -> None:
    date = read_date(text)
    assert date is not None
    assert date.key == key


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("terbuat dari kayu nangka", "kayu nangka", TEXT),
        ("ditarikan oleh penari perempuan", "tarian perempuan penari", TEXT),
        ("bambu, rotan dan kulit", "kulit; rotan; bambu", SET),
        ("150 cm", "1,5 meter", NUMBER),
        ("abad ke-17", "abad XVII", DATE),
        ("Kabupaten Bantul", "Bantul", PLACE),
        ("Ki Manteb Soedharsono", "Manteb Sudarsono", PERSON),
    ],
)
def test_values_that_say_the_same(a: str, b: str, kind: ValueKind) -> None:
    assert same_value(a, b, kind)
    assert same_value(b, a, kind)
    assert not contradicts(a, b, kind)


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("kayu jati", "kulit kerbau", TEXT),
        ("5 orang", "9 orang", NUMBER),
        ("1945", "1950", DATE),
        ("Bantul", "Banyuwangi", PLACE),
        ("Bagong Kussudiardja", "I Wayan Lotring", PERSON),
    ],
)
def test_values_that_cannot_both_be_right(a: str, b: str, kind: ValueKind) -> None:
    assert contradicts(a, b, kind)
    assert contradicts(b, a, kind)
    assert not same_value(a, b, kind)


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Agustus 1945", "1945", DATE),
        ("12", "10-15", NUMBER),
        ("3 m", "3 kg", NUMBER),
        ("kayu nangka tua", "kayu nangka", TEXT),
        ("bambu", "rotan", SET),
        ("Bantul, Yogyakarta", "Yogyakarta", PLACE),
        ("Bagong Kussudiardja", "Bagong", PERSON),
    ],
)
def test_a_coarser_value_neither_equals_nor_contradicts_a_finer_one(a: str, b: str, kind: ValueKind) -> None:
    assert not contradicts(a, b, kind)
    assert not same_value(a, b, kind)


def test_a_gazetteer_may_say_that_two_places_are_related() -> None:
    assert not contradicts("Bukittinggi", "Sumatera Barat", PLACE, related=lambda a, b: {a, b} != set())


def test_synonyms_of_the_profile_are_one_value() -> None:
    synonyms = {"daun kelapa muda": "janur", "kendang": "gendang"}
    assert same_value("kendang, gong", "gong dan gendang", SET, synonyms)
    assert value_key("daun kelapa muda", TEXT, synonyms) == value_key("janur", TEXT)


def test_a_fact_is_keyed_by_its_attributes_kind_and_the_profiles_synonyms() -> None:
    pdbi = load_profile("pdbi")
    assert fact_key(pdbi, "bahan", "buluh, lembu") == fact_key(pdbi, "bahan", "sapi dan bambu")
    assert fact_key(pdbi, "tahun", "abad XVII") == "c17"
    assert fact_key(pdbi, "asal-daerah", "Kabupaten Bantul") == fact_key(pdbi, "asal-daerah", "Bantul")
    assert fact_key(pdbi, "no such attribute", "?!") == "?!"


@settings(max_examples=80, derandomize=True, deadline=None)
@given(st.text(max_size=30), st.text(max_size=30), st.sampled_from(list(ValueKind)))
def test_any_text_is_compared_and_both_ways_alike(a: str, b: str, kind: ValueKind) -> None:
    assert same_value(a, a, kind)
    assert not contradicts(a, a, kind)
    assert same_value(a, b, kind) == same_value(b, a, kind)
    assert contradicts(a, b, kind) == contradicts(b, a, kind)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("0" * 80_000, ValueKind.NUMBER),
        ("1," * 40_000, ValueKind.NUMBER),
        ("a" + " " * 80_000 + "b", ValueKind.SET),
        ("a & " * 20_000, ValueKind.SET),
    ],
)
def test_a_value_without_end_is_read_once(value, kind):
    assert value_key(value, kind)


def test_the_parts_of_a_set_are_parted_by_words_and_signs_on_one_line_or_several():
    assert value_key("bambu dan rotan & kayu\n dan besi", ValueKind.SET) == value_key(
        "besi, bambu, kayu, rotan", ValueKind.SET
    )

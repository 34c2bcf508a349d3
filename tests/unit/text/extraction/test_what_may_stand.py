"""Checks that every value, every sentence and every name must pass, whichever rule found them."""

from __future__ import annotations

import pytest
from tests.unit.text.extraction.pages import facts, read

from lumbung.profiles.loader import load_profile
from lumbung.text.extraction.soundness import is_sound, states
from lumbung.text.extraction.wording import wording_for

INDONESIAN = wording_for("ind")


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("bahan", "dua"),
        ("bahan", "bumbu-bumbu pilihan"),
        ("bahan", "irisan beberapa jenis buah"),
        ("bagian", "bagian"),
        ("warna", "Sintetis"),
        ("waktu", "saat ini"),
        ("waktu", "ketika kepala suku memerintahkan"),
        ("penetapan", "makanan untuk raja dan bangsawan"),
        ("fungsi", "dan hiburan"),
        ("fungsi", "hiburan bagi"),
        ("tujuan", "menolak bala (tulah"),
        ("makna", "https://contoh.id"),
    ],
)
def test_words_that_can_be_no_value_are_none(attribute: str, value: str) -> None:
    assert INDONESIAN is not None
    assert not is_sound(load_profile().attributes[attribute], value, INDONESIAN)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("bahan", "kayu nangka"),
        ("warna", "merah tua"),
        ("waktu", "setiap bulan Sura"),
        ("penetapan", "Warisan Budaya Takbenda"),
        ("tahun", "1930"),
        ("tujuan", "menolak bala"),
    ],
)
def test_words_that_say_a_value_stand(attribute: str, value: str) -> None:
    assert INDONESIAN is not None
    assert is_sound(load_profile().attributes[attribute], value, INDONESIAN)


def test_a_question_and_a_supposed_case_state_nothing() -> None:
    assert INDONESIAN is not None
    assert not states("Apakah angklung terbuat dari bambu?", INDONESIAN)
    assert not states("Jika terbuat dari kayu, bunyinya lain.", INDONESIAN)
    assert states("Angklung terbuat dari bambu.", INDONESIAN)


def test_what_a_thing_is_compared_with_tells_nothing_of_it() -> None:
    page = (
        "<h1>Tari Gandrung</h1><p>Tari Gandrung adalah tarian suku Sasak. Tari Gandrung mirip dengan tarian yang berasal dari "
        "Banyuwangi dan Bali.</p>"
    )
    assert facts(read(page)[0]) == {("suku", "Sasak")}


def test_places_count_up_to_where_another_clause_begins() -> None:
    page = (
        "<h1>Keris</h1><p>Keris adalah senjata tradisional. Keris berasal dari Jawa, namun persebarannya mencakup Bali dan "
        "Kalimantan.</p>"
    )
    places = {value for attribute, value in facts(read(page)[0]) if attribute == "asal-daerah"}
    assert places == {"Jawa"}


def test_named_only_as_what_there_is_besides_the_item_is_left_for_another() -> None:
    page = (
        "<h1>Tari Kecak</h1><p>Tari Kecak adalah tarian dari Bali. Selain tari Kecak, Bali juga memiliki tari Legong. Tarian ini "
        "dibawakan oleh tiga orang.</p>"
    )
    assert not any(attribute == "jumlah-pemain" for attribute, _ in facts(read(page)[0]))


def test_before_its_definition_a_kind_is_not_the_thing_that_a_headline_has_among_others() -> None:
    page = (
        "<h1>Mengulik Keris, Rencong dan Mandau</h1><p>Senjata ini berasal dari Jawa.</p>"
        "<p>Rencong adalah senjata tradisional khas Aceh. Senjata ini terbuat dari besi.</p>"
    )
    told = facts(read(page)[0])
    assert ("asal-daerah", "Aceh") in told
    assert ("bahan", "besi") in told
    assert ("asal-daerah", "Jawa") not in told


def test_two_parts_of_a_page_about_one_thing_are_one_item() -> None:
    page = (
        "<h1>Upacara di Tana Toraja yang penting diketahui: Rambu Solo</h1><p>Awalnya, Rambu Solo adalah upacara pemakaman para "
        "bangsawan.</p><h2>Rambu Solo, upacara pemakaman Toraja</h2><p>Rambu Solo merupakan upacara pemakaman di Tana Toraja.</p>"
    )
    assert [item.name for item in read(page)] == ["Rambu Solo"]


@pytest.mark.parametrize(
    "page",
    [
        "<h1>Sedekah Bumi dan Sedekah Laut</h1><p>Sedekah Bumi dan Sedekah Laut adalah upacara adat di Pati.</p>",
        "<h1>Masjid Keraton</h1><p>Masjid ini hanya memiliki dua ruangan, yaitu ruang utama serta serambi.</p>",
        "<h1>Batik Day</h1><p>Batik Day is a celebration of the traditional cloth of Java.</p>",
        "<h1>Gasing Nusantara</h1><p>Jenis gasing adalah permainan tradisional dari Yogyakarta.</p>",
    ],
)
def test_two_things_numbers_days_and_sorts_are_no_item(page: str) -> None:
    assert read(page) == []


def test_after_a_place_and_a_site_the_name_begins() -> None:
    page = "<h1>Kuliner dari Yogyakarta</h1><p>Jakarta (contoh.com) – Gudeg adalah makanan khas Yogyakarta.</p><p>Gudeg terbuat dari nangka muda.</p>"
    assert [item.name for item in read(page)] == ["Gudeg"]


def test_an_entry_that_names_no_known_thing_still_ends_the_one_before_it() -> None:
    page = (
        "<h1>Alat musik Sumatera Barat</h1><ul><li>Saluang: Saluang adalah alat musik tiup Minangkabau dari bambu.</li>"
        "<li>Rabab: Rabab adalah alat musik gesek Minangkabau.</li><li>Sasando: Alat musik ini terbuat dari daun lontar.</li></ul>"
    )
    assert not any("lontar" in value for item in read(page) for _, value in facts(item))

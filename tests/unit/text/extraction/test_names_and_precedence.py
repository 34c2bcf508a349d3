"""The one reading that every name passes, the shapes of values, and which of two statements of origin counts."""

from __future__ import annotations

import pytest
from tests.unit.text.extraction.pages import PROFILE, facts, read

from lumbung.text.extraction.calling import name_in
from lumbung.text.extraction.category import vocabulary_of
from lumbung.text.extraction.soundness import is_sound
from lumbung.text.extraction.wording import wording_for


@pytest.mark.parametrize(
    ("language", "words", "name"),
    [
        ("ind", "Tari Gandrung Berasal", "Tari Gandrung"),
        ("ind", "Mandau adalah Senjata", "Mandau"),
        ("ind", "Upacara kematian bernama Tiwah", "Tiwah"),
        ("ind", "Tradisi unik yang disebut Mekotek", "Mekotek"),
        ("ind", "Badik Dikenal di Sulawesi Selatan", "Badik"),
        ("eng", "Traditional dance called Piring", "Piring"),
        ("nld", "Trom genaamd tifa", "Tifa"),
        ("ind", "Batu Belah Batu Bertangkup", "Batu Belah Batu Bertangkup"),
        ("ind", "Legenda Batu Menangis", "Legenda Batu Menangis"),
        ("ind", "Tari Merak", "Tari Merak"),
    ],
)
def test_a_name_follows_a_word_of_naming_and_ends_before_a_verb(language: str, words: str, name: str) -> None:
    wording = wording_for(language)
    assert wording is not None
    assert name_in(words, wording, vocabulary_of(PROFILE)) == name


@pytest.mark.parametrize(
    ("page", "no_name"),
    [
        (
            (
                "<h1>Rumah adat</h1><h2>1. Provinsi Jambi – Rumah adat tradisional</h2><p>Rumah adat dari Jambi ini disebut Kajang Lako. "
                "Rumah ini terbuat dari kayu.</p><h2>2. Provinsi Riau – Rumah adat tradisional</h2><p>Rumah adat dari Riau ini disebut "
                "Selaso Jatuh Kembar.</p><h2>3. Provinsi Lampung – Rumah adat</h2><p>Rumah adat dari Lampung disebut Nuwo Sesat.</p>"
            ),
            "Provinsi Jambi",
        ),
        (
            "<h1>Traditional houses</h1><p>Meanwhile, rumah gadang is a traditional house from West Sumatra.</p>",
            "Meanwhile",
        ),
        (
            "<h1>Sword</h1><p>This sword is from Sumatra, where it is known as a klewang. The sword is made of iron.</p>",
            "Sword",
        ),
    ],
)
def test_a_district_a_lead_and_a_common_noun_are_no_names(page: str, no_name: str) -> None:
    assert no_name not in {candidate.name for candidate in read(page)}


def test_a_word_that_another_language_took_from_the_land_is_a_name() -> None:
    page = "<h1>Kris</h1><p>The kris is a traditional dagger from Java.</p><p>Length: 45 cm</p><p>Width: 4 cm</p>"
    candidate = read(page)[0]
    assert candidate.name == "Kris"
    assert {("ukuran", "panjang 45 cm"), ("ukuran", "lebar 4 cm")} <= facts(candidate)


@pytest.mark.parametrize(
    ("attribute", "value"), [("bahan", "lebar"), ("bahan", "tinggi"), ("nama-lain", "lain"), ("nama-lain", "berbeda")]
)
def test_words_of_form_are_no_materials_and_other_is_no_name(attribute: str, value: str) -> None:
    wording = wording_for("ind")
    assert wording is not None
    assert not is_sound(PROFILE.attributes[attribute], value, wording)


def test_how_a_name_is_spoken_is_no_other_name() -> None:
    candidate = read("<h1>Lumpia</h1><p>Lumpia (pronounced loom-pia) is a traditional snack from Semarang.</p>")[0]
    assert facts(candidate) == {("asal-daerah", "Semarang"), ("jenis-hidangan", "camilan")}


def test_an_entry_with_a_label_of_its_own_is_a_list_again() -> None:
    page = (
        "<h1>Sayur Asem</h1><p>Sayur Asem adalah masakan khas Betawi.</p><h2>Bahan</h2><ul><li>2 buah jagung manis</li>"
        "<li>Bumbu: asam jawa, cabai, terasi</li></ul>"
    )
    materials = {value for attribute, value in facts(read(page)[0]) if attribute == "bahan"}
    assert materials == {"jagung manis", "asam jawa", "cabai", "terasi"}


def test_a_number_keeps_the_word_that_says_of_whom() -> None:
    page = (
        "<h1>Tari Bedaya</h1><p>Tari Bedaya adalah tarian dari Surakarta. Tari ini dibawakan oleh 9 penari putri.</p>"
    )
    assert ("jumlah-pemain", "9 penari putri") in facts(read(page)[0])


def test_own_words_on_origin_overrule_a_heading_further_up() -> None:
    page = (
        "<h1>Makanan Khas Jawa Timur</h1><h2>1. Rujak Cingur</h2><p>Rujak Cingur berasal dari Surabaya yang terbuat dari cingur sapi.</p>"
        "<h2>2. Lumpia</h2><p>Lumpia berasal dari Semarang yang terbuat dari rebung.</p>"
        "<h2>3. Pecel</h2><p>Pecel terbuat dari sayuran dan sambal kacang.</p>"
    )
    places = {
        candidate.name: {value for attribute, value in facts(candidate) if attribute == "asal-daerah"}
        for candidate in read(page)
    }
    assert places == {"Rujak Cingur": {"Surabaya"}, "Lumpia": {"Semarang"}, "Pecel": {"Jawa Timur"}}


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("<p>Asal: Banyumas, namun juga populer di Jawa Barat</p>", {"Banyumas"}),
        ("<p>Asal: Palembang, juga populer di Jambi</p>", {"Palembang"}),
        ("<p>Tempe Mendoan berasal dari Daerah Istimewa Yogyakarta.</p>", {"Daerah Istimewa Yogyakarta"}),
    ],
)
def test_a_contrast_ends_an_origin_and_a_place_is_whole(words: str, places: set[str]) -> None:
    candidate = read(f"<h1>Tempe Mendoan</h1><p>Tempe Mendoan adalah makanan tradisional.</p>{words}")[0]
    assert {value for attribute, value in facts(candidate) if attribute == "asal-daerah"} == places


def test_what_follows_a_comma_is_the_origin_where_a_word_of_origin_says_so() -> None:
    cake = read("<h1>Nagasari</h1><p>Nagasari is a traditional steamed cake, from Javanese cuisine.</p>")[0]
    assert ("asal-daerah", "Jawa") in facts(cake)
    reed = read("<h1>Serunai</h1><p>Serunai is a wind instrument from Agam, in West Sumatra.</p>")[0]
    assert {("asal-daerah", "Agam"), ("asal-daerah", "Sumatera Barat")} <= facts(reed)


def test_a_phrase_ends_where_the_sentence_goes_on_with_what_else_is_done() -> None:
    dance = "<h1>Tari Kabasaran</h1><p>Tari Kabasaran adalah tarian suku Minahasa. Tarian ini digunakan untuk menyambut tamu, {}.</p>"
    assert ("fungsi", "menyambut tamu") in facts(read(dance.format("dan dibawakan oleh kaum pria"))[0])
    assert ("fungsi", "menyambut tamu") not in facts(read(dance.format("dan menjaga keseimbangan alam"))[0])


def test_an_entry_of_a_name_and_its_land_is_an_item() -> None:
    page = "<h1>3 alat musik daerah</h1><ol><li>Angklung (Jawa Barat)</li><li>Sasando (Nusa Tenggara Timur)</li><li>Tifa</li></ol>"
    assert {candidate.name: facts(candidate) for candidate in read(page)} == {
        "Angklung": {("asal-daerah", "Jawa Barat")},
        "Sasando": {("asal-daerah", "Nusa Tenggara Timur")},
    }


def test_a_people_that_is_named_as_one_stands_beside_the_land_of_the_name() -> None:
    page = (
        "<h1>Tongkonan</h1><table><tr><th>Asal daerah</th><td>Tana Toraja</td></tr><tr><th>Suku</th><td>Toraja</td></tr></table>"
        "<p>Tongkonan adalah rumah adat suku Toraja.</p>"
    )
    assert ("suku", "Toraja") in facts(read(page)[0])
    page = (
        "<h1>Traditional weapons</h1><h2>1. Celurit from Madura</h2><p>There is a celurit which is a typical weapon from the land of "
        "Madura.</p><h2>2. Rencong from Aceh</h2><p>Rencong is a traditional weapon.</p>"
    )
    assert facts(read(page)[0]) == {("asal-daerah", "Madura")}

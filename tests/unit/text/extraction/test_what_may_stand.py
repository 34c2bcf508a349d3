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
        "<h1>Keris Brojol</h1><p>Keris Brojol adalah senjata tradisional. Keris Brojol berasal dari Jawa, namun persebarannya mencakup Bali dan "
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


def test_an_entry_that_does_not_name_its_thing_again_ends_the_one_before_it() -> None:
    page = (
        "<h1>Alat musik Sumatera Barat</h1><ul><li>Saluang: Saluang adalah alat musik tiup Minangkabau dari bambu.</li>"
        "<li>Rabab: Rabab adalah alat musik gesek Minangkabau.</li><li>Sasando: Alat musik ini terbuat dari daun lontar.</li></ul>"
    )
    told = {item.name: [value for _, value in facts(item)] for item in read(page)}
    assert told["Sasando"]
    assert not any("lontar" in value for name in ("Saluang", "Rabab") for value in told[name])


@pytest.mark.parametrize(
    ("told", "attribute", "values"),
    [
        ("Papeda terbuat dari sagu, sumber karbohidrat yang penting.", "bahan", {"sagu"}),
        ("Papeda terbuat dari tepung sagu, garam, dan air.", "bahan", {"tepung sagu", "garam", "air"}),
        ("Untuk mengambil papeda dipakai gata-gata (terbuat dari bambu).", "bahan", set()),
        ("Papeda menjadi sarana hiburan, pergaulan, serta memperkuat persaudaraan.", "fungsi", set()),
    ],
)
def test_a_value_stands_whole_and_of_the_item_or_not_at_all(told: str, attribute: str, values: set[str]) -> None:
    (dish,) = read(f"<h1>Papeda</h1><p>Papeda adalah makanan khas Maluku. {told}</p>")
    assert {value for name, value in facts(dish) if name == attribute} == values


def test_who_tells_a_story_is_no_item_and_where_it_is_no_part_of_its_name() -> None:
    page = (
        "<h1>Rumah Adat NTT</h1><p>Beritaku – Rumah Musalaki merupakan rumah adat dari Nusa Tenggara Timur.</p>"
        "<p>Rumah Musalaki terbuat dari kayu.</p>"
    )
    assert [item.name for item in read(page)] == ["Rumah Musalaki"]
    page = (
        "<h1>3 Upacara Adat</h1><h2>1. Kedurai Agung</h2><p>Upacara adat Kedurai Agung di Provinsi Bengkulu adalah ritual suku Rejang.</p>"
        "<p>Kedurai Agung bertujuan untuk memohon keselamatan.</p>"
    )
    assert [item.name for item in read(page)] == ["Upacara adat Kedurai Agung"]


def test_a_name_that_the_heading_above_does_not_have_is_none() -> None:
    page = (
        "<h1>7 Senjata Papua</h1><h2>1. Tombak Khas Papua</h2><p>Tombak orang Papua adalah senjata tradisional dari Papua.</p>"
        "<p>Bahannya mudah ditemukan.</p>"
    )
    assert "Tombak orang Papua" not in [item.name for item in read(page)]


@pytest.mark.parametrize(
    "page",
    [
        "<h1>Kue Khas Daerah</h1><p>Kue khas daerah adalah makanan tradisional. Kue Bugis khas dari Makassar.</p><p>Kue ini manis.</p>",
        "<h1>Senjata</h1><h2>Senjata Bengkulu</h2><p>Nama senjata tradisional Bengkulu adalah keris.</p><p>Senjata ini terbuat dari besi.</p>",
        "<h1>Tradisi 7 Suku</h1><h2>3. Suku Nias</h2><p>Ini adalah ritual lompat batu yang dilakukan oleh pemuda.</p>",
        "<h1>Tanya</h1><h2>Jelaskan tentang Angklung!</h2><p>Angklung adalah alat musik dari bambu yang dimainkan dengan cara digoyangkan.</p>",
    ],
)
def test_a_kind_a_people_or_a_question_is_no_name(page: str) -> None:
    assert not {item.name for item in read(page)} & {
        "Kue",
        "Nama senjata tradisional Bengkulu",
        "Suku Nias",
        "Jelaskan tentang Angklung!",
    }


def test_a_thing_called_by_its_kind_has_no_facts_but_those_of_its_definition() -> None:
    page = (
        "<h1>Keris</h1><p>Keris adalah senjata tradisional dari Jawa. Keris Brojol terbuat dari besi. "
        "Senjata ini digunakan untuk melawan penjajah.</p>"
    )
    assert facts(read(page)[0]) == {("asal-daerah", "Jawa")}


def test_a_sentence_without_a_subject_speaks_of_what_the_one_before_it_spoke_of() -> None:
    page = (
        "<html lang='en'><h1>Wedang Uwuh</h1><p>Wedang Uwuh is a traditional drink from Yogyakarta, Indonesia. {}</p>"
        "<p>It is often drunk in the evening.</p></html>"
    )
    own = facts(read(page.format("It is made from ginger and sugar."))[0])
    assert {("bahan", "jahe"), ("bahan", "gula")} <= own
    other = facts(read(page.format("Ronde. Made from ginger and sugar."))[0])
    assert not any(attribute == "bahan" for attribute, _ in other)


def test_the_land_behind_a_people_is_a_land_and_no_land_behind_a_comma_is_an_origin() -> None:
    (dance,) = read("<h1>Tari Saman</h1><p>Tari Saman merupakan tarian tradisional dari suku Gayo, Aceh.</p>")
    assert facts(dance) == {("suku", "Gayo"), ("asal-daerah", "Aceh")}
    (dress,) = read(
        "<h1>Manteren Lamo</h1><p>Manteren Lamo merupakan pakaian adat dari Maluku Utara, peninggalan kesultanan tertua, yaitu "
        "Kesultanan Ternate dan Tidore.</p>"
    )
    assert facts(dress) == {("asal-daerah", "Maluku Utara")}


def test_a_land_is_no_other_name_and_a_material_no_class_of_instruments() -> None:
    page = (
        "<h1>Alat Musik Daerah</h1><p>Berikut ini adalah beberapa contoh alat musik tradisional dari daerah-daerah di Indonesia.</p>"
        "<table><tr><th>Nama Alat Musik</th><th>Nama Daerah</th><th>Sumber Bunyi</th></tr>"
        "<tr><td>Sasando</td><td>Nusa Tenggara Timur</td><td>Tumbuhan pandan</td></tr>"
        "<tr><td>Gambus</td><td>Sumatera Selatan</td><td>Kordofon</td></tr></table>"
    )
    assert {fact for item in read(page) for fact in facts(item)} == {("golongan", "Kordofon")}


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        (
            "dikerjakan dengan teknik ikat ganda: benang lungsi dan pakan diikat sebelum ditenun",
            {("teknik", "ikat ganda")},
        ),
        ("dikerjakan dengan teknik ikat ganda; benangnya diikat sebelum ditenun", {("teknik", "ikat ganda")}),
        ("berfungsi sebagai berikut: pelengkap upacara dan hadiah", set()),
        (
            "melambangkan kesucian dan selalu dikenakan pada setiap upacara",
            {("makna", "kesucian"), ("waktu", "pada setiap upacara")},
        ),
        ("melambangkan kesucian dengan gerakan yang lembut", {("makna", "kesucian")}),
        ("terbuat dari benang hitam dan putih", {("bahan", "benang hitam")}),
        ("terbuat dari kapas dan punya warna khas", {("bahan", "kapas")}),
    ],
)
def test_a_phrase_ends_before_another_statement_but_not_before_what_it_announces(sentence, said) -> None:
    (cloth,) = read(
        f"<h1>Kain Gringsing</h1><p>Kain gringsing adalah kain tenun dari Bali. Kain gringsing {sentence}.</p>"
    )
    assert facts(cloth) - {("asal-daerah", "Bali")} == said

"""Of what a sentence tells: of the item, of one form of it, of what belongs to it, of another thing, or of its people."""

from __future__ import annotations

import pytest
from tests.unit.text.extraction.pages import facts, read


def _of(html: str, name: str) -> set[tuple[str, str]]:
    return next(facts(item) for item in read(html) if item.name == name)


@pytest.mark.parametrize(
    "sentence",
    [
        "Sarung Tari Remo terbuat dari kayu.",
        "Namun, pada umumnya, panggung Tari Remo terbuat dari kayu.",
        "Sarungnya terbuat dari kayu.",
    ],
)
def test_what_belongs_to_a_thing_is_not_the_thing(sentence: str) -> None:
    page = f"<h1>Kujang Ciung</h1><p>Kujang Ciung adalah senjata tradisional dari Jawa Barat. {sentence}</p>"
    assert not {
        value for code, value in _of(page.replace("Tari Remo", "Kujang Ciung"), "Kujang Ciung") if code == "bahan"
    }


def test_an_entry_whose_name_goes_on_after_that_of_the_item_tells_of_one_form_of_it() -> None:
    page = (
        "<h1>Gambus Palu</h1><p>Gambus Palu adalah alat musik petik dari Palu. Gambus Palu terbuat dari kayu nangka.</p>"
        "<ul><li>Gambus Palu Kecil: gambus yang panjangnya 40 cm dan terbuat dari bambu.</li></ul>"
    )
    found = _of(page, "Gambus Palu")
    assert ("bahan", "kayu nangka") in found
    assert not {code for code, value in found if code == "ukuran" or value == "bambu"}


def test_what_follows_the_name_of_another_of_the_kind_is_told_of_that() -> None:
    page = (
        "<h1>Rumah Baileo</h1><p>Rumah Baileo adalah rumah adat dari Maluku.</p>"
        "<p>Rumah adat suku Sasak dikenal dengan nama Bale Tani.</p><p>Bangunannya terbuat dari bambu.</p>"
    )
    assert ("bahan", "bambu") not in _of(page, "Rumah Baileo")


def test_a_clause_with_a_subject_of_its_own_tells_of_that() -> None:
    page = (
        "<h1>Lalampa</h1><p>Lalampa adalah kue tradisional dari Manado. Lalampa disukai karena isi kue ini adalah ikan dengan "
        "rasa pedas. Lalampa populer karena memiliki rasa gurih.</p>"
    )
    assert {value for code, value in _of(page, "Lalampa") if code == "rasa"} == {"gurih"}


def test_a_member_that_goes_on_behind_a_word_of_range_is_not_taken_in_part() -> None:
    page = (
        "<h1>Balogo</h1><p>Balogo adalah permainan tradisional suku Banjar. Permainan ini dilakukan oleh anak-anak sampai "
        "dengan remaja.</p>"
    )
    assert "pelaku" not in {code for code, _ in _of(page, "Balogo")}


def test_what_a_thing_stands_for_is_not_whose_it_is() -> None:
    page = (
        "<h1>Motif Mega Mendung</h1><p>Motif ini berbentuk awan. Mega mendung merupakan lambang dari masyarakat Cirebon di "
        "pesisir. Motif Mega Mendung bermakna kesabaran.</p>"
    )
    assert not {value for item in read(page) for code, value in facts(item) if code in {"suku", "asal-daerah"}}


def test_a_sentence_that_opens_with_the_noun_of_an_attribute_may_name_the_item_behind_it() -> None:
    page = (
        "<h1>Tari Remo</h1><p>Tari Remo adalah tarian tradisional dari Jombang, Jawa Timur. Busana yang biasanya dikenakan dalam "
        "Tari Remo adalah rompi hitam, celana selutut, dan selendang.</p>"
    )
    assert {value for code, value in _of(page, "Tari Remo") if code == "busana"} == {
        "rompi hitam",
        "celana selutut",
        "selendang",
    }


def test_a_name_before_a_comma_is_the_name_and_what_it_is_also_called_another() -> None:
    page = (
        "<h1>Bantal Buruk</h1><p>Kuih Bantal Buruk, juga dikenali sebagai “Batang Buruk”, merupakan kuih tradisional "
        "Terengganu yang manis.</p>"
    )
    assert [item.name for item in read(page)] == ["Kuih Bantal Buruk"]
    assert ("nama-lain", "Batang Buruk") in _of(page, "Kuih Bantal Buruk")


def test_a_title_that_runs_into_the_first_sentence_is_no_part_of_the_name() -> None:
    title = "Tari Tradisional Seblang Daerah Osing Makna, Busana dan Musik Iringan"
    page = f"<title>{title}</title><h1>{title}</h1><p>{title} - Seblang adalah tari tradisional yang berasal dari Banyuwangi. Seblang ditarikan oleh seorang gadis.</p>"
    assert [item.name for item in read(page)] == ["Seblang"]


def test_words_of_kind_that_only_the_heading_has_are_left_off() -> None:
    page = (
        "<h1>Naskah Prasasti Munjul</h1><p>Prasasti Munjul menggunakan bahasa Sansekerta. Prasasti Munjul ditemukan di Desa "
        "Lebak.</p>"
    )
    assert [item.name for item in read(page)] == ["Prasasti Munjul"]


def test_how_an_instrument_is_played_ends_before_what_it_is_played_with() -> None:
    page = (
        "<h1>Gambang Kayu</h1><p>Gambang Kayu adalah alat musik tradisional Betawi. Gambang Kayu terbuat dari 18 bilah kayu. "
        "Gambang Kayu dimainkan dengan cara dipukul menggunakan dua alat pemukul yang dipegang oleh tangan kanan dan kiri.</p>"
    )
    found = _of(page, "Gambang Kayu")
    assert {("cara-memainkan", "dipukul"), ("bahan", "kayu")} <= found


def test_the_size_of_what_a_thing_has_is_not_its_own() -> None:
    page = "<h1>Candi Plumbangan</h1><p>Candi Plumbangan adalah candi di Blitar. Bangunannya berdiri kokoh, dengan lubang pintu setinggi 3,5 meter.</p>"
    assert "ukuran" not in {code for code, _ in _of(page, "Candi Plumbangan")}


def test_a_label_may_have_the_kind_of_thing_behind_it() -> None:
    page = "<h1>Candi Plumbangan</h1><p>Candi Plumbangan adalah candi di Blitar.</p><ul><li>Bahan Bangunan: batu andesit</li></ul>"
    assert ("bahan", "batu andesit") in _of(page, "Candi Plumbangan")


def test_the_name_may_stand_behind_its_kind_and_a_dash() -> None:
    page = (
        "<h1>30 Macam Alat Musik Tiup</h1><h2>1. Alat Musik Tiup – Suling Lembang</h2><p>Suling Lembang terbuat dari bambu.</p>"
        "<h2>2. Alat Musik Tiup – Saluang</h2><p>Saluang terbuat dari talang.</p>"
    )
    assert ("bahan", "bambu") in _of(page, "Suling Lembang")


def test_the_title_of_an_english_list_says_of_what_kind_its_members_are() -> None:
    page = (
        "<h1>5 Indonesian Traditional Musical Instruments Worldwide</h1><h2>1. Kolintang</h2><p>Kolintang comes from Minahasa, "
        "North Sulawesi. It is played in groups.</p><h2>2. Sasando</h2><p>Sasando comes from Rote.</p>"
    )
    assert ("asal-daerah", "Sulawesi Utara") in _of(page, "Kolintang")


def test_who_wrote_the_cited_book_did_not_make_the_thing() -> None:
    page = (
        "<h1>Lagu Apuse Kokon</h1><p>Dalam buku Lagu Daerah (2017) karya Intan Permata, Lagu Apuse Kokon adalah lagu daerah dari "
        "Papua. Lagu Apuse Kokon diciptakan oleh Tete Mandosir.</p>"
    )
    assert {value for code, value in _of(page, "Lagu Apuse Kokon") if code == "pencipta"} == {"Tete Mandosir"}


def test_a_kind_shown_as_of_another_land_is_another_thing() -> None:
    page = (
        "<h1>Rumah Baileo</h1><p>Rumah Baileo adalah rumah adat dari Maluku.</p><p>Tiang rumah adat Sulawesi Tengah ini dibuat dari "
        "kayu bonati. Lantainya dibuat dari papan.</p>"
    )
    found = _of(page, "Rumah Baileo")
    assert ("asal-daerah", "Maluku") in found
    assert not {value for _, value in found} & {"Sulawesi Tengah", "kayu bonati", "papan"}


def test_a_heading_of_a_kind_and_a_name_is_that_of_an_item() -> None:
    page = (
        "<h1>Makna di Balik Batik</h1><h2>Batik Motif Ceplok</h2><p>Motif ini berasal dari Yogyakarta. Ceplok melambangkan "
        "keteraturan.</p><h2>Batik Motif Gentongan</h2><p>Gentongan melambangkan keberanian.</p>"
    )
    assert {("asal-daerah", "Yogyakarta"), ("makna", "keteraturan")} <= _of(page, "Ceplok")


def test_a_recipe_whose_text_spells_the_name_otherwise_is_that_of_the_heading() -> None:
    page = (
        "<h1>3 Resep Kue Basah Khas Samarinda</h1><h2>1. Kue Jenderal Mabok</h2><p>Kue jenderal mabuk adalah kue tradisional dari "
        "Samarinda. Kue Jenderal Mabok berwarna hijau.</p><h3>Bahan-bahan</h3><ul><li>25 gram tepung terigu</li><li>1 sachet vanili</li></ul>"
    )
    assert {("bahan", "tepung terigu"), ("bahan", "vanili")} <= _of(page, "Kue Jenderal Mabok")


def test_words_with_a_passive_verb_name_no_material() -> None:
    page = (
        "<h1>Rumah Lamin</h1><p>Rumah Lamin adalah rumah adat dari Kalimantan Timur. Rumah Lamin terbuat dari papan kayu dan atapya "
        "dibuat dari ijuk.</p>"
    )
    assert ("bahan", "papan kayu") in _of(page, "Rumah Lamin")
    assert not {value for _, value in _of(page, "Rumah Lamin") if "dibuat" in value}


def test_the_noun_of_an_attribute_before_the_name_of_the_item_says_its_value() -> None:
    page = (
        "<h1>Wedang Pokak</h1><p>Wedang Pokak adalah minuman tradisional dari Jawa Timur. Bahan utama Wedang Pokak adalah jahe, serai, "
        "dan gula aren. Fungsi Wedang Pokak adalah untuk menghangatkan badan. Bahan utama tempe adalah kedelai.</p>"
    )
    found = _of(page, "Wedang Pokak")
    assert {value for code, value in found if code == "bahan"} == {"jahe", "serai", "gula aren"}
    assert ("fungsi", "menghangatkan badan") in found

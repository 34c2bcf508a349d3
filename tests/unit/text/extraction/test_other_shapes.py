"""Pages of shapes that mislead: talk, headlines, parts of a text, several things in turn."""

from __future__ import annotations

import pytest
from tests.unit.text.extraction.pages import GAZETTEER, PROFILE, facts, read

from lumbung.model.candidate import Candidate
from lumbung.text.extraction.lexical import extract
from lumbung.text.markup import read_plain


def read_lines(text: str) -> list[Candidate]:
    return extract(read_plain(text), PROFILE, GAZETTEER)


def test_who_says_it_is_no_part_of_the_name() -> None:
    (papeda,) = read("<h1>Apa itu papeda?</h1><p>siti_k: Papeda adalah bubur sagu khas Papua.</p>")
    assert papeda.name == "Papeda"


def test_a_headline_and_its_byline_make_no_item() -> None:
    page = "<h1>Festival Danau Toba Dihadiri Ribuan Pengunjung</h1><p>Festival dibuka di Balige.</p><p>Penulis: Anu</p>"
    assert read(page) == []


def test_what_is_compared_before_the_subject_is_not_the_subject() -> None:
    (item,) = read(
        "<h1>Lontong Balap</h1><p>Berbeda dengan lontong kupang dari Sidoarjo, lontong balap adalah makanan khas Surabaya.</p>"
    )
    assert item.name == "Lontong Balap"
    assert {value for attribute, value in facts(item) if attribute == "asal-daerah"} == {"Surabaya"}


def test_examples_stand_for_their_class() -> None:
    (dance,) = read(
        "<h1>Tari Payung</h1><p>Tari Payung adalah tarian dari Sumatera Barat yang diiringi alat musik seperti rebana, gong dan biola.</p>"
    )
    assert {value for attribute, value in facts(dance) if attribute == "iringan"} == {"rebana", "gong", "biola"}


def test_after_the_definition_of_another_thing_a_kind_points_at_that_one() -> None:
    (soto,) = read(
        "<h1>Soto Betawi</h1><p>Soto Betawi adalah makanan khas Jakarta.</p><p>Pempek adalah makanan khas Palembang. "
        "Makanan ini terbuat dari ikan.</p>"
    )
    assert facts(soto) == {("asal-daerah", "Jakarta")}


def test_numbered_names_over_their_text_are_items_of_their_own() -> None:
    found = read_lines(
        "Contoh makanan daerah\n1. Soto Betawi\nSoto Betawi adalah makanan tradisional yang berasal dari Jakarta.\n"
        "2. Pempek\nPempek adalah makanan tradisional dari Palembang yang terbuat dari ikan.\n"
    )
    assert [item.name for item in found] == ["Soto Betawi", "Pempek"]
    assert ("bahan", "ikan") in facts(found[1])
    assert ("bahan", "ikan") not in facts(found[0])


def test_names_set_in_bold_before_their_definitions_are_items() -> None:
    found = read(
        "<h1>Senjata Tradisional</h1><p><b>Badik.</b> Badik adalah senjata tradisional suku Bugis.</p>"
        "<p><b>Mandau.</b> Mandau adalah senjata tradisional suku Dayak.</p>"
    )
    assert [item.name for item in found] == ["Badik", "Mandau"]


@pytest.mark.parametrize("heading", ["Pendahuluan", "Penutup", "Keunikan Gerakan", "Baca Juga"])
def test_a_heading_of_a_part_of_the_text_is_no_name(heading: str) -> None:
    page = f"<h1>Tarian Tradisional Sumatera Barat</h1><h2>{heading}</h2><p>Tarian ini berasal dari Sumatera Barat.</p>"
    assert read(page) == []


def test_where_a_thing_is_found_today_is_not_where_it_is_from() -> None:
    (dance,) = read(
        "<h1>Tari Piring</h1><p>Tari Piring adalah tarian dari Sumatera Barat. Tarian ini kini berkembang di Jakarta.</p>"
    )
    assert dance.regions == ("ID-SB",)


def test_from_a_land_is_a_place_even_where_its_people_are_called_the_same() -> None:
    (dish,) = read("<h1>Sate Lilit</h1><p>Sate lilit is a Balinese dish. It comes from Bali.</p>")
    assert ("asal-daerah", "Bali") in facts(dish)


def test_the_condition_of_a_museum_piece_is_no_offer() -> None:
    (keris,) = read(
        "<h1>Keris Luk Sembilan</h1><dl><dt>Asal Daerah</dt><dd>Surakarta</dd><dt>Kondisi</dt><dd>Baik</dd>"
        "<dt>Masa</dt><dd>Abad ke-19</dd></dl><p>Keris ini memiliki bilah dengan sembilan luk.</p>"
    )
    assert ("tahun", "Abad ke-19") in facts(keris)


def test_a_row_that_names_the_category_is_no_fact() -> None:
    dish, _ = read(
        "<h1>Data Warisan Budaya Takbenda</h1><p>Data ini diperbarui setiap tahun oleh dinas.</p>"
        "<table><tr><th>Nama Karya Budaya</th><th>Kategori</th><th>Provinsi</th></tr>"
        "<tr><td>Rendang</td><td>Makanan Minuman</td><td>Sumatera Barat</td></tr>"
        "<tr><td>Tari Bedana</td><td>Tarian</td><td>Lampung</td></tr></table>"
    )
    assert facts(dish) == {("asal-daerah", "Sumatera Barat")}


def test_words_of_a_dialect_after_a_title_make_no_item_unless_they_take_it_up() -> None:
    talk = "Abdi resep ku aplikasi ieu\nAbdi tos lami nganggo aplikasi ieu, seueur dahareun sareng sangu anu ngeunah pisan."
    assert read_lines(talk) == []


@pytest.mark.parametrize(
    "page",
    [
        "<h1>Pakaian Adat</h1><h2>Kalimantan Utara</h2><p>Pakaian ini merupakan pakaian adat suku Dayak Kenyah.</p>",
        "<h1>Balinese dance</h1><p>Balinese dance is a traditional dance from Bali, often staged in ceremonies.</p>",
        "<h1>Surakarta</h1><p>Di sini terdapat kesenian yang terkenal, namanya adalah tarian tradisional Gambyong.</p>",
    ],
)
def test_lands_kinds_and_nouns_of_a_thing_are_no_names(page: str) -> None:
    assert read(page) == []


def test_who_is_spoken_of_in_between_is_not_the_thing() -> None:
    (dance,) = read(
        "<h1>Tari Gambyong</h1><p>Tari Gambyong adalah tarian dari Jawa Tengah.</p>"
        "<p>Namanya diambil dari Sri Gambyong. Ia adalah seorang penari yang lahir di Surakarta.</p>"
    )
    assert facts(dance) == {("asal-daerah", "Jawa Tengah")}


def test_what_explains_another_thing_in_the_sentence_is_not_said_of_the_item() -> None:
    (dance,) = read(
        "<h1>Tari Gambyong</h1><p>Tari Gambyong adalah tarian dari Jawa Tengah. Tari Gambyong merupakan bentuk dari Tari Tayub, "
        "sebuah tarian yang berfungsi sebagai hiburan di desa.</p>"
    )
    assert "fungsi" not in {attribute for attribute, _ in facts(dance)}


def test_before_the_item_is_named_a_kind_points_at_something_else() -> None:
    (dress,) = read_lines(
        "Baju adat dari Gorontalo ini memiliki 4 jenis warna yaitu hijau, merah, kuning, dan ungu.\n\n"
        "Aesan gede merupakan baju adat Sumatera Selatan yang dipakai saat pernikahan.\n"
    )
    assert {attribute for attribute, _ in facts(dress)} == {"asal-daerah", "waktu"}


def test_a_dateline_and_a_footnote_are_no_names() -> None:
    (jamu,) = read(
        "<h1>Jamu Kunyit Asam</h1><p>JEDA.ID – Jamu kunyit asam[n 1] adalah ramuan herbal khas Jawa yang dibuat dari kunyit.[2] "
        "Ramuan lain tidak dibahas.</p>"
    )
    assert (jamu.name, jamu.aliases) == ("Jamu Kunyit Asam", ())
    assert ("bahan", "kunyit") in facts(jamu)


def test_a_place_under_a_label_for_history_is_where_the_thing_is_from() -> None:
    (tale,) = read("<h1>Legenda Roro Jonggrang</h1><p>Asal Usul: Jawa Tengah</p><p>Alkisah hiduplah seorang putri.</p>")
    assert facts(tale) == {("asal-daerah", "Jawa Tengah")}


def test_a_river_in_the_title_of_its_legend_is_no_tale() -> None:
    page = (
        "<h1>Dongeng Asal Usul Sungai Mahakam</h1><p>Sungai Mahakam adalah sungai terpanjang di Kalimantan Timur.</p>"
    )
    assert read(page) == []


def test_a_line_with_a_colon_stands_over_its_list() -> None:
    (dish,) = read(
        "<h1>Es Pisang Ijo</h1><p>Es pisang ijo merupakan makanan khas Makassar.</p><p><b>Bahan:</b></p>"
        "<ul><li>6 buah pisang</li><li>200 gram tepung beras</li></ul><p><b>Cara membuat:</b></p><ol><li>Kukus pisang.</li></ol>"
    )
    assert {value for attribute, value in facts(dish) if attribute == "bahan"} == {"pisang", "tepung beras"}


def test_references_after_an_article_are_no_part_of_it() -> None:
    (rite,) = read_lines(
        "Sekaten\n\nSekaten adalah upacara tradisional dari Yogyakarta.\n\nPelaksanaan\nGamelan dikeluarkan dari keraton dan "
        "dibawa ke halaman masjid agung.\n\nReferensi\n1. Buku tentang keraton. 1990.\n"
    )
    assert facts(rite) == {("asal-daerah", "Yogyakarta")}


def test_a_list_is_no_form_to_sign_up_with() -> None:
    found = read(
        "<title>Daftar Makanan Khas</title><h1>Daftar Makanan Khas</h1><p>Berikut daftar makanan khas daerah beserta asalnya.</p>"
        "<table><tr><th>Nama Makanan</th><th>Asal</th></tr><tr><td>Mie Celor</td><td>Palembang</td></tr>"
        "<tr><td>Ayam Taliwang</td><td>Lombok</td></tr></table>"
    )
    assert [item.name for item in found] == ["Mie Celor", "Ayam Taliwang"]


def test_an_adjective_before_a_material_is_left_out_where_values_are_reworded() -> None:
    (flute,) = read(
        "<h1>Saluang</h1><p>Saluang is a traditional flute from West Sumatra. It is made of thin bamboo.</p>"
    )
    assert ("bahan", "bambu") in facts(flute)


def test_a_short_line_without_an_end_turns_to_another_thing() -> None:
    rite, *_ = read(
        "<h1>Upacara Adat di Indonesia</h1><p>1. Ngaben - Bali</p><p>Ngaben merupakan upacara pembakaran jenazah di Bali.</p>"
        "<p>2. Pesta Laut - Jawa Barat</p><p>Upacara ini dimaksudkan sebagai ucapan syukur para nelayan.</p>"
    )
    assert (rite.name, facts(rite)) == ("Ngaben", {("asal-daerah", "Bali")})


def test_what_is_said_of_a_word_is_not_said_of_the_thing() -> None:
    (rite,) = read(
        "<h1>Ngaben</h1><p>Ngaben adalah upacara pembakaran jenazah di Bali. Ngaben sebenarnya adalah istilah yang digunakan untuk "
        "masyarakat umum. Ngaben berasal dari kata ngabu yang berarti menjadikan abu, sedangkan pelebon berarti lain.</p>"
    )
    assert facts(rite) == {("asal-daerah", "Bali")}


@pytest.mark.parametrize("said", ["memiliki makna dan tujuan sebagai berikut:", "memiliki makna yang mendalam."])
def test_words_that_announce_a_value_are_none(said: str) -> None:
    (rite,) = read(f"<h1>Ngaben</h1><p>Ngaben adalah upacara dari Bali. Ngaben {said}</p>")
    assert facts(rite) == {("asal-daerah", "Bali")}


def test_a_people_is_no_rite() -> None:
    page = "<h1>Upacara Kematian Suku Alas</h1><p>Suku Alas adalah sekelompok etnis yang bermukim di Aceh Tenggara.</p>"
    assert read(page) == []


def test_words_of_place_before_the_subject_are_no_name() -> None:
    (drum,) = read("<h1>Drums</h1><p>Among the Asmat people of Papua, the Tifa is a traditional drum made of wood.</p>")
    assert drum.name == "Tifa"


def test_the_meaning_of_another_word_in_the_sentence_is_not_that_of_the_name() -> None:
    (dance,) = read(
        "<h1>Tarian Sumazau</h1><p>Tarian Sumazau merupakan tarian rakyat yang dipersembahkan pada Tadau Kaamatan "
        "yang bermaksud Hari Penuaian.</p>"
    )
    assert "arti-nama" not in {attribute for attribute, _ in facts(dance)}


def test_an_island_is_a_place_even_where_its_people_are_called_the_same() -> None:
    (harp,) = read("<h1>Sasando</h1><p>Sasando is a musical instrument originating from the island of Rote.</p>")
    assert facts(harp) == {("asal-daerah", "Rote")}


@pytest.mark.parametrize("title", ["Apik", "Masakan restoran iki ora enak."])
def test_a_judgement_in_a_language_we_do_not_read_waits_for_nobody(title: str) -> None:
    talk = "Panganane enak banget lan regane murah, sega goreng lan sate ing kene pancen apik tenan kanggo kabeh wong."
    assert read(f"<h1>{title}</h1><p>{talk}</p>") == []


def test_the_lake_of_a_legend_is_not_the_legend() -> None:
    (tale,) = read(
        "<h1>Legenda Danau Toba</h1><p>Danau Toba adalah danau vulkanik di Sumatera Utara. "
        "Legenda Danau Toba adalah cerita rakyat dari Sumatera Utara.</p>"
    )
    assert (tale.name, tale.category, tale.regions) == ("Legenda Danau Toba", "cerita-rakyat", ("ID-SU",))


def test_a_page_in_a_language_we_do_not_read_waits_though_its_byline_comes_first() -> None:
    text = "アンクルン（Angklung）は、インドネシアの西ジャワ州に伝わる竹の楽器です。二本から四本の竹筒を枠につるし、手で揺らして音を出します。"
    [waits] = read(f"<h1>アンクルン</h1><p>編集部 2014-10-01</p><p>{text}</p>")
    assert (waits.name, waits.facts) == ("アンクルン", ())

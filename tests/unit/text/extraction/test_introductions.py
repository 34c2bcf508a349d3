"""Things that a page introduces without a plain definition: by naming them, in a heading, in passing, in a list."""

from __future__ import annotations

import pytest
from tests.unit.text.extraction.pages import facts, read


@pytest.mark.parametrize(
    "sentence",
    [
        "Suku Gayo memiliki tarian tradisional yang disebut saman.",
        "Aceh mempunyai tarian bernama Saman yang terkenal.",
        "Salah satu tarian khas Aceh adalah saman.",
        "Di Aceh ada saman, yaitu tarian yang dibawakan sambil duduk.",
    ],
)
def test_a_kind_and_a_word_of_naming_define_the_title(sentence: str) -> None:
    (saman,) = read(f"<h1>Saman</h1><p>{sentence}</p>")
    assert saman.category == "tarian"
    assert saman.regions[0] in {"x-gayo", "ID-AC", "x-aceh"}


def test_a_heading_may_say_what_a_thing_is_and_where_it_is_from() -> None:
    (remo,) = read("<h1>Mengenal Remo, Tarian Khas Jombang</h1><p>Remo sering ditampilkan di sekolah.</p>")
    assert (remo.name, remo.category) == ("Remo", "tarian")
    assert ("asal-daerah", "Jombang") in facts(remo)


def test_the_head_of_an_entry_defines_without_a_verb() -> None:
    (hinggi,) = read("<h1>Hinggi</h1><p>HINGGI. Kain tenun dari Pulau Sumba yang dibuat dari kapas.</p>")
    assert hinggi.category == "motif-kain"
    assert {("asal-daerah", "Pulau Sumba"), ("bahan", "kapas")} <= facts(hinggi)


@pytest.mark.parametrize(
    "heading", ["1. Saluang – Sumatera Barat", "1. Saluang (Sumatera Barat)", "Saluang dari Sumatera Barat"]
)
def test_a_region_beside_the_name_in_a_heading_is_its_origin(heading: str) -> None:
    (saluang,) = read(f"<h1>5 Alat Musik Tradisional</h1><h2>{heading}</h2><p>Saluang terbuat dari bambu.</p>")
    assert saluang.name == "Saluang"
    assert facts(saluang) == {("asal-daerah", "Sumatera Barat"), ("bahan", "bambu")}


def test_what_stands_below_the_heading_of_a_region_is_from_there() -> None:
    (baluse,) = read(
        "<h1>Tari Tradisional</h1><h2>Tari Daerah Sumatera Utara</h2><h3>a. Tari Baluse</h3>"
        "<p>Tari Baluse digunakan sebagai penyambutan tamu.</p>"
    )
    assert ("asal-daerah", "Sumatera Utara") in facts(baluse)


def test_a_region_in_a_phrase_that_shows_the_thing_is_its_origin() -> None:
    (bajigur,) = read(
        "<h1>4 Minuman Hangat</h1><h2>1. Bajigur</h2>"
        "<p>Siapa yang tidak kenal minuman khas Jawa Barat yang satu ini? Rasanya manis.</p>"
    )
    assert facts(bajigur) == {("asal-daerah", "Jawa Barat"), ("rasa", "manis")}


def test_a_region_of_something_else_in_passing_is_no_origin() -> None:
    (bajigur,) = read(
        "<h1>Bajigur</h1><p>Bajigur adalah minuman hangat. Ia mirip minuman khas Betawi itu.</p><p>Rasanya manis.</p>"
    )
    assert bajigur.regions == ()


def test_entries_of_a_list_that_open_with_a_name_are_items() -> None:
    found = read(
        "<h1>10 Alat Musik Tradisional</h1><ol><li><b>Angklung</b><br>Angklung berasal dari Jawa Barat.</li>"
        "<li><b>Aramba</b><br>Daerah ini tepatnya Pulau Nias memiliki alat musik bernama Aramba.</li>"
        "<li><b>Sumber</b><br>Buku musik.</li></ol>"
    )
    assert [item.name for item in found] == ["Angklung", "Aramba"]


def test_a_clause_about_one_member_does_not_end_the_enumeration() -> None:
    (pempek,) = read(
        "<h1>Pempek</h1><p>Pempek adalah makanan khas Palembang yang terbuat dari ikan yang digiling halus, tepung sagu, dan garam.</p>"
    )
    assert {value for attribute, value in facts(pempek) if attribute == "bahan"} == {"ikan", "tepung sagu", "garam"}


def test_members_of_a_member_are_not_members_of_the_whole() -> None:
    (remo,) = read(
        "<h1>Tari Remo</h1><p>Tari Remo adalah tarian dari Jombang. Tari Remo diiringi gamelan yang terdiri atas bonang, saron, dan gong.</p>"
    )
    assert {value for attribute, value in facts(remo) if attribute == "iringan"} == {"gamelan"}


def test_a_material_in_a_clause_about_another_noun_is_not_the_thing_s() -> None:
    (tifa,) = read(
        "<h1>Tifa</h1><p>Tifa adalah alat musik dari Maluku. Pada tifa terdapat ukiran yang terbuat dari kulit kerang.</p>"
    )
    assert facts(tifa) == {("asal-daerah", "Maluku")}


def test_entries_below_a_sentence_that_announces_them_are_its_values() -> None:
    (gorga,) = read(
        "<h1>Gorga</h1><p>Gorga adalah ragam hias suku Batak Toba.</p><p>Jenis-jenis gorga antara lain:</p>"
        "<ul><li>Gorga Ipon-ipon</li><li>Gorga Boraspati</li></ul>"
    )
    assert {("varian", "Gorga Ipon-ipon"), ("varian", "Gorga Boraspati")} <= facts(gorga)


def test_other_names_stand_in_brackets_and_clauses() -> None:
    (gobak,) = read(
        "<h1>Gobak Sodor</h1><p>Gobak sodor, yang di Jawa Barat dikenal dengan nama galah asin dan dalam lomba disebut hadang, "
        "adalah permainan tradisional beregu.</p>"
    )
    assert set(gobak.aliases) == {"Galah asin", "Hadang"}


def test_what_a_thing_is_called_is_not_what_it_is() -> None:
    (saman,) = read("<h1>Saman</h1><p>Saman adalah tarian dari Aceh. Saman juga dikenal sebagai tarian rakyat.</p>")
    assert saman.aliases == ()


def test_of_several_words_that_a_sentence_explains_none_is_the_meaning_of_the_name() -> None:
    (mamanda,) = read(
        "<h1>Mamanda</h1><p>Mamanda adalah teater tradisional Kalimantan Selatan. Kata mamanda berasal dari kata mama yang berarti "
        "paman dan akhiran nda, jadi mamanda berarti paman yang terhormat.</p>"
    )
    assert "arti-nama" not in {attribute for attribute, _ in facts(mamanda)}


def test_dutch_puts_the_participle_last() -> None:
    (serimpi,) = read(
        '<html lang="nl"><h1>Serimpi</h1><p>De serimpi is een hofdans uit Jogjakarta. De dans wordt door vier meisjes uitgevoerd en door '
        "gamelan begeleid. De danseressen zijn jong en dragen kostbare kleederen.</p></html>"
    )
    assert {("jumlah-pemain", "4 orang"), ("iringan", "gamelan")} <= facts(serimpi)


def test_a_word_of_the_genus_says_the_material() -> None:
    (saluang,) = read(
        '<html lang="en"><h1>Saluang</h1><p>The saluang is a traditional bamboo flute of the Minangkabau people of West Sumatra. '
        "It is played at weddings and by the fire in the evening.</p></html>"
    )
    assert ("bahan", "bambu") in facts(saluang)


def test_an_entry_without_words_is_no_item() -> None:
    found = read(
        "<h1>10 Alat Musik Tradisional</h1><ul><li>1.</li><li><b>Angklung</b><br>Angklung berasal dari Jawa Barat.</li></ul>"
    )
    assert [item.name for item in found] == ["Angklung"]


def test_an_empty_cell_does_not_take_the_others_their_columns() -> None:
    _, tari = read(
        '<html lang="id"><h1>Daftar Warisan Budaya</h1><p>Berikut daftar warisan budaya yang telah ditetapkan.</p>'
        "<table><tr><th>Nama Karya Budaya</th><th>Pencipta</th><th>Provinsi</th></tr>"
        "<tr><td>Tari Saman</td><td>Syekh Saman</td><td>Aceh</td></tr>"
        "<tr><td>Tari Molapi Saronde</td><td></td><td>Gorontalo</td></tr></table>"
    )
    assert facts(tari) == {("asal-daerah", "Gorontalo")}


def test_what_one_of_a_kind_is_called_is_an_item_of_its_land() -> None:
    page = (
        "<h1>Senjata Tradisional Nusantara</h1>"
        "<h2>Senjata Tradisional Maluku</h2><p>Salah satu senjata tradisional Maluku adalah Parang Salawaku, senjata ini "
        "digunakan untuk melawan penjajah.</p>"
        "<h2>Senjata Tradisional Papua</h2><p>Kapak batu menjadi salah satu senjata tradisional Papua. "
        "Senjata ini terbuat dari batu.</p>"
    )
    found = {item.name: item for item in read(page)}
    assert set(found) == {"Parang Salawaku", "Kapak batu"}
    assert found["Parang Salawaku"].regions == ("ID-MA",)
    assert ("bahan", "batu") in facts(found["Kapak batu"])


def test_the_kind_of_a_name_in_an_enumeration_is_not_the_next_member() -> None:
    page = (
        "<h1>Mandau</h1><p>Senjata-senjata orang Dayak antara lain mandau, perisai, sumpit, dan tombak. "
        "Mandau digunakan untuk berburu.</p>"
    )
    assert all(attribute != "jenis-senjata" for item in read(page) for attribute, _ in facts(item))


def test_two_things_told_of_together_are_not_one() -> None:
    page = (
        "<h1>Manisnya Jajanan Pasar</h1><p>Kue lupis dan cenil merupakan dua jenis jajanan tradisional dari Jawa. "
        "Rasanya manis.</p>"
    )
    assert all("dan" not in item.name.split() for item in read(page))


def test_another_name_of_a_person_or_of_some_of_the_things_is_not_the_items() -> None:
    page = (
        "<h1>Teater Dulmuluk</h1><p>Teater Dulmuluk adalah teater tradisional dari Sumatera Selatan. Teater Dulmuluk "
        "dipelopori oleh warga Palembang yang bernama Syech Ahmad Bakar atau biasa dipanggil Wan Bakar.</p>"
    )
    (found,) = read(page)
    assert found.aliases == ()


def test_entries_that_head_forms_of_the_thing_keep_what_is_said_of_them() -> None:
    page = (
        "<h1>Rencong</h1><p>Rencong adalah senjata tradisional dari Aceh. Rencong memiliki beberapa jenis, yakni:</p>"
        "<ul><li>Rencong meupucok</li></ul><p>Panjangnya kurang lebih 30 sentimeter. Rencong ini digunakan dalam upacara.</p>"
    )
    (found,) = read(page)
    assert {attribute for attribute, _ in facts(found)}.isdisjoint({"ukuran", "fungsi"})


def test_a_common_word_with_a_capital_is_no_place() -> None:
    page = (
        "<h1>Gethuk</h1><p>Gethuk adalah makanan tradisional dari Magelang yang terbuat dari singkong. "
        "Gethuk berasal dari Singkong.</p>"
    )
    assert ("asal-daerah", "Singkong") not in facts(read(page)[0])

"""Items of lists, titles and museum cards, as unseen pages word them."""

from __future__ import annotations

from tests.unit.text.extraction.pages import GAZETTEER, PROFILE, facts, read

from lumbung.text.extraction.kinds import is_class
from lumbung.text.extraction.lexical import extract
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.wording import wording_for
from lumbung.text.markup import read_page


def test_numbered_lines_over_labelled_lines_are_items_of_their_own() -> None:
    page = (
        "<h3>Tugas Seni Budaya: Alat Musik Tradisional</h3>"
        "<p>1. Gordang Sambilan</p><p>Asal : Mandailing, Sumatera Utara</p><p>Fungsi : mengiringi upacara adat</p>"
        "<p>2. Panting</p><p>Asal : Kalimantan Selatan</p><p>Cara memainkan : dipetik</p>"
        "<p>3. Dol</p><p>Asal : Bengkulu</p><p>Fungsi : mengiringi upacara tabot</p>"
    )
    found = {item.name: item for item in read(page)}
    assert list(found) == ["Gordang Sambilan", "Panting", "Dol"]
    assert {item.category for item in found.values()} == {"alat-musik"}
    assert found["Dol"].regions == ("ID-BE",)


def test_terms_of_a_definition_list_are_items_when_they_are_explained() -> None:
    page = (
        "<h1>Kamus Kecil Permainan</h1><dl><dt>Cublak-cublak suweng</dt><dd>Permainan tradisional dari Jawa Tengah.</dd>"
        "<dt>Lompat tali</dt><dd>Permainan tradisional yang dimainkan oleh anak-anak.</dd></dl>"
    )
    assert [item.name for item in read(page)] == ["Cublak-cublak suweng", "Lompat tali"]


def test_a_kind_with_a_number_is_no_term() -> None:
    entries = "".join(f"<li>Tari {number}: tari tradisional dari Bali.</li>" for number in range(4))
    assert read(f"<h1>Daftar Tari</h1><ul>{entries}</ul>") == []


def test_entries_that_say_where_a_thing_comes_from_are_items() -> None:
    page = (
        "<h1>Contoh tarian tradisional</h1><p>Tari Gambyong berasal dari Surakarta, Jawa Tengah.</p>"
        "<p>Tari Sajojo berasal dari Papua dan merupakan tari pergaulan.</p>"
    )
    assert [item.name for item in read(page)] == ["Tari Gambyong", "Tari Sajojo"]


def test_a_table_without_headers_is_read_by_its_first_row() -> None:
    page = (
        "<h1>Senjata dan Asalnya</h1><table><tr><td>No</td><td>Nama senjata</td><td>Asal</td></tr>"
        "<tr><td>1</td><td>Piso Surit</td><td>Sumatera Utara</td></tr>"
        "<tr><td>2</td><td>Parang Salawaku</td><td>Maluku</td></tr></table>"
    )
    assert [(item.name, item.regions) for item in read(page)] == [
        ("Piso Surit", ("ID-SU",)),
        ("Parang Salawaku", ("ID-MA",)),
    ]


def test_a_table_of_two_columns_puts_a_land_beside_each_name() -> None:
    page = (
        "<h1>Tarian dan Asal Daerahnya</h1><table><tr><td>Nama tarian</td><td>Asal</td></tr>"
        "<tr><td>Tari Gambyong</td><td>Jawa Tengah</td></tr><tr><td>Tari Sajojo</td><td>Papua</td></tr></table>"
    )
    assert [item.name for item in read(page)] == ["Tari Gambyong", "Tari Sajojo"]


def test_a_title_that_begins_with_kind_and_land_names_what_follows() -> None:
    (tale,) = read(
        "<h1>Cerita Rakyat Sumatera Utara: Asal Usul Danau Toba</h1>"
        "<p>Di sebuah lembah hiduplah seorang petani bernama Toba.</p><p>Pesan moral: tepatilah janji.</p>"
    )
    assert (tale.name, tale.category) == ("Asal Usul Danau Toba", "cerita-rakyat")
    assert {("asal-daerah", "Sumatera Utara"), ("tokoh", "Toba")} <= facts(tale)


def test_a_line_below_the_title_says_what_it_is() -> None:
    (tale,) = read(
        "<h2>Si Pahit Lidah</h2><p>Cerita rakyat dari Sumatera Selatan</p>"
        "<p>Ada seorang pangeran bernama Serunting. Ia iri kepada adiknya.</p>"
    )
    assert (tale.name, tale.regions) == ("Si Pahit Lidah", ("ID-SS",))


def test_the_local_name_in_brackets_is_the_name() -> None:
    (cloth,) = read(
        "<html lang='en'><h1>Ceremonial hanging (palepai)</h1><dl><dt>Place of origin</dt><dd>Lampung, Indonesia</dd>"
        "<dt>Materials</dt><dd>Cotton, silk</dd></dl><p>Palepai are long ceremonial cloths from Lampung. "
        "The palepai was hung at weddings and at other feasts of the family.</p></html>"
    )
    assert cloth.name == "Palepai"
    assert {("bahan", "kapas"), ("bahan", "sutra"), ("asal-daerah", "Lampung")} <= facts(cloth)


def test_an_article_of_another_language_is_no_part_of_the_name() -> None:
    page = read_page(
        "<html lang='de'><h1>Der Kris</h1><p>Der Kris ist ein asymmetrischer Dolch aus Java, der für seine gewellte Klinge "
        "bekannt ist. Die Klinge wird aus mehreren Lagen Eisen geschmiedet und der Griff besteht aus Holz.</p></html>",
        "https://museum.example/kris",
    )
    assert [(item.name, item.parked) for item in extract(page, PROFILE, GAZETTEER)] == [("Kris", "needs-translation")]


def test_a_line_with_a_name_below_the_heading_of_a_land_is_an_item_from_there() -> None:
    page = (
        "<h1>Senjata Tradisional Indonesia</h1><h2>Aceh</h2><p>Nama Senjata : Rencong</p>"
        "<p>Rencong digunakan sebagai pelengkap busana.</p><h2>Sumatera Utara</h2><p>Nama Senjata : Piso Gaja Dompak</p>"
    )
    assert [(item.name, item.regions) for item in read(page)] == [
        ("Rencong", ("ID-AC",)),
        ("Piso Gaja Dompak", ("ID-SU",)),
    ]


def test_what_is_called_an_orchestra_is_not_named_so() -> None:
    page = "<h1>Musik</h1><h2>Orkestra</h2><p>Di Malaysia dan Jawa, gamelan adalah orkestra tradisional yang halus.</p>"
    assert "Orkestra" not in [item.name for item in read(page)]


def test_a_name_without_words_is_no_building() -> None:
    page = read_page("<html lang='en'><p>The palace is a building of Java.</p></html>", "https://budaya.example/x")
    wording = wording_for("eng")
    assert wording is not None
    reading = Reading.of(page, PROFILE, GAZETTEER, wording)
    assert is_class("Balinese dance", reading)
    assert not is_class("Pagaruyung Palace", reading)
    assert is_class("", reading) is False

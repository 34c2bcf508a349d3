"""What a text tells in passing, runs together in one paragraph, announces, or tells below the heading of an attribute."""

from __future__ import annotations

import pytest
from tests.unit.text.extraction.pages import facts, read

SEVERAL = "<h1>Arti motif batik</h1><p>Setiap motif batik dibuat dengan maksud. {}</p>"


def test_things_of_one_sentence_are_told_apart() -> None:
    page = SEVERAL.format(
        "Misalnya, motif Sogan melambangkan kesabaran, motif Lereng melambangkan restu, serta motif Truntum yang melambangkan cinta."
    )
    told = {item.name: facts(item) for item in read(page)}
    assert told == {
        "Motif Sogan": {("makna", "kesabaran")},
        "Motif Lereng": {("makna", "restu")},
        "Motif Truntum": {("makna", "cinta")},
    }


@pytest.mark.parametrize(
    "sentence",
    [
        "Ada motif Sogan, Lereng, dan Truntum.",
        "Motif Sogan dan motif Lereng melambangkan restu.",
        "Konon motif Sogan melambangkan restu.",
        "Apakah motif Sogan melambangkan restu?",
    ],
)
def test_names_in_a_row_hearsay_and_questions_tell_of_nothing(sentence) -> None:
    assert not [
        item for item in read(SEVERAL.format(sentence)) if ("makna", "restu") in facts(item) and "Sogan" in item.name
    ]


def test_a_name_that_is_none_still_ends_what_is_told_of_the_one_before() -> None:
    page = SEVERAL.format(
        "Batik Sogan: Corak ini berasal dari Solo. Batik Pekalongan: Corak ini berasal dari Pekalongan."
    )
    (only,) = [item for item in read(page) if item.name == "Batik Sogan"]
    assert ("asal-daerah", "Pekalongan") not in facts(only)


def test_the_story_of_a_day_names_no_things_in_passing() -> None:
    page = "<h1>Festival budaya digelar meriah</h1><p>Acara dibuka dengan tari Piring dari Sumatera Barat.</p>"
    assert not read(page)


def test_labels_that_run_together_are_read_one_by_one() -> None:
    page = (
        "<title>2 Alat Musik Tradisional</title><h1>2 Alat Musik Tradisional</h1><p>Inilah keduanya. "
        "1. Angklung: Asal Daerah: Jawa Barat Bahan: Bambu 2. Kolintang: Asal Daerah: Sulawesi Utara Bahan: Kayu</p>"
    )
    told = {item.name: facts(item) for item in read(page)}
    assert told["Angklung"] >= {("asal-daerah", "Jawa Barat"), ("bahan", "Bambu")}
    assert told["Kolintang"] >= {("asal-daerah", "Sulawesi Utara"), ("bahan", "Kayu")}


def test_years_and_single_numbers_part_no_paragraph() -> None:
    page = "<h1>Suling</h1><p>Suling adalah alat musik tradisional Sunda. Pada tahun 1. Suling dibuat dari bambu.</p>"
    (suling,) = read(page)
    assert ("bahan", "bambu") in facts(suling)


def test_steps_below_a_line_that_announces_them_are_how_a_game_goes() -> None:
    page = (
        "<h1>Congklak</h1><p>Congklak adalah permainan tradisional Jawa.</p><p>Cara bermain congklak adalah sebagai berikut:</p>"
        "<ol><li>Isi setiap lubang dengan tujuh biji.</li><li>Sebarkan biji satu demi satu.</li></ol>"
    )
    (game,) = read(page)
    assert ("cara-memainkan", "Isi setiap lubang dengan tujuh biji; Sebarkan biji satu demi satu") in facts(game)


def test_a_section_tells_what_its_heading_names_and_no_sentence_tells_apart() -> None:
    page = (
        "<h1>Tari Zapin Api</h1><p>Tari Zapin Api adalah tarian tradisional dari Riau.</p>"
        "<h2>Sejarah Tari Zapin Api</h2><p>{}</p><p>Penarinya laki-laki.</p>"
    )
    told, guessed, asked = (
        facts(read(page.format(text))[0])
        for text in (
            "Pada masa kesultanan tari ini hanya dikenal di istana.",
            "Konon tari ini lahir pada masa kesultanan di istana.",
            "Tahukah Anda kapan tari ini lahir pada masa kesultanan?",
        )
    )
    assert any(attribute == "sejarah" and "istana" in value for attribute, value in told)
    assert not any(attribute == "sejarah" for attribute, _ in guessed | asked)


def test_a_sentence_below_the_heading_of_a_list_is_no_member() -> None:
    page = (
        "<h1>Tari Serumpun</h1><p>Tari Serumpun adalah tarian tradisional dari Riau.</p>"
        "<h2>Busana</h2><p>Penari mengenakan kain putih dan celana hitam.</p>"
    )
    assert not any(value.startswith("Penari") for _, value in facts(read(page)[0]))


def test_what_a_sentence_announces_is_the_kind_of_the_headings_below_it() -> None:
    page = (
        "<h1>Hikmah di balik cerita</h1><p>Berikut dua cerita rakyat yang sering dibacakan.</p>"
        "<h2>Batu Menangis</h2><p>Cerita ini mengisahkan seorang anak yang malu mengakui ibunya.</p>"
    )
    (tale,) = read(page)
    assert (tale.name, tale.category) == ("Batu Menangis", "cerita-rakyat")


def test_headings_of_the_text_are_no_names() -> None:
    page = (
        "<title>3 Makanan Khas Indonesia</title><h1>3 Makanan Khas Indonesia</h1><h2>1. Soto Betawi dari Jakarta</h2>"
        "<h3>Resep Tradisional</h3><p>Soto Betawi dibuat dari daging sapi.</p>"
    )
    assert [item.name for item in read(page)] == ["Soto Betawi"]


def test_a_village_no_list_knows_leads_to_the_land_behind_it() -> None:
    page = "<h1>Tari Zapin Api</h1><p>Tari Zapin Api adalah tarian tradisional dari Kecamatan Rupat Utara, Kabupaten Bengkalis, Riau.</p>"
    assert facts(read(page)[0]) >= {("asal-daerah", "Kabupaten Bengkalis"), ("asal-daerah", "Riau")}

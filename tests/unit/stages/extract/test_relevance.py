"""What no model is shown: parts that say of themselves, or by their words, that they are about something else."""

from __future__ import annotations

import pytest

from lumbung.profiles.loader import load_profile
from lumbung.stages.extract.asides import aside_headed, leads_elsewhere, practical_words
from lumbung.stages.extract.focus import focus_of, open_focus
from lumbung.stages.extract.relevance import Relevance, linked_share
from lumbung.text.extraction.lexical import extract
from lumbung.text.markup import read_page
from lumbung.text.region import Gazetteer

PROFILE = load_profile("pdbi")
GAZETTEER = Gazetteer(PROFILE)
RELEVANCE = Relevance(PROFILE)
LEAD = (
    "<h1>Tari Gambyong</h1><p>Tari Gambyong merupakan tarian klasik dari Surakarta, Jawa Tengah. "
    "Tarian ini diiringi gamelan dan dibawakan untuk menyambut tamu.</p>"
)
HISTORY = (
    "<p>Semasa pemerintahan Paku Buwana IV, seorang perempuan yang pandai membawakan diri di hadapan orang banyak "
    "menjadi terkenal di seluruh kota. Kabar tentang dirinya sampai kepada seorang pangeran.</p>"
    "<p>Di sana ia dibimbing lebih lanjut oleh para ahli, dan sejak itu penampilannya semakin dikenal kalangan "
    "bangsawan. Pada 1950 Nyi Bei Mintoraras menyusun bentuk yang dibakukan.</p>"
)
JOURNEY = (
    "<p>Dari bandara, perjalanan memakan waktu dua jam dengan mobil. Bus berangkat setiap jam dari terminal dan "
    "ongkosnya Rp40.000. Turunlah di dekat kantor pos, lalu lanjutkan dengan ojek.</p>"
)


def read(body):
    return read_page(
        f"<html lang='id'><head><title>Tari Gambyong</title></head><body><article>{body}</article></body></html>",
        "https://a.example/x",
    )


def shown(body):
    page = read(body)
    found = extract(page, PROFILE, GAZETTEER)
    result = RELEVANCE.shown(page, found, focus_of(page, found, PROFILE))
    return result.text(page), result.left_out


def test_a_page_about_one_thing_is_shown_whole():
    text, left_out = shown(f"{LEAD}<h2>Awal Mula</h2>{HISTORY}")
    assert "Mintoraras" in text, "a history has few words of dance and is about it all the same"
    assert not left_out


@pytest.mark.parametrize("heading", ["Cara Menuju Lokasi", "Perjalanan"])
def test_a_section_about_the_journey_is_left_out_whatever_its_heading(heading):
    text, left_out = shown(f"{LEAD}<h2>{heading}</h2>{JOURNEY}<h2>Awal Mula</h2>{HISTORY}")
    assert "bandara" not in text
    assert heading not in text
    assert "Mintoraras" in text
    assert sum(left_out.values()) == 1


def test_what_names_the_item_stays_even_among_prices():
    text, _ = shown(
        f"{LEAD}<h2>Pertunjukan</h2><p>Tari Gambyong dipentaskan setiap Sabtu pukul 19.00; tiket Rp50.000 di loket hotel.</p>"
    )
    assert "setiap Sabtu" in text


def test_the_section_of_an_attribute_stays_whole():
    text, left_out = shown(f"{LEAD}<h2>Sejarah dan Makna Tari Gambyong</h2>{JOURNEY}")
    assert "bandara" in text
    assert not left_out


def test_comments_go_and_what_follows_them_stays():
    text, left_out = shown(
        f"{LEAD}<h2>3 Komentar</h2><p>Rudi: Bagus sekali!</p><p>Ani: Terima kasih.</p><h2>Awal Mula</h2>{HISTORY}"
    )
    assert "Rudi" not in text
    assert "Mintoraras" in text
    assert left_out["aside"] == 1


def test_an_article_goes_on_after_links_that_interrupt_it():
    text, left_out = shown(
        f"{LEAD}<p>Baca juga: Lima Pantai Terindah</p>{HISTORY}<h3>Baca Juga</h3><ul><li>Resep Kue</li></ul>{HISTORY.replace('1950', '1951')}"
    )
    assert "Pantai" not in text
    assert "Resep" not in text
    assert "1950" in text
    assert "1951" in text
    assert left_out == {"aside": 2}


def test_the_books_at_the_end_are_not_shown():
    books = "<ul><li>Sunarti, Tari Jawa, Pusat Bahasa, 1978</li><li>Brakel, Tari Keraton, Leiden, 1992</li></ul>"
    text, left_out = shown(f"{LEAD}<h2>Awal Mula</h2>{HISTORY}<h2>Daftar Pustaka</h2>{books}")
    assert "Brakel" not in text
    assert "Mintoraras" in text
    assert left_out == {"aside": 1}


def test_what_the_lexical_engine_took_a_fact_from_always_stays():
    page = read(f"{LEAD}<h2>Jadwal</h2>{JOURNEY}")
    found = extract(page, PROFILE, GAZETTEER)
    place = page.text.index("bandara")
    fact = found[0].facts[0]
    moved = type(fact)(fact.attribute, fact.value, "bandara", place, place + 7, fact.language, fact.confidence)
    taken = type(found[0])("X", (), None, (), (moved,), (), "lexical")
    result = RELEVANCE.shown(page, [*found, taken], focus_of(page, found, PROFILE))
    assert "bandara" in result.text(page)


def test_in_a_language_the_lexicon_hardly_knows_words_leave_nothing_out():
    page = read(f"{LEAD}<h2>Perjalanan</h2>{JOURNEY}")
    unknown = type(page)(page.title, page.text, "sas", page.script, page.kind, page.blocks)
    assert "bandara" in RELEVANCE.shown(unknown, [], open_focus(PROFILE)).text(unknown)


def test_a_page_of_which_nothing_would_remain_is_shown_whole():
    page = read(f"<h2>Komentar</h2>{JOURNEY}")
    assert RELEVANCE.shown(page, [], open_focus(PROFILE)).text(page) == page.text


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Baca Juga", "links"),
        ("Baca juga: Tari Serimpi", "links"),
        ("12 Komentar", "parts"),
        ("Harga Tiket Masuk dan Jam Buka", "parts"),
        ("Getting There", "parts"),
        ("Over de auteur", "parts"),
        ("Daftar Pustaka", "links"),
        ("References", "links"),
        ("Pustaka Laklak", None),
        ("Transportasi Tradisional di Jawa", None),
        ("Lokasi", None),
        ("Kontak Batin dalam Tari", None),
        ("", None),
    ],
)
def test_headings_that_announce_an_aside(heading, kind):
    assert aside_headed(heading) == kind


def test_lines_that_lead_elsewhere():
    assert leads_elsewhere("Baca juga: Tari Serimpi")
    assert not leads_elsewhere("Baca juga kitab ini dengan saksama")
    assert not leads_elsewhere("Bahan: kapas")


def test_practical_words_are_counted_once_each_with_prices_and_hours():
    assert practical_words("Tiket, tiket, dan parkir: Rp5.000, pukul 08.00") == 4
    assert practical_words("Sang putri memohon seribu candi dalam semalam.") == 0


def test_a_catalogue_is_known_by_its_linked_lines():
    links = "".join(f"<li><a href='/{n}'>Tari Nomor {n}</a></li>" for n in range(5))
    page = read(f"{LEAD}<ul>{links}</ul>")
    assert linked_share(page, "Tari Nomor 1\nTari Nomor 2") == 1.0
    assert linked_share(page, "Tarian ini diiringi gamelan.") == 0.0

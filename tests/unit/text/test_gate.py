from __future__ import annotations

import json
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.profiles.loader import load_profile
from lumbung.text.gate import Gate

GATE = Gate(load_profile("pdbi"))
PAGES = [
    json.loads(line) for line in Path(__file__).with_name("gate_pages.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_pages_about_items_pass_and_the_others_do_not():
    counts = Counter((page["pass"], GATE.judge(page["text"], None, page.get("url", "")).passed) for page in PAGES)
    precision = counts[True, True] / (counts[True, True] + counts[False, True])
    recall = counts[True, True] / (counts[True, True] + counts[True, False])
    assert precision >= 0.97
    assert recall >= 0.97


@pytest.mark.parametrize("kind", sorted({page["kind"] for page in PAGES if not page["pass"]}))
def test_each_kind_of_noise_is_refused(kind):
    noise = [page for page in PAGES if page["kind"] == kind]
    refused = sum(not GATE.judge(page["text"], None, page.get("url", "")).passed for page in noise)
    assert refused >= 0.9 * len(noise)


@pytest.mark.parametrize(
    ("text", "filter_"),
    [
        ("Batik tulis. Tambah ke keranjang. Beli sekarang, gratis ongkir, stok tersedia, diskon 20%.", "commerce"),
        ('Bupati membuka festival, Sabtu (12/11/2022). "Meriah," ujarnya kepada wartawan. Baca juga: jadwal.', "news"),
        (
            "Tari dan JavaScript: install software ini lewat server hosting, lalu jalankan Python dan MySQL di Linux.",
            "technical",
        ),
        ("Flamenco is a traditional dance of Spain, danced in Madrid by Spanish dancers with castanets.", "place"),
        ("Kemarin saya pergi ke kantor pos bersama adik untuk mengambil paket yang sudah lama tiba.", "culture"),
        ("Rendang.", "length"),
    ],
)
def test_the_filter_that_refuses_is_named(text, filter_):
    verdict = GATE.judge(text)
    assert not verdict.passed
    assert not next(one for one in verdict.filters if one.name == filter_).passed


def test_the_address_of_a_shop_is_refused_and_that_of_an_article_is_not():
    text = "Tari Piring adalah tarian tradisional Minangkabau dari Sumatera Barat, diiringi talempong dan saluang."
    assert GATE.judge(text, None, "https://example.org/budaya/tari-piring").passed
    assert not GATE.judge(text, None, "https://example.org/shop/cart/tari-piring").passed


def test_prices_and_buttons_around_the_text_count():
    text = "Batik parang adalah motif batik dari Yogyakarta yang dahulu dipakai keluarga keraton."
    buttons = text + " Tambah ke keranjang Beli sekarang Rp350.000 gratis ongkir stok tersedia chat penjual"
    assert GATE.judge(text, None, "").passed
    assert not GATE.judge(text, None, "", surroundings=buttons).passed


def test_writing_in_aksara_is_read():
    assert GATE.judge("ꦮꦪꦁꦏꦸꦭꦶꦠ꧀ꦲꦶꦏꦸꦏꦼꦱꦼꦤꦶꦪꦤ꧀ꦗꦮ꧈ꦝꦭꦁꦒꦩꦼꦭꦤ꧀ꦭꦏꦺꦴꦤ꧀ꦥꦤꦏꦮꦤ꧀ꦒꦸꦤꦸꦁꦔꦤ꧀ꦏꦼꦭꦶꦂ꧉").passed


def test_the_order_of_the_filters_does_not_change_the_verdict():
    for page in PAGES[::5]:
        read = GATE.page(page["text"], None, page.get("url", ""))
        names = [one.name for one in GATE.filters]
        passed = GATE.judge(page["text"], None, page.get("url", "")).passed
        for order in (names, names[::-1]):
            verdicts = list(GATE.run(read, order))
            assert all(verdict.passed for verdict in verdicts) == passed
            assert all(verdict.passed for verdict in verdicts[:-1])


def test_another_countrys_gate_knows_its_own_culture():
    gate = Gate(load_profile("timor-leste"))
    tais = "Tais is a traditional woven cloth of Timor-Leste. Women of Lautém weave it of cotton on a loom with dyes."
    rendang = "Rendang is a meat dish of the Minangkabau people of West Sumatra in Indonesia, cooked in coconut milk."
    assert gate.judge(tais).passed
    assert not gate.judge(rendang).passed


def test_judging_twice_gives_the_same():
    assert GATE.judge(PAGES[0]["text"]) == GATE.judge(PAGES[0]["text"])


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.text(max_size=300), st.text(max_size=40))
def test_any_text_gets_a_score_between_0_and_1(text, url):
    verdict = GATE.judge(text, None, url)
    assert 0 <= verdict.score <= 1
    assert all(0 <= one.score <= 1 for one in verdict.filters)
    assert verdict.passed == all(one.passed for one in verdict.filters)


@pytest.mark.parametrize(
    "text",
    [
        "アンクルンは、インドネシアの西ジャワ州に伝わる竹の楽器です。竹筒を枠につるし、手で揺らして音を出します。",
        "Wajang beber adalah pertundjukan wajang jang berasal dari Patjitan, Djawa Timur. Tjeritanja dilukis pada kertas.",
        "Das Wayang Kulit ist ein Schattenspiel aus Java und Bali; der Dalang bewegt die ledernen Puppen, dazu spielt Gamelan.",
    ],
)
def test_pages_in_other_languages_and_old_spelling_are_read(text):
    assert GATE.judge(text).passed


def test_a_people_on_both_sides_of_a_border_does_not_bring_a_page_home():
    abroad = (
        "Zapin is one of the traditional Malay dances. It is most famous in the states of Johor, Pahang and Selangor in "
        "Malaysia, where dancers wear a baju Melayu and dance in pairs to the gambus."
    )
    at_home = (
        "Zapin is one of the traditional Malay dances. It is most famous in Siak and Bengkalis in Riau and came from "
        "Johor; dancers wear a baju Melayu and dance in pairs to the gambus."
    )
    assert not GATE.judge(abroad).passed
    assert GATE.judge(at_home).passed


def test_words_that_are_also_names_of_states_abroad_do_not_lead_a_page_abroad():
    text = (
        "Dongéng: Sasakala Gunung Putri. Aya hiji karajaan, patani hirupna mupti, jeung rahayatna kedah taat ka raja."
    )
    assert next(one for one in GATE.judge(text).filters if one.name == "place").passed


def test_a_dish_of_the_neighbour_and_a_holiday_are_refused():
    dish = (
        "Otak-otak ialah sejenis makanan tradisional Melayu di Malaysia. Di Malaysia ia dibungkus dengan daun kelapa atau "
        "daun nipah dan dibakar, iaitu di Terengganu dan Johor."
    )
    holiday = (
        "Tips berlibur ke Bali: pilih tiket pesawat murah dari maskapai yang memberi promo. Liburan di Bali lengkap dengan "
        "atraksi seni dan budaya, pantai, dan hiburan malam."
    )
    assert not GATE.judge(dish).passed
    assert not GATE.judge(holiday).passed


def test_a_further_language_takes_little_more_memory():
    """The words that all languages share, and the names of regions, are kept once."""
    gate = Gate(load_profile("pdbi"))
    text = "Tari Piring adalah tarian tradisional Minangkabau dari Sumatera Barat. " * 5
    for language in ("ind", "xyz"):
        gate.judge(text, language)
    tracemalloc.start()
    for language in ("jav", "sun", "ban", "deu", "fra", "ace", "xxa", "xxb", "xxc"):
        gate.judge(text, language)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken < 3_000_000


def test_a_page_tied_to_home_by_its_language_alone_must_not_speak_of_medicine():
    game = "Petak umpet adalah permainan tradisional anak-anak. Seorang pemain menutup mata dan berhitung, yang lain bersembunyi."
    plant = (
        "Lidah buaya telah lama dipakai sebagai obat tradisional di berbagai budaya. Ramuan getahnya diminum untuk "
        "demam dan mengandung antioksidan, kata para peneliti."
    )
    assert GATE.judge(game).passed
    assert not GATE.judge(plant).passed
    assert GATE.judge(plant.replace("berbagai budaya", "masyarakat Dayak Kenyah di Kalimantan Timur")).passed

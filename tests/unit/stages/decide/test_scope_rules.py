from __future__ import annotations

import pytest

from lumbung.profiles.loader import load_profile
from lumbung.stages.decide.agents import Described
from lumbung.stages.decide.scope_rules import ScopeRules

RULES = ScopeRules(load_profile("pdbi"))
SAID = (("iringan", "talempong"),)


def judged(name: str, category: str | None = "tarian", regions: tuple[str, ...] = ("ID-SB",), facts=SAID) -> str:
    return RULES.judge(Described(name, (), category, regions, facts)).verdict


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("Tari Piring", "in"),
        ("Tari Minangkabau", "unsure"),
        ("Tarian Tradisional", "out"),
        ("Aneka Tari Sumatera Barat", "out"),
        ("7 Tarian Khas Sumatera Barat", "out"),
        ("Jual Kostum Tari Piring Murah", "out"),
        ("Lomba Tari Piring 2023", "out"),
        ("Festival Tari Piring", "unsure"),
    ],
)
def test_the_name_tells_a_named_item_from_kinds_goods_and_events(name: str, verdict: str) -> None:
    assert judged(name) == verdict


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("Tari Payung", "in"),
        ("Payung Tari", "unsure"),
        ("Kursi Tari Piring", "unsure"),
        ("Kunjungan Pejabat ke Tari Piring", "out"),
        ("Makna Gerak dalam Tari", "out"),
        ("Makanan Malam", "unsure"),
        ("Meja Kursi", "unsure"),
        ("Ngrowot", "in"),
        ("Plate Dance", "in"),
    ],
)
def test_a_phrase_that_puts_another_head_before_the_item_names_none(name: str, verdict: str) -> None:
    assert judged(name) == verdict


def test_what_lacks_a_category_a_place_or_any_statement_is_left_open() -> None:
    assert judged("Tari Cokek Baru", regions=()) == "unsure"
    assert judged("Tari Piring", category=None) == "unsure"
    assert judged("Tari Piring", facts=(("nama-lain", "Tari Piriang"),)) == "unsure"
    assert judged("Tari Piring", facts=(*SAID, ("tahun", "2019"))) == "unsure"


def test_another_nations_tradition_is_refused_and_a_diasporas_is_not() -> None:
    assert judged("Kabuki", "seni-pertunjukan", (), (("asal-daerah", "Jepang"),)) == "out"
    heritage = (("sejarah", "diwariskan keturunan Jawa di Suriname"),)
    assert judged("Jaran Kepang Suriname", "seni-pertunjukan", ("x-jawa",), heritage) == "in"
    origin = (*heritage, ("asal-daerah", "Jawa Tengah"))
    assert judged("Jaran Kepang Suriname", "seni-pertunjukan", (), origin) == "in"
    assert judged("Jaran Kepang Suriname", "seni-pertunjukan", (), (*heritage, ("asal-daerah", "Suriname"))) == "out"


def test_a_history_may_mention_anybody() -> None:
    assert judged("Tari Piring", facts=(("sejarah", "pernah dipentaskan di Belanda dan Jepang"),)) == "in"
    assert judged("Tari Piring", facts=(("sejarah", "berasal dari Jepang"),)) == "unsure"


@pytest.mark.parametrize(
    ("name", "category", "facts", "verdict"),
    [
        ("Ki Sumardi", "seni-pertunjukan", (("sejarah", "lahir di Klaten pada 2 Mei 1931"),), "out"),
        ("Ki Sumardi", "seni-pertunjukan", (("sejarah", "lahir di Klaten dan wafat pada 1999"),), "out"),
        ("Tari Melati", "tarian", (("sejarah", "lahir pada 2 Mei 1931"),), "in"),
        ("Legong", "tarian", (("sejarah", "lahir di keraton pada tahun 1811"),), "in"),
        ("Sanggar Melati", "tarian", SAID, "out"),
        ("Pilkada Kota Padang", "ritual", SAID, "out"),
        ("Legenda", "cerita-rakyat", SAID, "out"),
        ("Legenda Minangkabau", "cerita-rakyat", (("tokoh", "Datuk Perpatih"),), "in"),
    ],
)
def test_a_person_a_body_of_people_and_the_day_s_business_are_no_items(
    name: str, category: str, facts: tuple[tuple[str, str], ...], verdict: str
) -> None:
    assert judged(name, category, facts=facts) == verdict


def test_what_is_said_to_come_from_a_neighbour_is_left_open_where_no_region_claims_it() -> None:
    stated = (("asal-daerah", "Malaysia"),)
    assert judged("Nasi Lemak", "makanan-minuman", (), stated) == "unsure"
    assert judged("Nasi Lemak", "makanan-minuman", ("ID-RI",), stated) == "in"


def test_a_heading_that_tells_of_doing_is_not_let_in() -> None:
    assert judged("Merawat Selendang Penari") == "out"
    assert judged("Merawat Tari Piring") == "unsure"
    assert judged("Pemilihan Penari Terbaru") == "out"
    assert judged("Selendang untuk Penari") == "out"
    assert judged("15 Oleh-Oleh Khas Padang", "makanan-minuman") == "out"


@pytest.mark.parametrize(
    ("name", "category", "facts", "verdict"),
    [
        ("Museum Tari Piring", "tarian", SAID, "out"),
        ("Kecamatan Lintau", "tarian", SAID, "out"),
        ("Gunung Marapi", "cerita-rakyat", (("tokoh", "Dang Tuanku"),), "unsure"),
        ("Plate Dance Museum", "tarian", SAID, "out"),
        ("The Influence of Silat", "tarian", SAID, "out"),
        ("Balai Pelestarian Silungkang", "produk-arsitektur", (("bahan", "kayu"),), "out"),
        ("Balai Silungkang", "produk-arsitektur", (("bahan", "kayu"),), "in"),
        ("Silungkang Topping", "makanan-minuman", (("bahan", "beras"),), "unsure"),
        ("Silungkang: Indang", "tarian", SAID, "unsure"),
    ],
)
def test_the_head_of_a_name_tells_what_is_no_item(
    name: str, category: str, facts: tuple[tuple[str, str], ...], verdict: str
) -> None:
    assert judged(name, category, facts=facts) == verdict


def test_a_sentence_that_names_who_acts_in_the_tale_may_be_its_title() -> None:
    assert judged("Kancil Mencuri Ketimun", "cerita-rakyat", facts=(("tokoh", "kancil, petani"),)) == "in"
    assert judged("Kancil Mencuri Ketimun", "cerita-rakyat", facts=(("amanat", "jangan mencuri"),)) == "unsure"


def test_who_is_introduced_by_a_calling_is_left_open() -> None:
    assert judged("Hamzah Pasai", "naskah-kuno-dan-prasasti", facts=(("sejarah", "penyair dari Pasai"),)) == "unsure"
    assert judged("Tarawangsa", "alat-musik", facts=(("sejarah", "hidangan mi Jepang"),)) == "unsure"


def test_facts_of_another_sort_of_thing_leave_a_name_open() -> None:
    assert judged("Silungkang", "tarian", facts=(("bahan", "benang"), ("warna", "merah"))) == "unsure"
    assert judged("Silungkang", "tarian", facts=(("bahan", "benang"), *SAID)) == "in"
    assert judged("Batik Silungkang", "tarian") == "unsure"


def test_a_kind_of_one_category_may_open_the_names_of_another() -> None:
    cloth = (("warna", "cokelat"),)
    assert judged("Parang Kusumo", "motif-kain", ("ID-YO",), cloth) == "in"
    assert judged("Masjid Kusumo", "motif-kain", ("ID-YO",), cloth) == "unsure"

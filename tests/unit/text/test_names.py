from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.names import canonical_name, name_key, strip_generic

ONE_NAME = [
    ["Wajang Koelit", "wayang kulit", "ꦮꦪꦁꦏꦸꦭꦶꦠ꧀", "WAYANG KULIT", "Wayang-kulit", "ᬯᬬᬂᬓᬸᬮᬶᬢ᭄"],
    ["Ondel-ondel", "ondel ondel", "ondel2", "ondel²", "ONDEL-ONDEL", "ondelondel"],
    ["Bedhaya Ketawang", "Bedoyo Ketawang", "Bedaya Ketawang", "Bĕdåjå Kĕtawang", "Bedojo Ketawang"],
    ["Slametan", "Selamatan", "Selametan"],
    ["Keraton", "Kraton"],
    ["Serimpi", "Srimpi"],
    ["Joged Bumbung", "Joget Bumbung"],
    ["Reog Ponorogo", "Reyog Ponorogo", "Réog Ponorogo", "Reog Panaraga"],
    ["Ma'nene", "Ma’nene’", "Manene", "Ma`nene"],
    ["Gudeg Jogja", "Gudeg Yogya", "Goedeg Djokja"],
    ["Parang Kusuma", "Parang Kusumo", "Parang Koesoemo"],
    ["Angklung", "Angkloeng", "ᮃᮀᮊᮣᮥᮀ", "ꦲꦁꦏ꧀ꦭꦸꦁ"],
    [
        "Tari Saman",
        "Tari Saman (Aceh)",
        "TARI SAMAN",
        "“Tari Saman”",
        "Tari\u200b Saman",
        "Ｔａｒｉ Ｓａｍａｎ",
        "Tari Sаman",
    ],
    ["Sriwijaya", "Srivijaya", "Sriwidjaja"],
    ["Makassar", "Makasar"],
    ["Kyai Sengkelat", "Kiai Sengkelat", "Kiyai Sengkelat"],
    ["Gathotkaca", "Gatotkaca", "Gatutkaca"],
    ["Kacapi Suling", "Kecapi Suling", "ᮊᮎᮕᮤ ᮞᮥᮜᮤᮀ"],
    ["Pendopo", "Pendhapa", "Pendapa"],
    ["Grebeg Maulud", "Garebeg Mulud"],
    ["Gado-gado", "Gado gado", "Gadogado"],
    ["Nagarakretagama", "Nāgarakṛtāgama"],
]
TWO_THINGS = [
    ("Tari Piring", "Piring"), ("Parang Rusak", "Parang Kusumo"), ("Raja", "Raya"), ("Baju", "Bayu"), ("Soto", "Sate"),
    ("Babad", "Babat"), ("Gada", "Gado-gado"), ("Rebab", "Rebana"), ("Kolintang", "Kulintang"), ("Moko", "Maka"),
    ("Bajo", "Baju"), ("Wajan", "Wayan"), ("Lajang", "Layang"), ("Kaja", "Kaya"), ("Suling", "Seruling"),
    ("Tabuik", "Tabot"), ("Maulud", "Mulut"), ("Tunggu", "Tungu"), ("???", "!!!"), ("和服", "着物"),
]  # fmt: skip


@pytest.mark.parametrize("spellings", ONE_NAME, ids=lambda names: names[0])
def test_the_spellings_of_one_name_share_a_key(spellings):
    assert len({name_key(name) for name in spellings}) == 1


@pytest.mark.parametrize(("one", "other"), TWO_THINGS)
def test_different_things_have_different_keys(one, other):
    assert name_key(one) != name_key(other)


def test_a_name_says_its_latin_form_canonical_form_and_script():
    name = canonical_name("Tari “Gandroeng”  (Banjoewangi)")
    assert (name.latin, name.canonical, name.script) == ("Tari “Gandroeng” (Banjoewangi)", "Tari Gandrung", "Latn")
    assert canonical_name("ꦧꦠꦶꦏ꧀").script == "Java"


def test_capitals_alone_are_put_into_readable_case():
    assert canonical_name("TARI PENDET").canonical == "Tari Pendet"
    assert canonical_name("Tari pendet").canonical == "Tari pendet"


def test_a_remark_is_dropped_only_if_a_name_remains():
    assert canonical_name("Saman (tari)").canonical == "Saman"
    assert canonical_name("(tari)").key == "tari"


@pytest.mark.parametrize(
    ("name", "generic", "specific"),
    [
        ("Tari Piring", ["tari"], "Piring"),
        ("Tarian Tari Piring", ["tari", "tarian"], "Piring"),
        ("Alat Moesik Gambang", ["alat musik"], "Gambang"),
        ("Saman Dance", ["dance"], "Saman"),
        ("Tari", ["tari"], "Tari"),
        ("Tari Tarian", ["tari", "tarian"], "Tarian"),
        ("Piring", [], "Piring"),
    ],
)
def test_generic_words_are_stripped_unless_nothing_remains(name, generic, specific):
    assert strip_generic(name, generic) == specific


@settings(max_examples=300, derandomize=True, deadline=None)
@given(st.text(max_size=40) | st.text(alphabet="adeijnouytckh2 -'()é²\u200bꦏꦸ꧀ꦁᬓ᭄", max_size=25))
def test_the_canonical_form_of_a_canonical_form_is_itself(name):
    once = canonical_name(name)
    twice = canonical_name(once.canonical)
    assert (twice.canonical, twice.key) == (once.canonical, once.key)


def test_a_very_long_name_is_answered_at_once():
    assert canonical_name("Wajang " * 20000).key.startswith("wayangwayang")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mie Aceh", "Mi Aceh"),
        ("Cap Cay", "Capcai"),
        ("Bakso Malang", "Baso Malang"),
        ("Sayur Asem", "Sayur Asam"),
        ("Kerak Telor", "Kerak Telur"),
        ("Pisang Ijo", "Pisang Hijau"),
        ("Nagasari", "Nogosari"),
        ("Menado", "Manado"),
    ],
)
def test_dishes_and_towns_have_one_key_in_their_usual_spellings(one, other):
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), [("Baduy", "Badoei"), ("Gulay", "Gulai"), ("Kabaja", "Kebaya")])
def test_a_final_diphthong_and_a_dutch_transcription_have_the_key_of_the_usual_form(one, other):
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("figures", "words", "same"),
    [
        ("Serampang 12", "Serampang Dua Belas", True),
        ("Batik 3 Negeri", "Batik Tiga Negeri", True),
        ("Rumah 30", "Rumah Tiga Puluh", True),
        ("Serampang XII", "Serampang Dua Belas", True),
        ("Sam Poo Kong", "Sam Po Kong", True),
        ("Serampang 12", "Serampang Sebelas", False),
        ("Sunan Pakubuwana X", "Sunan Pakubuwana XI", False),
        ("Sumpah 1928", "Sumpah 28", False),
    ],
)
def test_a_figure_in_a_name_may_be_written_out(figures: str, words: str, same: bool) -> None:
    assert (name_key(figures) == name_key(words)) is same

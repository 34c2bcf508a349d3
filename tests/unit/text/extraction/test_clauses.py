"""What a sentence says in clauses: whole values, whose a thing is, what a heading's text leaves unsaid."""

from __future__ import annotations

import pytest
from tests.unit.text.extraction.pages import facts, read


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        (
            "Upacara ini diadakan pada bulan Safar, yang merupakan bulan kedua dalam kalender Hijriah.",
            {("waktu", "pada bulan Safar")},
        ),
        (
            "Upacara ini dilakukan untuk memohon keselamatan, sehingga seluruh warga ikut serta.",
            {("tujuan", "memohon keselamatan")},
        ),
        ("Upacara tersebut dilaksanakan setelah panen raya.", {("waktu", "setelah panen raya")}),
        (
            "Upacara ini melibatkan doa bersama, pemotongan kerbau, dan makan bersama.",
            {("tahapan", "doa bersama"), ("tahapan", "pemotongan kerbau"), ("tahapan", "makan bersama")},
        ),
        (
            "Upacara ini dilakukan oleh orang tua yang mempunyai anak bayi.",
            {("pelaku", "orang tua yang mempunyai anak bayi")},
        ),
    ],
)
def test_a_clause_is_a_value_as_a_whole(sentence: str, said: set[tuple[str, str]]) -> None:
    (rite,) = read(f"<h1>Sedekah Gunung</h1><p>Sedekah Gunung adalah upacara adat di Magelang. {sentence}</p>")
    assert facts(rite) - {("asal-daerah", "Magelang")} == said


def test_inhabitants_are_a_people_or_those_of_a_place() -> None:
    (rite,) = read("<h1>Mangadati</h1><p>Mangadati adalah tradisi yang dilakukan oleh masyarakat Batak.</p>")
    assert ("suku", "Batak") in facts(rite)
    (rite,) = read("<h1>Nadran</h1><p>Nadran adalah tradisi. Tradisi ini dilakukan oleh masyarakat Magelang.</p>")
    assert {attribute for attribute, _ in facts(rite)} == {"asal-daerah"}


def test_what_a_thing_went_through_is_its_history() -> None:
    (dance,) = read(
        "<h1>Tari Campak</h1><p>Tari Campak adalah tarian dari Belitung. "
        "Tarian ini berkembang pada masa pendudukan Portugis.</p>"
    )
    assert ("sejarah", "berkembang pada masa pendudukan Portugis") in facts(dance)


def test_what_a_thing_has_speaks_of_it_by_name() -> None:
    (dance,) = read(
        "<h1>Tari Gambyong</h1><p>Tari Gambyong adalah tarian dari Jawa Tengah.</p>"
        "<p>Gerakan Tari Gambyong melambangkan kelembutan perempuan Jawa.</p>"
    )
    assert ("makna", "kelembutan perempuan Jawa") in facts(dance)


def test_hearsay_behind_a_comma_leaves_what_stands_before_it() -> None:
    (stone,) = read(
        "<h1>Prasasti Muara Kaman</h1><p>Prasasti Muara Kaman adalah prasasti. "
        "Prasasti ini menggunakan huruf Pallawa, yang diperkirakan dari abad ke-5.</p>"
    )
    assert facts(stone) == {("aksara", "Pallawa")}


def test_below_a_heading_the_text_may_leave_out_name_and_verb() -> None:
    page = (
        "<h1>Minuman kami</h1><h2>Jamu Temulawak</h2><p>Jamu yang membantu meningkatkan nafsu makan.</p>"
        "<h2>Jamu Kunyit Asam</h2><p>Jamu tradisional yang terbuat dari kunyit dan asam.</p>"
    )
    assert {item.name: facts(item) for item in read(page)} == {
        "Jamu Temulawak": {("khasiat", "meningkatkan nafsu makan")},
        "Jamu Kunyit Asam": {("bahan", "kunyit"), ("bahan", "asam")},
    }


def test_a_name_that_is_a_word_of_kind_is_over_where_a_verb_follows() -> None:
    (angklung,) = read(
        "<h1>Angklung</h1><p>Angklung adalah alat musik dari Jawa Barat. Angklung dimainkan dengan cara digoyangkan. "
        "Angklung buhun digunakan untuk upacara adat.</p>"
    )
    assert facts(angklung) == {("asal-daerah", "Jawa Barat"), ("cara-memainkan", "digoyangkan")}


def test_the_next_thing_in_a_sentence_is_no_material() -> None:
    (serunai,) = read(
        "<h1>Serunai</h1><p>Serunai adalah alat musik tiup dari Lombok. "
        "Serunai terbuat dari daun lontar, silu terbuat dari kayu sawo.</p>"
    )
    assert {value for attribute, value in facts(serunai) if attribute == "bahan"} <= {"daun lontar"}


def test_several_names_before_a_copula_define_none() -> None:
    page = "<h1>Tanya jawab</h1><p>Nasi kerabu, nasi dagang dan laksam merupakan makanan tradisional.</p>"
    assert read(page) == []

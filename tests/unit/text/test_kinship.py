from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.kinship import (
    Document,
    akin,
    akin_prints,
    containment,
    copy_clusters,
    landmark_sketch,
    prints,
    shingles,
    sketch,
)


def prose(seed: int, words: int) -> str:
    random = np.random.default_rng(seed)
    return " ".join(f"kata{n}" for n in random.integers(0, 5000, words))


INDONESIAN = (
    "Tari Lenso berasal dari Maluku dan dicatat oleh Rumphius pada tahun 1690. Di Ambon tarian ini dibawakan "
    "oleh 9 penari, lalu di Saparua oleh 12 penari pada 14 Mei 1817. Menurut Valentijn, sapu tangan dari Makassar "
    "sepanjang 75 cm dipakai sejak kapal Haarlem tiba di Banda tahun 1602 bersama Wolphert Harmensz."
)
ENGLISH = (
    "The Lenso comes from Maluku and was noted by Rumphius in the year 1690. In Ambon the dance is given "
    "by 9 dancers, then in Saparua by 12 dancers on 14 Mei 1817. According to Valentijn, kerchiefs from Makassar "
    "measuring 75 cm were used since the ship Haarlem came to Banda in 1602 with Wolphert Harmensz."
)


def test_a_text_pasted_into_a_page_five_times_as_long_is_found() -> None:
    copied, page = prose(1, 200), prose(2, 500)
    long_page = f"{page} {copied} {prose(3, 300)}"
    assert containment(sketch(copied), sketch(long_page)) > 0.95
    assert akin(sketch(copied), sketch(long_page))
    assert containment(sketch(long_page), sketch(copied)) < 0.3


def test_beyond_its_size_a_sketch_still_estimates_the_containment() -> None:
    half = prose(4, 2000)
    whole = f"{half} {prose(5, 18000)}"
    assert containment(sketch(half), sketch(whole)) == pytest.approx(1.0, abs=0.02)
    assert containment(sketch(f"{half} {prose(6, 2000)}"), sketch(whole)) == pytest.approx(0.5, abs=0.12)


def test_a_lightly_edited_copy_is_akin_and_another_text_is_not() -> None:
    words = prose(7, 300).split()
    edited = " ".join("lain" if i % 25 == 0 else word for i, word in enumerate(words))
    assert akin(sketch(" ".join(words)), sketch(edited))
    assert not akin(sketch(prose(8, 300)), sketch(prose(9, 300)))


def test_a_translation_shows_by_the_order_of_its_names_and_numbers() -> None:
    assert not akin(sketch(INDONESIAN), sketch(ENGLISH))
    assert akin(landmark_sketch(INDONESIAN), landmark_sketch(ENGLISH))
    assert akin_prints(prints(INDONESIAN), prints(ENGLISH))


def test_two_writers_of_one_subject_share_landmarks_but_not_their_order() -> None:
    other = (
        "Pada 1817 orang Saparua menyambut tamu dengan sapu tangan. Dari Banda, Lenso dikenal sampai Makassar dan "
        "Ambon. Kini tari Lenso dari Maluku dibawakan 6 penari. Catatan Valentijn lebih muda daripada Rumphius."
    )
    assert not akin_prints(prints(INDONESIAN), prints(other))


def test_an_empty_text_is_akin_to_nothing() -> None:
    assert sketch("") == ()
    assert not akin(sketch(""), sketch(""))
    assert containment((), sketch("a b c d")) == 0


def test_a_title_shared_is_not_a_copy() -> None:
    title = "Tari Piring dari Sumatera Barat"
    assert not akin(sketch(f"{title} {prose(1, 100)}"), sketch(f"{title} {prose(2, 90)}"))


@settings(max_examples=50, derandomize=True)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_has_shingles_and_containment_is_a_share(a: str, b: str) -> None:
    assert len(sketch(a)) == len(shingles(a))
    assert 0 <= containment(sketch(a), sketch(b)) <= 1


def documents() -> list[Document]:
    text = prose(20, 150)
    return [
        Document("a", "satu.id", "", sketch(text)),
        Document("b", "dua.id", "", sketch(f"{text} {prose(21, 400)}")),
        Document("c", "tiga.id", "", sketch(prose(22, 200))),
        Document("d", "tiga.id", "", sketch(prose(23, 200))),
        Document("e", "empat.id", "Penerbit X", ()),
        Document("f", "lima.id", " penerbit x ", ()),
        Document("g", "enam.id", "", sketch(prose(24, 200))),
    ]


def test_copies_domains_and_publishers_make_clusters() -> None:
    assert copy_clusters(documents()) == [
        frozenset("ab"),
        frozenset("cd"),
        frozenset("ef"),
        frozenset("g"),
    ]


def test_clusters_do_not_depend_on_the_order_of_documents() -> None:
    found = {tuple(map(tuple, map(sorted, copy_clusters(order)))) for order in permutations(documents()[:5])}
    assert len(found) == 1


def test_values_that_only_two_share_against_the_rest_betray_a_copy() -> None:
    true = frozenset({("x/tahun", "1900"), ("y/tahun", "1910"), ("z/tahun", "1920")})
    odd = frozenset({("x/tahun", "1901"), ("y/tahun", "1911"), ("z/tahun", "1920")})
    honest = [Document(name, f"{name}.id", values=true) for name in "abc"]
    copies = [Document(name, f"{name}.id", values=odd) for name in "yz"]
    assert frozenset("yz") in copy_clusters([*honest, *copies])
    assert frozenset("abc") not in copy_clusters([*honest, *copies])


def test_a_page_and_those_that_declare_it_as_their_origin_are_one_witness():
    original = Document("a", domain="kabar.example")
    taken = [Document(each, domain=f"{each}.example", origins=frozenset({"kabar.example"})) for each in "bc"]
    apart = Document("d", domain="d.example", origins=frozenset({"elsewhere.example"}))
    assert copy_clusters([apart, *taken, original]) == [frozenset("abc"), frozenset("d")]
    assert copy_clusters(taken) == [frozenset("bc")]

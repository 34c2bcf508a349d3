from __future__ import annotations

import numpy as np
import pytest

from lumbung.text.matching.named import RELATIONS, name_book, relate, variants_of

GENERIC = ("tari", "tarian", "batik")


def relation(a: str, b: str) -> str:
    others = [f"Lain{n}" for n in range(40)]
    book = name_book([a, b, *others], [1] * 42, GENERIC)
    forwards = relate(book, np.array([0], np.int32), np.array([1], np.int32), 4)
    backwards = relate(book, np.array([1], np.int32), np.array([0], np.int32), 4)
    assert forwards == backwards
    return RELATIONS[int(forwards[0])]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Wajang Koelit", "wayang kulit", "equal and rare"),
        ("Maria Garcia", "Garcia Maria", "equal and rare"),
        ("Tari Piring", "Tarian Piring", "equal but for generic words or order"),
        ("Rumah Gadang", "Rumahgadang", "equal and rare"),
        ("Tari Remonk", "Tari Remong", "spelling"),
        ("Remonk Suramadu", "Remong Suramadu", "spelling, in rare words"),
        ("Parang Rusak", "Parang Kusumo", "partly shared"),
        ("Festival Danau Sentani 2016", "Festival Danau Sentani 2017", "partly shared"),
        ("Soto", "Soto Betawi", "one adds words"),
        ("Rendang", "Gamelan", "apart"),
        ("", "Gamelan", "apart"),
    ],
)
def test_names_relate_as_people_would_say(a: str, b: str, expected: str) -> None:
    assert relation(a, b) == expected


@pytest.mark.parametrize(
    ("name", "variants"),
    [
        ("Tari Indang (Dindin Badindin)", ["Tari Indang", "Dindin Badindin"]),
        ("Gendang / Kendang", ["Gendang", "Kendang"]),
        ("Reog alias Barongan", ["Reog", "Barongan"]),
        ("Saman", ["Saman"]),
        ("(Saman)", ["Saman"]),
        ("()", ["()"]),
    ],
)
def test_other_names_written_beside_a_name_are_names(name: str, variants: list[str]) -> None:
    assert variants_of(name) == variants


def generic_of(word: str, names: list[str], kinds: list[int] | None) -> bool:
    book = name_book(names, [1] * len(names), (), kinds)
    row = next(n for n, name in enumerate(names) if word in name.split())
    place = book.vocabulary.index(word)
    return bool(book.generic[row][book.words[row] == place][0])


def test_a_common_word_is_generic_if_it_keeps_to_one_kind_or_is_left_out_at_will() -> None:
    own = [f"tenda lu{n}ri" for n in range(100)]
    spread = [f"sekar mo{n}la" for n in range(100)]
    others = [f"ba{n}ngo" for n in range(200)]
    names = [*own, *spread, *others]
    kinds = [0] * 100 + [n % 5 for n in range(100)] + [n % 5 for n in range(200)]
    assert generic_of("tenda", names, kinds)
    assert not generic_of("sekar", names, kinds)
    assert generic_of("sekar", names, None)
    assert generic_of("sekar", [*names, *(f"mo{n}la" for n in range(40))], kinds + [0] * 40)

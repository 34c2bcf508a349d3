"""How much of a value what is held may say, where it does not say all of it."""

from __future__ import annotations

import pytest

from lumbung.model.profile import ValueKind
from lumbung.text.coverage import Said
from lumbung.text.restating import accounted, accounted_within
from lumbung.text.stemming import stem
from lumbung.text.tables import word_lines

SET, TEXT, PERSON, NUMBER = ValueKind.SET, ValueKind.TEXT, ValueKind.PERSON, ValueKind.NUMBER


def share(value, held, kind, told="", synonyms=None):
    return accounted(Said("", value), [Said("", each) for each in held], kind, told, synonyms or {})


@pytest.mark.parametrize(
    ("value", "held", "kind"),
    [
        ("tali dari serat doyo", "tali daun doyo", TEXT),
        ("boleh dipinjam kerabat raja", "hanya boleh dipinjam raja", TEXT),
        ("kelewang, tombak", "tombak, podang", SET),
        ("talam (dulang), payung", "dulang, payung", SET),
        ("kebersihan serta hidup yang tertib", "ketertiban, kebersihan", TEXT),
        ("Joh. de Vries", "Johannes de Vries", PERSON),
        ("K.G.P.A.A. Mangkunegara IV", "Mangkunegara IV", PERSON),
    ],
)
def test_what_shares_most_of_its_words_or_stands_in_the_place_of_another_may_be_the_same(value, held, kind):
    assert share(value, [held], kind) >= 0.4


@pytest.mark.parametrize(
    ("value", "held", "kind"),
    [
        ("tinggi 5 meter", "tinggi 6 meter", TEXT),
        ("bulan Sapar", "bulan Suro", TEXT),
        ("dibungkus daun jati", "dibungkus daun pisang", TEXT),
        ("sebelum menanam", "setelah menanam", TEXT),
        ("pembawa damai dan berkah", "pembawa damai", TEXT),
        ("rebana, gendang, biola", "rebana, tehyan", SET),
        ("merah, biru", "merah, hitam", SET),
        ("Serunting, Putri Tenang", "Serunting, Aria Tebing", SET),
        ("Pangeran Dipanegara", "Pangeran Mangkubumi", PERSON),
        ("12 orang", "9 orang", NUMBER),
        ("jangan rakus", "hormat kepada ibu", TEXT),
    ],
)
def test_a_number_a_name_a_thing_of_the_same_kind_or_a_further_part_is_surely_more(value, held, kind):
    assert share(value, [held], kind) == 0.0


def test_nothing_is_accounted_for_where_nothing_is_held():
    assert share("kayu", [], SET) == share("kayu", [], TEXT) == share("Raden Saleh", [], PERSON) == 0.0


def test_words_that_are_told_of_the_item_anyway_do_not_lessen_the_share():
    assert share("dukun kampung Sukamaju", ["dukun desa"], TEXT, told="Sukamaju") > share(
        "dukun kampung Sukamaju", ["dukun desa"], TEXT
    )


def test_a_synonym_of_the_profile_is_the_word_it_stands_for():
    assert share("pecut, tameng", ["cambuk, perisai"], SET, synonyms={"pecut": "cambuk", "tameng": "perisai"}) == 1.0


def test_a_text_may_say_a_value_of_which_it_has_most_words_in_each_part():
    words = frozenset(map(stem, "resonator anyaman daun lontar badan sebatang bambu".split()))
    assert accounted_within(Said("", "bambu tua, daun lontar"), words, SET, "", {}) == 0.5
    assert accounted_within(Said("", "kawat, daun lontar"), words, SET, "", {}) == 0.0
    assert accounted_within(Said("", "12 orang"), words, NUMBER, "", {}) == 0.0


def test_every_kind_has_several_things_each_named_once():
    for family in word_lines("kinds.txt"):
        assert len(set(family)) == len(family) >= 2

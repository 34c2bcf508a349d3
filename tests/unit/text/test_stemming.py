from __future__ import annotations

from lumbung.text.stemming import root_words, stem, stems


def test_inflected_words_share_their_root():
    assert {stem(word) for word in ("menari", "penari", "tarian", "Menarikan")} == {"tari"}
    assert stem("kebudayaan") == "budaya"


def test_a_noun_that_the_stemmer_would_cut_short_keeps_its_root():
    assert {stem(word) for word in ("gerak", "gerakan", "bergerak")} == {"gerak"}
    assert stem("penarinya") == stem("penari")
    assert stem("makan") == "makan"


def test_what_is_no_plain_word_is_its_own_stem():
    assert stem("di") == "di"
    assert stem("ꦧꦠꦶꦏ꧀") == "ꦧꦠꦶꦏ꧀"
    assert stem("a" * 5000) == "a" * 5000


def test_the_stems_of_a_text_are_a_set():
    assert stems("Para penari menarikan tari-tarian, 12 kali.") == {"para", "tari", "kali"}
    assert stems("") == frozenset()


def test_the_dictionary_of_roots_is_there():
    assert {"wayang", "raja", "budaya"} <= root_words()

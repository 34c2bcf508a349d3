"""Sentences with their offsets."""

from __future__ import annotations

import pytest

from lumbung.text.extraction.sentences import sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Satu. Dua.", ["Satu.", "Dua."]),
        ("Diciptakan oleh R. Tjetje Somantri. Selesai.", ["Diciptakan oleh R. Tjetje Somantri.", "Selesai."]),
        ("Alamat di Jl. Malioboro No. 5. Buka.", ["Alamat di Jl. Malioboro No. 5.", "Buka."]),
        ("Bonang, saron, dll. dan gong.", ["Bonang, saron, dll. dan gong."]),
        ("Bonang, saron, dll. Lalu gong.", ["Bonang, saron, dll.", "Lalu gong."]),
        ("Dibangun abad ke-9 M. Candi ini besar.", ["Dibangun abad ke-9 M.", "Candi ini besar."]),
        ("Ditemukan M. Batenburg. Selesai.", ["Ditemukan M. Batenburg.", "Selesai."]),
        ("Baris satu\nBaris dua", ["Baris satu", "Baris dua"]),
        ("Apa itu? Ini!", ["Apa itu?", "Ini!"]),
    ],
)
def test_abbreviations_end_no_sentence(text: str, expected: list[str]) -> None:
    found = list(sentences(text, 0, len(text)))
    assert [sentence.text for sentence in found] == expected
    assert all(text[sentence.start : sentence.end] == sentence.text for sentence in found)


def test_a_sentence_that_never_ends_is_cut_at_a_blank() -> None:
    text = "diiringi " * 2_000
    found = list(sentences(text, 0, len(text)))
    assert max(len(sentence.text) for sentence in found) <= 2_000
    assert " ".join(sentence.text for sentence in found) == text.strip()
    assert all(text[sentence.start : sentence.end] == sentence.text for sentence in found)


def test_numbers_of_a_list_are_no_sentences() -> None:
    assert [sentence.text for sentence in sentences("1. Saman. 2. Seudati.", 0, 21)] == ["Saman.", "Seudati."]

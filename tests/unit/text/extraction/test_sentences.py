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
        ("Bonang, saron, dll. Lalu gong.", ["Bonang, saron, dll. Lalu gong."]),
        ("Baris satu\nBaris dua", ["Baris satu", "Baris dua"]),
        ("Apa itu? Ini!", ["Apa itu?", "Ini!"]),
    ],
)
def test_abbreviations_end_no_sentence(text: str, expected: list[str]) -> None:
    found = list(sentences(text, 0, len(text)))
    assert [sentence.text for sentence in found] == expected
    assert all(text[sentence.start : sentence.end] == sentence.text for sentence in found)

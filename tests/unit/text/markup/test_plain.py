"""Plain text: paragraphs, lists, headings."""

from __future__ import annotations

from lumbung.text.markup import read_plain


def test_hard_wrapped_lines_are_one_paragraph_under_a_title() -> None:
    page = read_plain("Kacapi\n\nKacapi merupakan alat musik petik masyarakat Sunda di Jawa\nBarat. Kacapi dipetik.\n")
    assert page.title == "Kacapi"
    assert page.text == "Kacapi\nKacapi merupakan alat musik petik masyarakat Sunda di Jawa Barat. Kacapi dipetik."


def test_numbered_lines_alone_are_headings_and_bullets_are_items() -> None:
    page = read_plain("Tarian\n\n1. Tari Merak\n\nTari Merak adalah tarian dari Jawa Barat.\n\n- kemben\n- selendang\n")
    kinds = [(block.kind, page.text[block.start : block.end]) for block in page.blocks]
    assert ("heading", "Tari Merak") in kinds
    assert ("list-item", "kemben") in kinds


def test_labelled_lines_stay_lines() -> None:
    page = read_plain("Songket\n\nBahan: benang emas, benang sutra\nMakna: kemakmuran\n")
    assert "Bahan: benang emas, benang sutra\nMakna: kemakmuran" in page.text


def test_bytes_in_an_old_charset_are_read() -> None:
    assert "café" in read_plain("Kopi di café tua di Bandung, dahulu bernama Preanger.".encode("cp1252")).text

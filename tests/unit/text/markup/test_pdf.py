"""PDF in reading order."""

from __future__ import annotations

import pytest
from tests.unit.text.markup.sheets import Line, pdf_of

from lumbung.errors import InputRefused
from lumbung.text.markup import read_pdf

LEFT = ["Tari Piring adalah tarian tradisio-", "nal yang berasal dari Minangkabau,", "Sumatera Barat. Penarinya memba-",
        "wa piring di kedua tangan. Anak-", "anak juga menarikannya."]  # fmt: skip
RIGHT = ["Kolom kanan mulai di sini dan", "berlanjut sampai akhir halaman", "dengan beberapa kalimat lagi yang",
         "menjelaskan iringan musiknya.", "Selesai."]  # fmt: skip


def sheet(number: int) -> list[Line]:
    lines: list[Line] = [(50, 810, 9, f"Jurnal Budaya Vol. {number}"), (50, 760, 18, f"Tari Piring {number}")]
    for place, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        lines += [(50, 720 - 14 * place, 11, left), (310, 720 - 14 * place, 11, right)]
    return [*lines, (290, 30, 9, str(number))]


@pytest.fixture(scope="module")
def text() -> str:
    return read_pdf(pdf_of([sheet(1), sheet(2), sheet(3)])).text


def test_columns_are_read_one_after_the_other(text: str) -> None:
    assert text.index("menarikannya") < text.index("Kolom kanan")


def test_hyphens_at_line_ends_go_but_doubled_words_keep_theirs(text: str) -> None:
    assert "tradisional yang" in text
    assert "membawa piring" in text
    assert "Anak-anak juga" in text


def test_running_heads_and_page_numbers_are_dropped(text: str) -> None:
    assert "Jurnal" not in text
    assert not any(line.strip().isdigit() for line in text.split("\n"))


def test_large_type_is_a_heading() -> None:
    page = read_pdf(pdf_of([sheet(1)]))
    assert page.title == "Tari Piring 1"
    assert [page.text[block.start : block.end] for block in page.blocks if block.kind == "heading"] == ["Tari Piring 1"]


@pytest.mark.parametrize("trick", ["3 Tr", "1 1 1 rg"])
def test_text_that_is_not_shown_is_not_read(trick: str) -> None:
    with pytest.raises(InputRefused) as refusal:
        read_pdf(pdf_of([sheet(1)], extra=trick))
    assert refusal.value.reason == "no-text-layer"


@pytest.mark.parametrize("damaged", [b"%PDF-1.4", b"%PDF-1.4\n" + b"\xff" * 5_000, pdf_of([sheet(1)])[:300]])
def test_a_damaged_file_is_refused(damaged: bytes) -> None:
    with pytest.raises(InputRefused) as refusal:
        read_pdf(damaged)
    assert refusal.value.reason in {"damaged-pdf", "no-text-layer"}

"""Short lines that stand over prose as headings do."""

from __future__ import annotations

import pytest

from lumbung.text.markup import read_page

PROSE = "Tari Pendet berasal dari Bali dan ditarikan oleh sekelompok perempuan yang membawa bunga."


def kinds(inside: str) -> list[tuple[str, int]]:
    page = read_page(f"<h1>Tarian Bali</h1>{inside}", "https://budaya.example/x")
    return [(block.kind, block.level) for block in page.blocks[1:]]


@pytest.mark.parametrize(
    "line", ["<p>1. Tari Pendet</p>", "<p><b>Tari Pendet</b></p>", "<div><strong>Tari Pendet</strong></div>"]
)
def test_a_line_with_a_number_or_in_bold_over_prose_is_a_heading(line: str) -> None:
    assert kinds(f"{line}<p>{PROSE}</p>") == [("heading", 2), ("paragraph", 0)]


@pytest.mark.parametrize(
    "line",
    [
        "<p>Tari Pendet</p>",
        "<p><b>Bahan:</b></p>",
        "<p><b>Tari Pendet adalah tarian penyambutan.</b></p>",
        "<p>1945 sampai 1949</p>",
    ],
)
def test_other_short_lines_are_not(line: str) -> None:
    assert kinds(f"{line}<p>{PROSE}</p>")[0] == ("paragraph", 0)


def test_bold_words_within_a_paragraph_make_none() -> None:
    assert (
        kinds(f"<p><b>Tari Pendet</b> berasal dari Bali, pulau di timur Jawa.</p><p>{PROSE}</p>")[0][0] == "paragraph"
    )

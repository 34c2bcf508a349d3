"""Pictures of pages: what the program is not sure of is not told, and noise is no line."""

from __future__ import annotations

import pytest
from tests.unit.text.markup.sheets import pdf_of, scanned

from lumbung.errors import InputRefused
from lumbung.text.markup.scan import Sheet, read_scan

SHEETS = scanned(pdf_of([[(50, 780, 12, "x")], [(50, 780, 12, "y")]]))


def hocr(*lines: tuple[int, float, str]) -> bytes:
    """Lines as height from above in dots, size in dots, and words of which those with ? are doubtful."""
    return "".join((
        "<html xmlns='http://www.w3.org/1999/xhtml'><body><div class='ocr_page'><p class='ocr_par'>",
        *(
            f"<span class='ocr_line' title='bbox 200 {top} 2000 {top + 50}; baseline 0 0; x_size {size}'>"
            + " ".join(
                f"<span class='ocrx_word' title='bbox 1 1 2 2; x_wconf {20 if word.endswith('?') else 95}'>{word}</span>"
                for word in words.split()
            )
            + "</span>"
            for top, size, words in lines
        ),
        "</p></div></body></html>",
    )).encode()  # fmt: skip


def read(*pages: bytes) -> tuple[str, list[str]]:
    answers = iter(pages)
    page = read_scan(SHEETS, len(pages), lambda _: next(answers))
    return page.text, [block.kind for block in page.blocks]


def test_lines_of_a_paragraph_are_one_and_a_broken_word_is_whole() -> None:
    text, _ = read(hocr((900, 49, "Tari Piring ditarikan di Minang-"), (960, 52, "kabau dengan piring.")))
    assert text == "Tari Piring ditarikan di Minangkabau dengan piring."


def test_large_letters_are_a_heading_though_no_two_lines_measure_the_same() -> None:
    text, kinds = read(
        hocr((500, 90, "Tari Piring"), (900, 47, "Tarian dari Minangkabau"), (960, 53, "yang terkenal."))
    )
    assert text == "Tari Piring\nTarian dari Minangkabau yang terkenal."
    assert kinds == ["heading", "paragraph"]


def test_a_doubtful_word_is_not_told() -> None:
    text, _ = read(hocr((900, 50, "Diiringi saluang dan talernpong? pada malam hari.")))
    assert text == "Diiringi saluang dan \ufffd pada malam hari."


def test_a_line_that_is_mostly_doubtful_is_none() -> None:
    text, _ = read(hocr((900, 50, "Diiringi saluang."), (1200, 50, "~|? ;:_? ,,? dan")))
    assert text == "Diiringi saluang."


def test_running_heads_go_and_pages_go_on() -> None:
    head = (60, 50, "Majalah Budaya 7")
    text, _ = read(
        hocr(head, (900, 50, "Piring di tangan kanan dan")),
        hocr((60, 50, "Majalah Budaya 8"), (900, 50, "kiri penari.")),
    )
    assert text == "Piring di tangan kanan dan kiri penari."


@pytest.mark.parametrize("answer", [b"", b"no markup at all", hocr(), hocr((900, 50, "x? y? z?"))])
def test_a_picture_without_letters_is_refused(answer: bytes) -> None:
    with pytest.raises(InputRefused) as refusal:
        read_scan(SHEETS, 1, lambda _: answer)
    assert refusal.value.reason == "no-letters"


def test_a_sheet_of_any_size_is_a_picture_of_bounded_size() -> None:
    large = SHEETS.replace(b"595", b"14400").replace(b"842", b"14400")
    seen: list[Sheet] = []
    for body in (SHEETS, large):
        with pytest.raises(InputRefused):
            read_scan(body, 1, lambda sheet: seen.append(sheet) or b"")
    assert seen[0].dots_per_inch == 300
    assert all(len(sheet.picture) <= 20_100_000 for sheet in seen)
    assert seen[1].dots_per_inch < 100

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.charset import codec_of, decode, without_mojibake

LATIN = "Upacara adat — café “naïve” à la Ünüm, façade déjà vu. " * 3
JAPANESE = "これは日本語のテキストです。文化遺産について説明します。" * 3
CHINESE = "這是一個關於文化遺產的文字說明，歡迎大家閱讀。" * 3
RUSSIAN = "Это текст о культурном наследии народов мира. " * 3
JAVANESE = "ꦮꦪꦁꦏꦸꦭꦶꦠ꧀"


@pytest.mark.parametrize(
    ("text", "encoding", "content_type"),
    [
        (LATIN, "utf-8", None),
        (JAVANESE, "utf-8", "text/html"),
        (LATIN, "utf-8", "text/html; charset=ISO-8859-1"),
        (LATIN, "utf-8-sig", "text/html; charset=windows-1252"),
        (LATIN, "cp1252", "text/html; charset=iso-8859-1"),
        (LATIN, "cp1252", "text/html; charset='latin1'"),
        (LATIN, "utf-16", None),
        (LATIN, "utf-16-le", "text/html; charset=utf-16"),
        (JAPANESE, "shift_jis", None),
        (JAPANESE, "shift_jis", "text/html; charset=x-sjis"),
        (JAPANESE, "euc_jp", None),
        (JAPANESE, "iso2022_jp", "text/html; charset=iso-2022-jp"),
        (CHINESE, "big5", "text/html; charset=big5"),
        (CHINESE, "gb18030", "text/html; charset=gb2312"),
        (RUSSIAN, "cp1251", None),
        (RUSSIAN, "koi8-r", "text/html; charset=koi8-r"),
    ],
)
def test_text_comes_back_from_its_charset(text: str, encoding: str, content_type: str | None) -> None:
    assert decode(text.encode(encoding), content_type).text == text


def test_a_meta_element_is_heard_when_the_header_is_silent() -> None:
    page = f'<html><head><meta http-equiv=Content-Type content="text/html; charset=koi8-r"></head>{RUSSIAN}'
    decoded = decode(page.encode("koi8-r"), "text/html")
    assert (decoded.text, decoded.via) == (page, "meta")


def test_a_wrong_label_is_overruled_by_the_bytes() -> None:
    assert decode(RUSSIAN.encode("cp1251"), "text/html; charset=utf-8").text == RUSSIAN


def test_a_body_cut_in_the_middle_of_a_letter_stays_what_it_says_it_is() -> None:
    body = (LATIN * 20).encode()
    cut = next(n for n in range(len(body) - 1, 0, -1) if body[n] >= 0x80 and body[n - 1] >= 0xC0)
    decoded = decode(body[:cut], "text/html; charset=utf-8")
    assert decoded.encoding == "utf-8"
    assert decoded.text.endswith("\ufffd")


def test_mojibake_is_repaired_line_by_line() -> None:
    broken = "café “x”".encode().decode("cp1252", "replace")
    assert "café" in without_mojibake("baris utuh: é\n" + broken)
    assert without_mojibake("Ã adalah huruf") == "Ã adalah huruf"
    assert decode("cafÃ© di kota".encode()).repaired


@pytest.mark.parametrize(
    "label", ["base64", "zlib", "rot13", "idna", "unicode_escape", "undefined", "tidak-ada", "\x00"]
)
def test_what_is_no_charset_is_none(label: str) -> None:
    assert codec_of(label) is None


@settings(max_examples=200, derandomize=True, deadline=None)
@given(
    st.binary(max_size=200), st.none() | st.sampled_from(["text/html; charset=utf-7", "x; charset=utf-16", "charset="])
)
def test_any_bytes_become_text(body: bytes, content_type: str | None) -> None:
    decode(body, content_type).text.encode()

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
    ("labels", "codec"),
    [
        ("utf8 UTF-8 unicode-1-1-utf-8 unicode20utf8", "utf-8"),
        ("ascii us-ascii latin1 l1 iso-8859-1 iso88591 iso_8859-1:1987 cp819 x-cp1252 windows-1252", "cp1252"),
        ("iso-8859-9 latin5 iso88599 windows-1254 x-cp1254", "cp1254"),
        ("tis-620 iso-8859-11 iso885911 dos-874 windows-874", "cp874"),
        ("gb2312 gbk x-gbk chinese csgb2312 gb_2312-80 gb18030", "gb18030"),
        ("shift_jis shift-jis sjis x-sjis ms_kanji windows-31j", "cp932"),
        ("euc-kr korean ks_c_5601-1987 ksc_5601 windows-949", "cp949"),
        ("big5 cn-big5 x-x-big5 big5-hkscs", "big5hkscs"),
        ("iso-8859-8-i logical visual hebrew", "iso8859-8"),
        ("iso-8859-6-e arabic asmo-708", "iso8859-6"),
        ("koi koi8-r", "koi8-r"),
        ("koi8-ru koi8-u", "koi8-u"),
        ("mac macintosh x-mac-roman", "mac-roman"),
        ("x-mac-cyrillic x-mac-ukrainian", "mac-cyrillic"),
        ("utf-16 utf-16le unicode ucs-2 unicodefeff", "utf-16-le"),
        ("unicodefffe utf-16be", "utf-16-be"),
    ],
)
def test_labels_mean_what_browsers_take_them_for(labels: str, codec: str) -> None:
    assert {codec_of(label) for label in labels.split()} == {codec}


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

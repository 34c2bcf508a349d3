from __future__ import annotations

import pytest

from lumbung.text.charset_label import declared_charsets


@pytest.mark.parametrize(
    ("markup", "labels"),
    [
        (b"<meta charset=iso-8859-2>", ["iso-8859-2"]),
        (b"<META\n CharSet = 'windows-1251' />", ["windows-1251"]),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=euc-jp">', ["euc-jp"]),
        (b"<meta content='text/html; charset=\"koi8-r\"' http-equiv=content-type>", ["koi8-r"]),
        (b'<meta charset=""><meta charset=nonsense><meta charset=big5>', ["nonsense", "big5"]),
        (b"<?xml version='1.0' encoding='gb18030'?><html>", ["gb18030"]),
        (b"<meta <meta charset='euc-jp'>", ["euc-jp"]),
        (b"<meta http-equiv=refresh content='0; charset=euc-jp'>", []),
        (b'<meta content="text/html; charset=euc-jp">', []),
        (b"<metacharset=euc-jp>", []),
        (b"<!-- <meta charset=euc-jp> --><meta charset=big5>", ["big5"]),
        (b"<!--><meta charset=big5>", ["big5"]),
        (b'<p title="<meta charset=euc-jp>"><meta charset=big5>', ["big5"]),
        (b'<meta charset="euc-jp><p>', []),
        (b"<meta charset=euc-jp", []),
        (b"no markup < 3", []),
    ],
)
def test_a_label_is_read_where_a_browser_reads_one(markup: bytes, labels: list[str]) -> None:
    assert list(declared_charsets(markup)) == labels


def test_endless_quotes_and_brackets_cost_a_single_pass() -> None:
    for hostile in (b"<" * 16_000, b"<a " * 5_000, b"<a b='" * 3_000, b"<!--" * 4_000, b"<meta a=" * 2_000):
        assert list(declared_charsets(hostile)) == []

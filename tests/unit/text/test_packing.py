from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.packing import unpacked

PAGE = b"<h1>Tari Gambyong</h1>" * 40
MOST = 1_000_000


def chunked(body: bytes, size: int = 50) -> bytes:
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x;name=value\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


RAW = zlib.compressobj(wbits=-15)
RAW_DEFLATED = RAW.compress(PAGE) + RAW.flush()


@pytest.mark.parametrize(
    ("body", "transfer", "content"),
    [
        (PAGE, "", ""),
        (PAGE, "identity", "identity"),
        (chunked(PAGE), "chunked", ""),
        (gzip.compress(PAGE), "", "gzip"),
        (chunked(gzip.compress(PAGE)), "Chunked", "x-gzip"),
        (zlib.compress(PAGE), "", "deflate"),
        (RAW_DEFLATED, "", "deflate"),
        (brotli.compress(PAGE), "", "br"),
        (gzip.compress(brotli.compress(PAGE)), "", "br, gzip"),
    ],
)
def test_what_was_packed_is_unpacked(body: bytes, transfer: str, content: str) -> None:
    assert unpacked(body, transfer, content, MOST) == PAGE


@pytest.mark.parametrize(
    ("transfer", "content"),
    [("chunked", ""), ("", "gzip"), ("", "deflate"), ("", "br"), ("", "zstd"), ("chunked", "br")],
)
def test_what_is_not_as_its_headers_say_is_taken_as_it_is(transfer: str, content: str) -> None:
    assert unpacked(PAGE, transfer, content, MOST) == PAGE


def test_a_damaged_end_costs_only_what_follows_it() -> None:
    assert PAGE.startswith(unpacked(chunked(PAGE)[:200], "chunked", "", MOST))
    whole = b"".join(b"%d " % number for number in range(20_000))
    for packed, name in ((gzip.compress(whole), "gzip"), (brotli.compress(whole, quality=1), "br")):
        half = unpacked(packed[: len(packed) // 2], "", name, MOST)
        assert half
        assert whole.startswith(half)


@pytest.mark.parametrize(
    ("pack", "name"), [(gzip.compress, "gzip"), (zlib.compress, "deflate"), (brotli.compress, "br")]
)
def test_no_more_comes_out_than_was_asked_for(pack, name) -> None:
    assert unpacked(pack(bytes(5_000_000)), "", name, 70_000) == bytes(70_000)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(
    st.binary(max_size=300),
    st.sampled_from(["", "chunked"]),
    st.sampled_from(["", "gzip", "deflate", "br", "gzip, br", "br, gzip, br"]),
)
def test_any_bytes_come_to_an_end(body: bytes, transfer: str, content: str) -> None:
    assert len(unpacked(body, transfer, content, 10_000)) <= 10_000

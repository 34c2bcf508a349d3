from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.packing import Bounds, Flaw, Unpacked, unpack, unpacked

PAGE = b"<h1>Tari Gambyong</h1>" * 40
MOST = 1_000_000
PAGES = b"<html>" + b"".join(b"<p>Tari nomor %d</p>" % n for n in range(2000)) + b"</html>"
BOUNDS = Bounds(16 * 1024 * 1024, most_ratio=200, ratio_free_bytes=1024 * 1024)


def chunked(body: bytes, size: int = 50) -> bytes:
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x;name=value\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def raw_deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("body", "transfer", "content"),
    [
        (PAGE, "", ""),
        (PAGE, "identity", "identity"),
        (chunked(PAGE), "chunked", ""),
        (gzip.compress(PAGE, mtime=0), "", "gzip"),
        (chunked(gzip.compress(PAGE, mtime=0)), "Chunked", "x-gzip"),
        (zlib.compress(PAGE), "", "deflate"),
        (raw_deflated(PAGE), "", "deflate"),
        (brotli.compress(PAGE), "", "br"),
        (gzip.compress(brotli.compress(PAGE), mtime=0), "", "br, gzip"),
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
    for packed, name in ((gzip.compress(whole, mtime=0), "gzip"), (brotli.compress(whole, quality=1), "br")):
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


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (gzip.compress(PAGES, mtime=0), "gzip"),
        (gzip.compress(PAGES, mtime=0), "X-GZIP"),
        (gzip.compress(PAGES[:100], mtime=0) + gzip.compress(PAGES[100:], mtime=0), "gzip"),
        (gzip.compress(PAGES, mtime=0) + b"\x00" * 20, "gzip"),
        (zlib.compress(PAGES), "deflate"),
        (raw_deflated(PAGES), "deflate"),
        (brotli.compress(PAGES), "br"),
        (gzip.compress(brotli.compress(PAGES), mtime=0), "br, gzip"),
        (PAGES, "identity"),
        (PAGES, ""),
        (PAGES, "gzip"),
    ],
)
def test_encodings_are_undone(body: bytes, encoding: str) -> None:
    result = unpack(body, encoding, BOUNDS)
    assert (result.content, result.flaw) == (PAGES, None)


ZEROS = b"\x00" * 40_000_000


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (gzip.compress(ZEROS, 1, mtime=0), "gzip"),
        (zlib.compress(ZEROS, 1), "deflate"),
        (brotli.compress(ZEROS, quality=1), "br"),
    ],
    ids=["gzip", "deflate", "br"],
)
def test_a_bomb_is_stopped_by_its_ratio(body: bytes, encoding: str) -> None:
    result = unpack(body, encoding, BOUNDS)
    assert (result.content, result.flaw) == (b"", Flaw.BOMB)


def test_a_long_honest_page_is_cut_at_the_cap() -> None:
    small = Bounds(5000)
    for body, encoding in ((gzip.compress(PAGES, mtime=0), "gzip"), (brotli.compress(PAGES), "br")):
        result = unpack(body, encoding, small)
        assert (result.content, result.flaw) == (PAGES[:5000], Flaw.CUT)


def test_a_cut_stream_gives_what_came_through() -> None:
    for body, encoding in ((gzip.compress(PAGES, mtime=0), "gzip"), (brotli.compress(PAGES), "br")):
        result = unpack(body[: len(body) // 2], encoding, BOUNDS)
        assert result.flaw is Flaw.INCOMPLETE
        assert PAGES.startswith(result.content)


@pytest.mark.parametrize("encoding", ["zstd", "compress", "gzip, gzip, gzip", "gzip, zstd", "br; q=1"])
def test_encodings_that_were_not_offered_are_refused(encoding: str) -> None:
    assert unpack(b"\x00\x01", encoding, BOUNDS).flaw is Flaw.UNREADABLE


@pytest.mark.parametrize("encoding", ["utf-8", "none", "text/html", "identity, UTF-8"])
def test_what_is_no_encoding_hides_no_page(encoding: str) -> None:
    assert unpack(PAGES, encoding, BOUNDS) == Unpacked(PAGES)


def test_members_that_hold_nothing_are_not_unpacked_without_end() -> None:
    nothing = gzip.compress(b"", mtime=0)
    assert unpack(nothing * 100 + gzip.compress(b"halo", mtime=0), "gzip", BOUNDS) == Unpacked(b"halo")
    assert unpack(nothing * 50_000 + gzip.compress(b"halo", mtime=0), "gzip", BOUNDS) == Unpacked(b"", Flaw.CUT)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.binary(max_size=100), st.sampled_from(["gzip", "deflate", "br", "gzip, br"]))
def test_any_bytes_are_unpacked_or_given_a_reason(body: bytes, encoding: str) -> None:
    unpack(b"\x1f\x8b" + body, encoding, BOUNDS)
    unpack(body, encoding, BOUNDS)

from __future__ import annotations

import gzip
import zlib

import brotli  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.providers.fetch.decoding import unpack
from lumbung.providers.fetch.limits import FetchLimits, Reason

LIMITS = FetchLimits()
PAGE = b"<html>" + b"".join(b"<p>Tari nomor %d</p>" % n for n in range(2000)) + b"</html>"


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (gzip.compress(PAGE, mtime=0), "gzip"),
        (gzip.compress(PAGE, mtime=0), "X-GZIP"),
        (gzip.compress(PAGE[:100], mtime=0) + gzip.compress(PAGE[100:], mtime=0), "gzip"),
        (gzip.compress(PAGE, mtime=0) + b"\x00" * 20, "gzip"),
        (zlib.compress(PAGE), "deflate"),
        (raw_deflate(PAGE), "deflate"),
        (brotli.compress(PAGE), "br"),
        (gzip.compress(brotli.compress(PAGE), mtime=0), "br, gzip"),
        (PAGE, "identity"),
        (PAGE, ""),
        (PAGE, "gzip"),
    ],
)
def test_encodings_are_undone(body: bytes, encoding: str) -> None:
    unpacked = unpack(body, encoding, LIMITS)
    assert (unpacked.content, unpacked.reason) == (PAGE, None)


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
    unpacked = unpack(body, encoding, LIMITS)
    assert (unpacked.content, unpacked.reason) == (b"", Reason.BOMB)


def test_a_long_honest_page_is_cut_at_the_cap() -> None:
    small = FetchLimits(decoded_bytes=5000)
    for body, encoding in ((gzip.compress(PAGE, mtime=0), "gzip"), (brotli.compress(PAGE), "br")):
        unpacked = unpack(body, encoding, small)
        assert (unpacked.content, unpacked.reason) == (PAGE[:5000], Reason.CONTENT_CUT)


def test_a_cut_stream_gives_what_came_through() -> None:
    for body, encoding in ((gzip.compress(PAGE, mtime=0), "gzip"), (brotli.compress(PAGE), "br")):
        unpacked = unpack(body[: len(body) // 2], encoding, LIMITS)
        assert unpacked.reason is Reason.INCOMPLETE
        assert PAGE.startswith(unpacked.content)


@pytest.mark.parametrize("encoding", ["zstd", "compress", "gzip, gzip, gzip", "exe", "br; q=1"])
def test_encodings_that_were_not_offered_are_refused(encoding: str) -> None:
    assert unpack(b"\x00\x01", encoding, LIMITS).reason is Reason.BAD_ENCODING


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.binary(max_size=100), st.sampled_from(["gzip", "deflate", "br", "gzip, br"]))
def test_any_bytes_are_unpacked_or_given_a_reason(body: bytes, encoding: str) -> None:
    unpack(b"\x1f\x8b" + body, encoding, LIMITS)
    unpack(body, encoding, LIMITS)
